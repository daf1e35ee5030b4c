/** A schema for hosts that insist on Zod. Their Zod is given as a value; of Zod's own package only types are read. */
export * from './facade.js';
export type { Zod } from './type.js';
