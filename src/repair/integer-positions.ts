import { isObject, type JsonObject } from '../json/index.js';
import { subschemasOf } from './subschemas.js';

/** The decimal forms that the repair reads as integers; Number.MAX_SAFE_INTEGER has sixteen digits. */
const decimalForm = '^(0|-?[1-9][0-9]{0,15})$';

/** Whether a schema accepts integers and, at this place, refuses the strings of their decimal form. */
export function asksForIntegers(schema: JsonObject): boolean {
  const types = typesOf(schema);
  if (listedIntegers(schema).length > 0)
    return types === undefined || types.includes('integer') || types.includes('number');
  return types !== undefined && types.includes('integer') && !types.includes('string') && !isClosed(schema);
}

/** The keywords of a schema that asks for integers, changed so that it takes their decimal strings as well. */
export function alsoTakingStrings(schema: JsonObject): Record<string, unknown> {
  const changed: Record<string, unknown> = { ...schema };
  const types = typesOf(schema);
  if (types !== undefined && !types.includes('string')) {
    changed['type'] = [...types, 'string'];
    // Whatever was said of strings was without effect where none was accepted.
    delete changed['minLength'];
    delete changed['maxLength'];
    changed['pattern'] = decimalForm;
  }
  if (isClosed(schema)) {
    const values = 'const' in schema ? [schema['const']] : (schema['enum'] as unknown[]);
    const strings = listedIntegers(schema).map(String);
    delete changed['const'];
    const known = new Set<unknown>(values);
    changed['enum'] = [...values, ...strings.filter((text) => !known.has(text))];
  }
  return changed;
}

/** Whether the values are listed one by one. */
function isClosed(schema: JsonObject): boolean {
  return 'const' in schema || Array.isArray(schema['enum']);
}

function listedIntegers(schema: JsonObject): number[] {
  const values = 'const' in schema ? [schema['const']] : schema['enum'];
  if (!Array.isArray(values)) return [];
  return values.filter((value): value is number => Number.isSafeInteger(value) && !Object.is(value, -0));
}

function typesOf(schema: JsonObject): unknown[] | undefined {
  const { type } = schema;
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? type : undefined;
}

/**
 * Answers, for any subschema of one schema, whether it holds a place that asks for integers.
 *
 * @param orReferences whether a reference, which may lead to such a place, counts as one
 */
export function integerFinder(orReferences: boolean): (schema: unknown) => boolean {
  const known = new Map<object, boolean>();
  const find = (schema: unknown, depth: number): boolean => {
    if (!isObject(schema) || depth > maxDepth) return false;
    const before = known.get(schema);
    if (before !== undefined) return before;
    // A schema that holds itself finds nothing more in itself.
    known.set(schema, false);
    const found =
      asksForIntegers(schema) ||
      (orReferences && refers(schema)) ||
      subschemasIn(schema).some((part) => find(part, depth + 1));
    known.set(schema, found);
    return found;
  };
  return (schema) => (Array.isArray(schema) ? schema : [schema]).some((part) => find(part, 0));
}

/** No real schema is as deep, and a hostile one must not exhaust the stack. */
export const maxDepth = 400;

function refers(schema: JsonObject): boolean {
  return '$ref' in schema || '$dynamicRef' in schema || '$recursiveRef' in schema;
}

function subschemasIn(schema: JsonObject): unknown[] {
  return Object.entries(schema).flatMap(([keyword, value]): unknown[] => {
    switch (subschemasOf(keyword, value)) {
      case 'schema':
        return [value];
      case 'list':
        return value as unknown[];
      case 'map':
        return Object.values(value as JsonObject);
      default:
        return [];
    }
  });
}
