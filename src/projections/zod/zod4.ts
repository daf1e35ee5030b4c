import type { ZodType } from 'zod';
import type * as zod4 from 'zod4';
import { isObject } from '../../json/index.js';
import { dressed, type Zod } from './context.js';
import { inlineReferences, mostParts } from './inline-references.js';
import { toJson } from './raw-any-of.js';

type Zod4 = typeof zod4.z;

/** Zod 4, where the host has it. Its type does not say so: the host's packages are typed as Zod 3's. */
export function zod4In(z: Zod): Zod4 | undefined {
  return '_zod' in z.any() ? (z as unknown as Zod4) : undefined; // by what only Zod 4's types have
}

/**
 * The facade for hosts with Zod 4, which asks every type for a JSON Schema of its own (`_zod.toJSONSchema`) before it
 * makes one: so nothing has to be expressed in Zod's terms. Its references are inlined, because they would lead elsewhere
 * where it is nested. Its shape has the names of the properties, which take anything.
 */
export function zod4Facade(original: object, z: Zod4): ZodType {
  const { schema: whole } = inlineReferences(original, { root: original, left: mostParts });
  const anything = z.unknown();
  const { properties } = isObject(whole) ? whole : {};
  const shape = Object.fromEntries(Object.keys(isObject(properties) ? properties : {}).map((name) => [name, anything]));
  return facade() as unknown as ZodType; // see zod4In

  function facade(description?: string): zod4.ZodType {
    const type = z.looseObject(shape);
    // What Zod's own `describe` makes refers to what it was made of, and then that is asked as well.
    if (description !== undefined) z.globalRegistry.add(type, { description });
    // Every parse method, of this type and of types it is put into, ends in one of these two.
    type._zod.run = (payload) => payload;
    type._zod.parse = (payload) => payload;
    // Zod writes into what it is given. A recursive schema ends where it begins again.
    type._zod.toJSONSchema = () => toJson(whole, () => undefined); // of an object
    return dressed(type, original, { describe: facade });
  }
}

/** What is an instance of Zod 4's types has their mark, by which alone `instanceof` goes there. */
export function plainZod4Schema(original: object): object {
  return Object.defineProperty({ ...original }, '_zod', { value: { traits: new Set(['$ZodType', 'ZodType']) } });
}
