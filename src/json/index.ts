/** JSON values, texts and schemas' shapes: the base of every other folder. */
export * from './budget.js';
export * from './byte-text.js';
export * from './bytes.js';
export * from './canonical.js';
export * from './numerals.js';
export * from './options.js';
export * from './own-error.js';
export * from './pointer.js';
export * from './rewritten-text.js';
export * from './scanner.js';
export * from './subschemas.js';
export * from './text.js';
export * from './tolerant-json.js';
export * from './value.js';
