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

/**
 * A type of the host's Zod with members in place of Zod's own, where nobody lists them. It lets every value through, and
 * hands out the original to whoever asks for JSON Schema.
 */
export function dressed<Type extends { '~standard': object }>(type: Type, original: object, own: object): Type {
  const standard = {
    ...type['~standard'],
    validate: (value: unknown) => ({ value }),
    jsonSchema: { input: () => original, output: () => original },
  };
  for (const [name, value] of Object.entries({ ...own, '~standard': standard })) {
    Object.defineProperty(type, name, { value, configurable: true, writable: true, enumerable: false });
  }
  return type;
}
