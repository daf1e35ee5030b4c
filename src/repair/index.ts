export * from './candidates/absence.js';
export * from './describe.js';
export * from './options.js';
export * from './repair.js';
