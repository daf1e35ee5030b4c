import { isObject, pointerToken, type JsonObject } from '../../json/index.js';

const single = [
  'additionalProperties',
  'additionalItems',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
];
const lists = ['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems'];
const maps = ['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties'];

export interface Placed {
  readonly schema: JsonObject;
  readonly location: string;
}

/** More parts than any real schema has; a look at a hostile one ends there. */
const maxParts = 20_000;

/** Every schema within a schema, itself first, with its place. Written without recursion: schemas nest deep. */
export function* subschemas(root: unknown): Generator<Placed> {
  const seen = new Set<unknown>();
  const open: { schema: unknown; location: string }[] = [{ schema: root, location: '#' }];
  while (open.length > 0 && seen.size < maxParts) {
    const { schema, location } = open.pop()!;
    if (!isObject(schema) || seen.has(schema)) continue;
    seen.add(schema);
    yield { schema, location };
    for (const [keyword, value] of Object.entries(schema).reverse()) {
      const at = `${location}/${pointerToken(keyword)}`;
      if (Array.isArray(value)) {
        if (lists.includes(keyword))
          value.forEach((part, index) => open.push({ schema: part, location: `${at}/${index}` }));
      } else if (isObject(value)) {
        if (single.includes(keyword)) open.push({ schema: value, location: at });
        if (maps.includes(keyword)) {
          for (const [name, part] of Object.entries(value))
            open.push({ schema: part, location: `${at}/${pointerToken(name)}` });
        }
      }
    }
  }
}

/** The schema with each of its direct subschemas replaced; the very schema where none has changed. */
export function withSubschemas(schema: JsonObject, replace: (part: unknown) => unknown): JsonObject {
  const entries = Object.entries(schema).map(
    ([keyword, value]) => [keyword, replaced(keyword, value, replace)] as const,
  );
  return entries.every(([keyword, value]) => value === schema[keyword]) ? schema : Object.fromEntries(entries);
}

function replaced(keyword: string, value: unknown, replace: (part: unknown) => unknown): unknown {
  if (Array.isArray(value)) {
    if (!lists.includes(keyword)) return value;
    const parts = value.map((part) => replace(part));
    return parts.every((part, index) => part === value[index]) ? value : parts;
  }
  if (single.includes(keyword)) return replace(value);
  if (!isObject(value) || !maps.includes(keyword)) return value;
  const entries = Object.entries(value).map(([name, part]) => [name, replace(part)] as const);
  return entries.every(([name, part]) => part === value[name]) ? value : Object.fromEntries(entries);
}
