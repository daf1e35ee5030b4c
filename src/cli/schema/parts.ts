import { oneLine } from '../terminal/text.js';
import { isObject } from '../../json/index.js';

export interface Part {
  label: string;
  schema: unknown;
  required: boolean;
}

type Fields = Record<string, unknown>;

/** The subschemas of a schema in reading order, each with what it is about. */
export function partsOf(schema: unknown): Part[] {
  if (!isObject(schema)) return [];
  return [...properties(schema), ...items(schema), ...combined(schema), ...conditions(schema)];
}

function properties(schema: Fields): Part[] {
  const required = new Set<unknown>(Array.isArray(schema['required']) ? schema['required'] : []);
  return [
    ...entries(schema['properties']).map(([name, part]) => ({
      label: oneLine(name),
      schema: part,
      required: required.has(name),
    })),
    ...entries(schema['patternProperties']).map(([pattern, part]) => optional(`/${oneLine(pattern)}/`, part)),
    ...subschema('(any other)', schema['additionalProperties']),
    ...subschema('(any other)', schema['unevaluatedProperties']),
    ...subschema('(names)', schema['propertyNames']),
    ...entries(schema['dependentSchemas'] ?? schema['dependencies'])
      .filter(([, part]) => isObject(part))
      .map(([name, part]) => optional(`(with ${oneLine(name)})`, part)),
  ];
}

function items(schema: Fields): Part[] {
  const list = Array.isArray(schema['items'])
    ? schema['items']
    : Array.isArray(schema['prefixItems'])
      ? schema['prefixItems']
      : [];
  const each = Array.isArray(schema['items']) ? schema['additionalItems'] : schema['items'];
  return [
    ...list.map((part: unknown, index) => optional(`[${index}]`, part)),
    ...subschema(list.length > 0 ? '[others]' : '[each]', each),
    ...subschema('[some]', schema['contains']),
  ];
}

function combined(schema: Fields): Part[] {
  const words = { allOf: 'all of', anyOf: 'any of', oneOf: 'one of' };
  return Object.entries(words).flatMap(([keyword, words]) => {
    const branches = schema[keyword];
    return Array.isArray(branches)
      ? branches.map((part: unknown, index) => optional(`(${words}, ${index + 1})`, part))
      : [];
  });
}

function conditions(schema: Fields): Part[] {
  return ['if', 'then', 'else', 'not'].flatMap((keyword) => subschema(`(${keyword})`, schema[keyword]));
}

function subschema(label: string, schema: unknown): Part[] {
  return isObject(schema) ? [optional(label, schema)] : [];
}

function optional(label: string, schema: unknown): Part {
  return { label, schema, required: false };
}

function entries(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : [];
}
