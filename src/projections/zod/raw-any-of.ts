import type { ZodTypeAny } from 'zod';
import type { Zod } from './context.js';
import { isObject } from '../../json/index.js';
import { RecursiveReference } from './inline-references.js';

/**
 * A Zod type that becomes `{"anyOf": [...]}` with these very schemas: for what Zod cannot say. To Zod it is a union
 * of anything; zod-to-json-schema asks the list of its alternatives (`map`) for the schema of each.
 */
export function rawAnyOf(schemas: readonly unknown[], z: Zod): ZodTypeAny {
  const type = z.union([z.any(), z.any()]);
  const map = (write: unknown) =>
    schemas.map((schema, index) => toJson(asObject(schema), () => placeOf(index, write, z)));
  Object.defineProperty(type._def.options, 'map', { value: map });
  return type;
}

/** zod-to-json-schema leaves out alternatives that are no objects. */
function asObject(schema: unknown): Record<string, unknown> {
  if (isObject(schema)) return schema;
  return schema === false ? { not: {} } : {};
}

/**
 * A copy, since hosts write into what they are given. What leads back leads to where the copy stands.
 *
 * @param place a JSON Pointer (`#...`) to it; where there is none, what leads back is left out
 */
export function toJson(value: unknown, place: () => string | undefined): unknown {
  if (Array.isArray(value)) return value.map((element: unknown) => toJson(element, place));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([key, member]) => [
    key,
    member instanceof RecursiveReference ? referenceTo(member, place()) : toJson(member, place),
  ]);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}

function referenceTo({ location }: RecursiveReference, place: string | undefined): string | undefined {
  return place === undefined ? undefined : place + location;
}

/** zod-to-json-schema writes a type that it meets again as a reference to where it first stood: here, that is. */
function placeOf(index: number, write: unknown, z: Zod): string | undefined {
  if (typeof write !== 'function') return undefined;
  const convert = write as (type: ZodTypeAny, index: number) => unknown; // zod-to-json-schema's callback
  const here = z.any();
  convert(here, index);
  const again = convert(here, index);
  const place = isObject(again) ? again['$ref'] : undefined;
  return typeof place === 'string' && place.startsWith('#') ? place : undefined;
}
