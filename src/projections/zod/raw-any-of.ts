import type { ZodTypeAny } from 'zod';
import type { Zod } from './context.js';
import { isObject } from '../../json/index.js';

/**
 * A Zod type that becomes `{"anyOf": [...]}` with these very schemas: for what Zod cannot say. To Zod it is a union
 * of anything; zod-to-json-schema asks the list of its alternatives (`map`) for the schema of each.
 */
export function rawAnyOf(schemas: readonly unknown[], z: Zod): ZodTypeAny {
  const type = z.union([z.any(), z.any()]);
  Object.defineProperty(type._def.options, 'map', { value: () => schemas.map(schemaCopy) });
  return type;
}

/** A copy as an object, since hosts write into what they are given, and leave out alternatives that are none. */
export function schemaCopy(schema: unknown): object {
  if (isObject(schema)) return structuredClone(schema);
  return schema === false ? { not: {} } : {};
}
