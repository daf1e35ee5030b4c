import { isObject } from '../json/index.js';

const holdSchema = [
  'additionalItems',
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
];
const holdList = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'];
const holdMap = ['$defs', 'definitions', 'dependencies', 'dependentSchemas', 'patternProperties', 'properties'];

/**
 * Where a keyword holds subschemas that apply to values, in any dialect. `not` and `propertyNames` are left out on
 * purpose: nothing is to be accepted in their stead.
 */
export function subschemasOf(keyword: string, value: unknown): 'schema' | 'list' | 'map' | undefined {
  if (Array.isArray(value)) return holdList.includes(keyword) ? 'list' : undefined;
  if (!isObject(value)) return undefined;
  if (holdSchema.includes(keyword)) return 'schema';
  return holdMap.includes(keyword) ? 'map' : undefined;
}
