import type { Violation } from './violation.js';
import { describe, place } from './violation.js';

/**
 * The violations worth telling: combinators replaced by what is wrong with the alternative that comes closest to
 * the arguments, duplicates dropped. One level: none of the violations returned needs its branches to be understood.
 */
export function leafViolations(violations: readonly Violation[]): Violation[] {
  const leaves = violations.flatMap((violation) => expand(violation));
  // The failed condition is only interesting where nothing is left of what `else` refused.
  const told = leaves.filter((violation) => violation.keyword !== 'if');
  const seen = new Set<string>();
  return (told.length > 0 ? told : leaves).filter(({ message }) => !seen.has(message) && seen.add(message));
}

function expand(violation: Violation): Violation[] {
  const { branches, keyword } = violation;
  if (!branches || (keyword !== 'anyOf' && keyword !== 'oneOf')) return [violation];
  if (branches.some((branch) => branch.length === 0)) return [violation];
  const expanded = branches.map((branch) => leafViolations(branch));
  const common = sharedDiscriminator(expanded);
  if (common) return [common];
  const closest = pick(violation, expanded);
  return closest ?? [violation];
}

/** The closest branch; none where every branch already refuses the type of the value itself. */
function pick(combinator: Violation, branches: readonly Violation[][]): Violation[] | undefined {
  let best: Violation[] | undefined;
  let least = rejection;
  for (const branch of branches) {
    const distance = distanceOf(combinator, branch);
    if (distance < least) {
      least = distance;
      best = branch;
    }
  }
  return best;
}

/** The type of the value itself is wrong: this alternative was not meant. */
const rejection = 1_000_000;

/** Another value is asked of a property: with tagged alternatives that tells which one was meant. */
const otherTag = 1000;

function distanceOf(combinator: Violation, branch: readonly Violation[]): number {
  let distance = 0;
  for (const { instanceLocation, keyword } of branch) {
    const here = instanceLocation === combinator.instanceLocation;
    if (here && (keyword === 'type' || keyword === 'false')) return rejection;
    if (!here && (keyword === 'const' || keyword === 'enum')) distance += otherTag;
    // What is wrong within a member weighs less than what is wrong with the value: more of the alternative fits.
    distance += here ? 2 : 1;
  }
  return distance;
}

/** Where every alternative asks another value of the same member, all these values together are the answer. */
function sharedDiscriminator(branches: readonly Violation[][]): Violation | undefined {
  const [first, ...others] = branches;
  if (!first || others.length === 0) return undefined;
  for (const candidate of first) {
    if (candidate.keyword !== 'const' && candidate.keyword !== 'enum') continue;
    const same = branches.map((branch) =>
      branch.find(
        ({ instanceLocation, keyword }) =>
          instanceLocation === candidate.instanceLocation && (keyword === 'const' || keyword === 'enum'),
      ),
    );
    if (same.every((violation) => violation !== undefined)) return together(candidate, same);
  }
  return undefined;
}

function together(first: Violation, violations: readonly Violation[]): Violation {
  const phrases = [...new Set(violations.map(({ expected }) => expected.replace(/^one of /, '')))];
  if (phrases.length === 1) return first;
  const expected = `one of ${phrases.join(', ')}`;
  const types = [...new Set(violations.flatMap(({ expectedTypes }) => expectedTypes ?? []))];
  return {
    ...first,
    expected,
    expectedTypes: types,
    message: `${place(first.instanceLocation)}: must be ${expected}, received ${describe(first.received)}`,
  };
}
