/** Tools for frameworks that take a Standard Schema. */
export { standardSchema } from './standard-schema.js';
export type { StandardIssue, StandardToolSchema } from './standard-schema.js';
