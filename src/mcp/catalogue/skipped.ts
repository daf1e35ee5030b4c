import { isObject, nestsDeeper, quote, visibleLine } from '../../json/index.js';
import { readHeaderAnnotations } from '../http/request-headers.js';
import type { Note, ReadCatalogueOptions } from './tool.js';

/** Why an entry of `tools/list` cannot be exposed as a tool; `taken` are the names of those before it. */
export function reasonToSkip(
  definition: unknown,
  { mirrorsHeaders, taken }: Required<ReadCatalogueOptions> & { taken: { has(name: string): boolean } },
): Note | undefined {
  if (!isObject(definition)) return note('not-an-object', `The entry is ${kindOf(definition)}, not a tool object.`);
  const name = definition['name'];
  if (typeof name !== 'string') return note('no-name', `The tool's name is ${kindOf(name)}; it must be a string.`);
  if (name.trim() === '') return note('no-name', 'The name of the tool is empty.');
  if (taken.has(name))
    return note('duplicate-name', `An earlier tool in the list is also called ${quote(name)}; that one is used.`);
  if (nestsDeeper(definition, maxLevels))
    return note('too-deep', `The tool nests more than ${maxLevels} levels deep, too deep to be handed to a model.`);
  const reason = reasonInSchema(definition['inputSchema']);
  if (reason || !mirrorsHeaders) return reason;
  // A call has to repeat arguments in the headers that the schema names, so that it cannot be made with a wrong name.
  const { fault } = readHeaderAnnotations(definition['inputSchema']);
  return fault && note('invalid-x-mcp-header', fault.message, fault.schemaLocation);
}

function reasonInSchema(schema: unknown): Note | undefined {
  if (schema === undefined) return note('input-schema-missing', 'The tool has no inputSchema.');
  if (!isObject(schema))
    return note('input-schema-not-an-object', `The inputSchema is ${kindOf(schema)}; it must be a JSON Schema object.`);
  const zod = 'The inputSchema is a serialised Zod object; the server has to convert it to JSON Schema.';
  if (isSerialisedZod(schema)) return note('input-schema-is-zod', zod);
  const type = schema['type'];
  // Arguments are always an object, so a schema that allows no object allows no call.
  if (type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'))) return undefined;
  const shown = JSON.stringify(type).slice(0, 100);
  return note('root-type', `The inputSchema is of type ${shown}; arguments are always an object.`, '#/type');
}

export function note(code: string, message: string, schemaLocation?: string): Note {
  // The message contains the server's own words.
  return { code, message: visibleLine(message), ...(schemaLocation !== undefined && { schemaLocation }) };
}

export function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

/** JSON writers recurse and fail beyond a few thousand levels; the deepest of 5,522 published tools has 14. */
const maxLevels = 500;

/** True for the JSON of a Zod schema, or of its bare shape, which servers forget to convert. */
function isSerialisedZod(schema: Readonly<Record<string, unknown>>): boolean {
  if (isZodNode(schema)) return true;
  const values = Object.values(schema);
  return values.length > 0 && values.every((value) => isObject(value) && isZodNode(value));
}

/**
 * Zod 3 leaves `_def`, Zod 4 `def` and its `type` twice, others Standard Schema's `~standard`. A JSON Schema may have
 * properties of these names, but those are schemas.
 */
function isZodNode({ '~standard': standard, _def, def, type }: Readonly<Record<string, unknown>>): boolean {
  return (
    isObject(standard) ||
    (isObject(_def) && typeof _def['typeName'] === 'string') ||
    (isObject(def) && typeof type === 'string' && def['type'] === type)
  );
}
