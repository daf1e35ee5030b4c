import type { JsonType } from '../../json/index.js';
import type { Expectation } from './expectation.js';
import { listed } from './phrases.js';
import type { Violation } from './violation.js';

/** What a combinator expects whose every branch refused: the types that its branches ask for, if that is all. */
export function alternatives(branches: readonly Violation[][]): Expectation {
  const asked = branches.map(typesAskedFor);
  const types = [...new Set(asked.flatMap((names) => names ?? []))];
  if (types.length > 0 && asked.every((names) => names !== undefined)) {
    return { expected: listed(types), expectedTypes: types };
  }
  const expected = `valid against one of ${branches.length} alternatives`;
  return { expected, ...(types.length > 0 && { expectedTypes: types }) };
}

/** The types that a branch asks of the very value that the combinator is applied to, if only its type is wrong. */
function typesAskedFor(branch: readonly Violation[]): readonly JsonType[] | undefined {
  const [first] = branch;
  if (branch.length !== 1 || !first) return undefined;
  return first.keyword === 'type' || first.branches ? first.expectedTypes : undefined;
}
