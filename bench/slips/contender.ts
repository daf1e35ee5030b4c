import type { Repair } from '../../src/repair/index.js';

/** The outcome for a call's arguments. */
export interface Attempt {
  readonly arguments: unknown;
  /** True if the tool would be called with them. */
  readonly sent: boolean;
  readonly repairs?: readonly Repair[];
}

export type Contender = (schema: unknown, args: unknown) => Attempt | Promise<Attempt>;
