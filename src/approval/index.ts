/** The approved tools of a server, and how its tools differ from them. */
export * from './only-approved.js';
export * from './differences.js';
export * from './approved-file.js';
export * from './approved-tools.js';
