import { isObject } from '../../json/index.js';

/**
 * Whether a value is what `JSON.stringify` makes of a Zod schema: servers that forget to convert send this in place of
 * a JSON Schema. Zod 3 leaves `_def`, Zod 4 leaves `def` and both leave Standard Schema's `~standard`. The server may
 * also have sent the bare shape, an object of such values.
 */
export function isSerialisedZod(schema: Readonly<Record<string, unknown>>): boolean {
  if (isZodNode(schema)) return true;
  const values = Object.values(schema);
  return values.length > 0 && values.every((value) => isObject(value) && isZodNode(value));
}

function isZodNode(value: Readonly<Record<string, unknown>>): boolean {
  if (isObject(value['~standard'])) return true;
  const definition = value['_def'] ?? value['def'];
  return isObject(definition) && ('typeName' in definition || 'type' in definition);
}
