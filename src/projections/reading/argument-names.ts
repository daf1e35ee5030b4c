import { isObject, type Work } from '../../json/index.js';
import { type Reading, viewOf } from './view.js';

/**
 * The names of a tool's arguments, as a person would read its schema: those behind references, in all parts, and in every
 * alternative as well.
 */
export function argumentNames(inputSchema: unknown, work: Work): string[] {
  const { properties, $ref, allOf, anyOf, oneOf } = isObject(inputSchema) ? inputSchema : {};
  const names = isObject(properties) ? Object.keys(properties) : [];
  const isPlain = [$ref, allOf, anyOf, oneOf].every((keyword) => keyword === undefined);
  return isPlain ? names : [...new Set([...names, ...namesIn(inputSchema, { root: inputSchema, work }, 0)])];
}

/** Alternatives within alternatives that anybody writes. */
const deepest = 4;

function namesIn(schema: unknown, reading: Reading, depth: number): string[] {
  if (depth > deepest) return [];
  const { schema: read, alternatives = [] } = viewOf(schema, reading);
  const { properties } = read;
  const own = isObject(properties) ? Object.keys(properties) : [];
  return [...own, ...alternatives.flatMap((each) => (reading.work.spend() ? namesIn(each, reading, depth + 1) : []))];
}
