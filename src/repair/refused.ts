import { isList, isObject, jsonPointer, pointerTokens } from '../json/index.js';
import { type Evaluation, noteRefused, summarizedViolations, type Violation } from '../schema/index.js';
import { isWithin, placeAfter } from './apply.js';
import type { Repair } from './options.js';
import { keyOf } from './problem.js';

type Refused = Extract<Evaluation, { outcome: 'invalid' }>;

/**
 * The refusal of a call that keeps repairs: what is said of it as it was sent, without what the repairs settle, and what
 * is refused within the repaired values. Undefined if that is nothing.
 */
export function refusedAfter(repairs: readonly Repair[], sent: Refused, left: Refused): Refused | undefined {
  const remaining = summarizedViolations(left.violations);
  const isRefused = ({ to }: Repair, place: string) =>
    !isObject(to) && !isList(to) && remaining.some(({ instanceLocation }) => instanceLocation === place);
  const repaired = repairs
    .map((repair) => ({ repair, from: repair.instanceLocation, to: placeAfter(repair) }))
    .filter(({ repair, to }) => repair.kind === 'name' || !isRefused(repair, to));
  const isOfRepaired = ({ instanceLocation, property }: Violation) => {
    const tokens = property === undefined ? [] : [property];
    const place = jsonPointer([...pointerTokens(instanceLocation), ...tokens]);
    return repaired.some(({ from, to }) => isWithin(place, from) || place === to);
  };
  // A demand of a value that holds a repaired one may be settled with it; any other is what it was.
  const refused = new Set(left.violations.map((violation) => keyOf({ violation })));
  const isLeft = (violation: Violation) =>
    refused.has(keyOf({ violation })) || !repaired.some(({ from }) => isWithin(from, violation.instanceLocation));
  const all = summarizedViolations(sent.violations.filter(isLeft));
  const asSent = all.filter((violation) => !isOfRepaired(violation));
  const within = remaining.filter((each) => repaired.some(({ to }) => isWithin(each.instanceLocation, to)));
  noteRefused(sent.violations, { unsaid: summarizedViolations(sent.violations) });
  const violations = [...asSent, ...within];
  return violations.length === 0 ? undefined : { ...sent, violations };
}
