import type { Violation } from '../schema/index.js';
import type { RepairKind } from './options.js';
import type { Refusal } from './targets.js';
import { keyOf } from './trial.js';

/**
 * The violations of refused arguments, told the way a model can act on: where a value only had the wrong type but
 * would be refused in the right one, too, that reason takes its place. `"-1"` where an integer of at least 0 is
 * wanted reads: must be >= 0, received "-1".
 */
export function withReasons(violations: readonly Violation[], refusals: readonly Refusal[]): Violation[] {
  const byKey = new Map<string, Refusal[]>();
  for (const refusal of refusals) {
    if (!refusal.plan.repairs.every(({ kind }) => isScalar(kind))) continue;
    const key = keyOf(refusal.violation);
    byKey.set(key, [...(byKey.get(key) ?? []), refusal]);
  }
  if (byKey.size === 0) return [...violations];
  const told = violations.flatMap((violation) => reasonsFor(violation, byKey.get(keyOf(violation)) ?? []));
  return [...new Map(told.map((violation) => [keyOf(violation), violation])).values()];
}

/** Kinds that keep a value's place and shape, so that an objection to the repaired value is one to the value itself. */
function isScalar(kind: RepairKind): boolean {
  return kind === 'integer' || kind === 'number' || kind === 'boolean';
}

function reasonsFor(violation: Violation, refusals: readonly Refusal[]): Violation[] {
  if (violation.branches !== undefined) return [withBranchReasons(violation, refusals)];
  for (const { plan, objections } of refusals) {
    const sites = plan.repairs.map(({ instanceLocation }) => instanceLocation);
    if (objections.every(({ instanceLocation }) => sites.includes(instanceLocation))) {
      return objections.map((objection) => asReceived(objection, violation, plan));
    }
  }
  return [violation];
}

/** Each branch says what it thinks of the value as that branch would have read it. */
function withBranchReasons(violation: Violation, refusals: readonly Refusal[]): Violation {
  const branches = [...(violation.branches ?? [])];
  for (const { plan, objections } of refusals) {
    const still = objections.find((objection) => keyOf(objection) === keyOf(violation))?.branches;
    if (still === undefined || still.length !== branches.length) continue;
    for (const index of plan.branches) {
      const reasons = still[index];
      if (reasons?.length) branches[index] = reasons.map((reason) => asReceived(reason, violation, plan));
    }
  }
  return { ...violation, branches };
}

/** The objection to a repaired value as one to the value that came, where it stands at the place of the repair. */
function asReceived(objection: Violation, origin: Violation, plan: Refusal['plan']): Violation {
  const repair = plan.repairs.find(({ instanceLocation }) => instanceLocation === objection.instanceLocation);
  if (repair === undefined) return objection;
  const original = [origin, ...(origin.branches ?? []).flat()].find(
    ({ instanceLocation }) => instanceLocation === repair.instanceLocation,
  );
  if (original === undefined) return objection;
  const expectedTypes = objection.expectedTypes ?? original.expectedTypes;
  return {
    ...objection,
    ...(expectedTypes && { expectedTypes }),
    received: original.received,
    message: messageAbout(objection, original),
  };
}

/** A message ends with what was received, unless the problem is told in words of its own. */
function messageAbout(objection: Violation, original: Violation): string {
  const end = `received ${receivedText(objection)}`;
  if (!objection.message.endsWith(end)) return `${objection.message}, received ${receivedText(original)}`;
  return `${objection.message.slice(0, -end.length)}received ${receivedText(original)}`;
}

function receivedText({ received: { type, text } }: Violation): string {
  return type === 'null' ? 'null' : `${type} ${text}`;
}
