import { isList, isObject, isWithin, jsonPointer, pointerTokens, valueAt } from '../../json/index.js';
import { distinct, noteRefused, violationKey, type Violation } from './violation.js';
import { summarizedViolations } from './summary.js';

/** A value that was changed: where it stood in the arguments as sent, and where it stands now. */
export interface Changed {
  readonly from: string;
  readonly to: string;
}

/**
 * The violations of arguments as they were sent, without those that changes settled, and with those within the changed
 * values. All are summarized.
 *
 * @param left the violations of the changed arguments
 */
export function unsettled(
  sent: readonly Violation[],
  left: readonly Violation[],
  changes: readonly Changed[],
  changedArguments: unknown,
): Violation[] {
  const remaining = summarizedViolations(left);
  // A value without parts that is still refused is as it was sent.
  const isStillRefused = (place: string) => {
    const value = valueAt(changedArguments, place);
    const hasParts = isObject(value) || isList(value);
    return !hasParts && remaining.some(({ instanceLocation }) => instanceLocation === place);
  };
  const settled = changes.filter(({ from, to }) => from !== to || !isStillRefused(to));
  const remainingKeys = new Set(remaining.map(violationKey));
  const isSettled = (violation: Violation) => {
    const { instanceLocation, property } = violation;
    // A member that is not allowed is not, whatever its value has become.
    if (property !== undefined && remainingKeys.has(violationKey(violation))) return false;
    const place = jsonPointer(pointerTokens(instanceLocation).concat(property ?? []));
    return settled.some(({ from, to }) => isWithin(place, from) || place === to);
  };
  // A demand on a value that holds a changed one may be settled with it; any other is what it was.
  const keys = new Set(left.map(violationKey));
  const isOpen = (violation: Violation) =>
    keys.has(violationKey(violation)) || !settled.some(({ from }) => isWithin(from, violation.instanceLocation));
  const asSent = summarizedViolations(sent.filter(isOpen)).filter((violation) => !isSettled(violation));
  // A demand that is still refused is said, even if all its lines are about changed values.
  const unsaid = sent
    .filter((violation) => keys.has(violationKey(violation)))
    .map((violation) => summarizedViolations([violation]))
    .filter((lines) => lines.every(isSettled));
  noteRefused(sent, { unsaid: summarizedViolations(sent) });
  return distinct([
    ...asSent,
    ...unsaid.flat(),
    ...remaining.filter(({ instanceLocation }) => settled.some(({ to }) => isWithin(instanceLocation, to))),
  ]);
}
