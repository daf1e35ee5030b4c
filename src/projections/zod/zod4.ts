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
 * The facade for hosts with Zod 4: an object whose properties take anything. Zod 4 asks every type for a JSON Schema of
 * its own (`_zod.toJSONSchema`) before it makes one, so nothing has to be expressed in Zod's terms: not even nested in
 * another object, where references are inlined because they would lead elsewhere.
 */
export function zod4Facade(original: object, z: Zod4): ZodType {
  const { schema: whole } = inlineReferences(original, { root: original, left: mostParts });
  const root = isObject(whole) ? whole : {};
  const shape = shapeOf(root, z);
  return facade() as unknown as ZodType; // see zod4In

  function facade(description?: string): zod4.ZodType {
    const type = z.looseObject(shape);
    // What Zod's own `describe` makes refers to what it was made of, and then that is asked as well.
    if (description !== undefined) z.globalRegistry.add(type, { description });
    // Every parse method, of this type and of types it is put into, ends in one of these two.
    type._zod.run = (payload) => payload;
    type._zod.parse = (payload) => payload;
    type._zod.toJSONSchema = () => copyOf(root);
    return dressed(type, original, { describe: facade });
  }
}

/** Zod copies a shape when it is asked for: until then no type is made, of which a schema may need tens of thousands. */
function shapeOf({ properties, required }: Readonly<Record<string, unknown>>, z: Zod4): Record<string, zod4.ZodType> {
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  const shape: Record<string, zod4.ZodType> = {};
  for (const [name, part] of isObject(properties) ? Object.entries(properties) : []) {
    Object.defineProperty(shape, name, { get: () => typeOf(part, needed.has(name), z), enumerable: true });
  }
  return shape;
}

function typeOf(part: unknown, isRequired: boolean, z: Zod4): zod4.ZodType {
  const type = z.unknown();
  type._zod.toJSONSchema = () => copyOf(part);
  return isRequired ? type : type.optional();
}

/** Zod writes into what it is given. A recursive schema ends where it begins again. */
function copyOf(part: unknown): object {
  const copy = toJson(part, () => undefined);
  return isObject(copy) ? copy : copy === false ? { not: {} } : {};
}

/** What is an instance of Zod 4's types has their mark, by which alone `instanceof` goes there. */
export function plainZod4Schema(original: object): object {
  return Object.defineProperty({ ...original }, '_zod', { value: { traits: new Set(['$ZodType', 'ZodType']) } });
}
