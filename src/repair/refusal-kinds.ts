import { type Refusal, typesOfValues } from '../schema/index.js';
import { wantsTypeOf } from './candidates/candidates.js';

export function isUnion({ expectation, branches }: Refusal): boolean {
  return expectation.kind === 'alternatives' && branches.length > 0;
}

/** Whether another value of a part may be all that it takes. */
export function mayBeMetWithin(refusal: Refusal): boolean {
  const { kind } = refusal.expectation;
  return isUnion(refusal) || kind === 'exactly-one' || kind === 'not';
}

/** Whether what is refused leaves open which value was meant: the condition beside `else`, or any of a list's items. */
export function isOpen({ expectation, branches }: Refusal): boolean {
  const { kind } = expectation;
  if (kind === 'alternatives') return branches.some((branch) => branch.some(isOpen));
  return kind === 'condition' || kind === 'contains';
}

export function keyOf({ violation }: Refusal): string {
  const { instanceLocation, schemaLocation, keyword, property = '' } = violation;
  return `${instanceLocation}\n${schemaLocation}\n${keyword}\n${property}`;
}

export function excludes({ expectation }: Refusal, value: unknown): boolean {
  if (expectation.kind === 'types') return !wantsTypeOf(value, expectation.types);
  if (expectation.kind === 'values') return !wantsTypeOf(value, typesOfValues(expectation.values));
  return expectation.kind === 'nothing';
}
