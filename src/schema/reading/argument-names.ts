import { isObject, type WorkBudget } from '../../json/index.js';
import { type Reading, viewOf } from './view.js';

export function argumentNames(inputSchema: unknown, budget: WorkBudget): string[] {
  return declaredNames(inputSchema, { root: inputSchema, budget });
}

/** The names that a schema declares: behind references, in all parts, in every alternative and under conditions. */
export function declaredNames(schema: unknown, reading: Reading): string[] {
  return [...new Set(namesIn(schema, reading, 0))].filter(() => reading.budget.consume());
}

/** Alternatives within alternatives that anybody writes. */
const deepest = 4;

function namesIn(schema: unknown, reading: Reading, depth: number): string[] {
  if (depth > deepest) return [];
  const { schema: read, alternatives = [] } = viewOf(schema, reading);
  const { properties, oneOf, if: condition, then, else: otherwise } = read;
  const own = isObject(properties) ? Object.keys(properties) : [];
  const others = [alternatives, oneOf, condition, then, otherwise].flat().filter(isObject);
  return [...own, ...others.flatMap((each) => (reading.budget.consume() ? namesIn(each, reading, depth + 1) : []))];
}
