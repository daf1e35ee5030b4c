import type * as zod from 'zod';

/** The host's own Zod, given as a value: what is made with it is an instance of the host's classes. */
export type Zod = typeof zod.z;

/** What Zod types are made with. */
export interface ZodContext {
  /** Zod 3, or Zod 4 behind Zod 3's type: see `zod4.ts`. */
  readonly z: Zod;
  /** Leaves objects as they are: those of Zod 3 always say something of `additionalProperties`, which Gemini refuses. */
  readonly rawObjects?: boolean;
}
