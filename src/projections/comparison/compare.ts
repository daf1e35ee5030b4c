import { isObject, resolveLocalReference } from '../../json/index.js';

/** What became of a schema on its way to the model. */
export type Fate = 'identical' | 'reordered' | 'annotations' | 'meaning' | 'lost';

/**
 * @param wire the schema as the server sent it
 * @param told what the model would be told; undefined where the tool is not offered
 */
export function fateOf(wire: unknown, told: unknown): Fate {
  if (told === undefined) return 'lost';
  if (told === wire) return 'identical';
  try {
    if (JSON.stringify(told) === JSON.stringify(wire)) return 'identical';
    if (canonical(told) === canonical(wire)) return 'reordered';
    return canonical(ofArguments(told)) === canonical(ofArguments(wire)) ? 'annotations' : 'meaning';
  } catch (error) {
    // Too deep or too large to compare, so nothing says that it means the same.
    if (error instanceof RangeError) return 'meaning';
    throw error;
  }
}

/** Parts looked at while references are put in place; a few dozen definitions can spell out more than fits into memory. */
const mostParts = 200_000;

/** Arguments are an object in any case (MCP, tools/call), whether or not the root says so. */
function ofArguments(schema: unknown): unknown {
  const asked = assertions(schema, { root: schema, left: mostParts });
  return isObject(asked) ? { type: 'object', ...asked } : asked;
}

/** JSON with its keys sorted. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}

const annotations = new Set([
  '$schema',
  '$id',
  'id',
  '$comment',
  'title',
  'description',
  'default',
  'examples',
  'example',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$defs',
  'definitions',
]);

/**
 * What a schema asks of a value: without annotations, and with its local references put in place, so that a peer that
 * only inlines them is not said to have changed anything. A reference inside itself stays.
 *
 * @throws RangeError where there are more parts, or deeper ones, than can be compared
 */
function assertions(
  schema: unknown,
  whole: { readonly root: unknown; left: number },
  within: readonly string[] = [],
): unknown {
  if (whole.left-- <= 0) throw new RangeError('Too large to compare.');
  if (Array.isArray(schema)) return schema.map((part: unknown) => assertions(part, whole, within));
  if (!isObject(schema)) return schema;
  const { $ref } = schema;
  if (typeof $ref === 'string' && Object.keys(schema).every((key) => key === '$ref' || annotations.has(key))) {
    const target = within.includes($ref) ? undefined : resolveLocalReference(whole.root, $ref);
    if (target !== undefined) return assertions(target, whole, [...within, $ref]);
  }
  const entries = Object.entries(schema).filter(([key, value]) => !annotations.has(key) && !saysNothing(key, value));
  return Object.fromEntries(
    entries.map(([key, part]) => {
      if (key === 'properties' && isObject(part))
        return [key, mapValues(part, (property) => assertions(property, whole, within))];
      if (key === 'enum' || key === 'const') return [key, part];
      if (key === 'required' && Array.isArray(part)) return [key, [...part].sort()];
      return [key, assertions(part, whole, within)];
    }),
  );
}

/** `additionalProperties: true` and `required: []` are what holds without them. */
function saysNothing(key: string, value: unknown): boolean {
  if (key === 'additionalProperties') return value === true || (isObject(value) && Object.keys(value).length === 0);
  return key === 'required' && Array.isArray(value) && value.length === 0;
}

/** How often each keyword stands in a schema, property names left out. */
export function keywords(schema: unknown, counts = new Map<string, number>(), depth = 0): Map<string, number> {
  if (Array.isArray(schema)) schema.forEach((part: unknown) => keywords(part, counts, depth + 1));
  if (!isObject(schema) || depth > 60) return counts;
  for (const [key, value] of Object.entries(schema)) {
    counts.set(key, (counts.get(key) ?? 0) + 1);
    if (['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'].includes(key)) {
      if (isObject(value)) Object.values(value).forEach((part) => keywords(part, counts, depth + 1));
    } else if (!['enum', 'const', 'default', 'examples', 'example', 'required'].includes(key))
      keywords(value, counts, depth + 1);
  }
  return counts;
}

function mapValues(object: Record<string, unknown>, map: (value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}
