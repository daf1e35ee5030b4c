import type { Repair } from '../../repair/index.js';

/** A question and what became of it. */
export interface Asked {
  readonly mode: 'form' | 'url';
  readonly message: string;
  readonly url?: string;
  readonly action: 'accept' | 'decline' | 'cancel';
  /** What the server received. */
  readonly content?: Readonly<Record<string, unknown>>;
  readonly repairs: readonly Repair[];
  /** Why it was not accepted. */
  readonly reason?: string;
}
