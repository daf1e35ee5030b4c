import { isWithin, withHolders } from '../json/index.js';
import type { Refusal } from '../schema/index.js';
import { placeAfter } from './apply.js';
import { costOf } from './candidates/candidates.js';
import type { Repair } from './options.js';

/*
 * The words of this folder, by an example: {"limit": "10"} for {"limit": {"anyOf": [{"type": "integer"}, {"const": "all"}]}}.
 *
 * - A refusal is what one schema refuses of one value: "10" is neither alternative.
 * - A branch is one alternative (or the whole schema), with its problems: to the first, "10" has the wrong type.
 * - A problem is the refusals that are settled together, usually all of one value.
 * - A candidate is a repair that may settle a problem: "10" becomes 10.
 * - A fix is one or more repairs that do settle it, as an evaluation has shown.
 * - Fixes are tied if they cost the same and give different values: it is unknown which is meant, and none is made.
 * - A refusal is open if it does not show what is meant: an unknown alternative, or any item of a list.
 */

/** The problems of the whole schema, or of one alternative: it accepts the value once all of them are fixed. */
export interface Branch {
  /** True if this branch may be meant whatever is fixed: its refusals are unknown, or one of them is open. */
  readonly isOpen: boolean;
  readonly problems: readonly Problem[];
  /** The problems at a location. */
  at(location: string): readonly Problem[];
  /** The cheapest ways to fix all problems: several if the only problem has several. */
  readonly fixes: () => readonly Fix[];
}

/** Refusals that are settled together, and the ways to settle them. */
export interface Problem {
  readonly location: string;
  readonly refusals: readonly [Refusal, ...Refusal[]];
  /** The declared names of misspelt members: if there are any, no other value is tried. */
  readonly renames: readonly Repair[];
  /** The branches of each union that refuses the value. */
  readonly unions: () => readonly (readonly Branch[])[];
  /** The cheapest first. */
  readonly fixes: () => readonly Fix[];
}

/** Repairs that together settle a problem. */
export interface Fix {
  readonly repairs: readonly Repair[];
  readonly cost: number;
  /** True if something else may be meant as well: then this fix is not made. */
  readonly isTied: boolean;
}

export function fixOf(repairs: readonly Repair[], isTied = false): Fix {
  return { repairs, cost: repairs.reduce((sum, repair) => sum + costOf(repair), 0), isTied };
}

/**
 * Merges fixes into one. A wrapper is taken off alone, as all other locations change with it. Names go last, so that
 * locations stay valid. Of fixes that collide the first is made; the others wait for a further round.
 */
export function mergeFixes(fixes: readonly Fix[]): Fix {
  const wrapper = fixes.find(({ repairs }) => repairs[0]?.kind === 'wrapper');
  if (wrapper) return wrapper;
  const isName = ({ repairs }: Fix) => repairs[0]?.kind === 'name';
  const taken = new Set<string>();
  const holders = new Set<string>();
  const merged: Repair[] = [];
  // A repair within a value that another fix replaces, or names anew, would be written into another value.
  const collides = ({ kind, instanceLocation }: Repair) =>
    (kind !== 'name' && holders.has(instanceLocation)) ||
    withHolders(instanceLocation).some((holder) => taken.has(holder));
  for (const { repairs } of [...fixes.filter((fix) => !isName(fix)), ...fixes.filter(isName)]) {
    if (!repairs.some(collides)) merged.push(...repairs);
    for (const { kind, instanceLocation } of repairs) {
      taken.add(instanceLocation);
      if (kind !== 'name') for (const holder of withHolders(instanceLocation)) holders.add(holder);
    }
  }
  const isTied = fixes.some((fix) => fix.isTied);
  return fixOf(merged, isTied);
}

/**
 * Takes one repair out, and the later ones that need it: those within the value that it made, and those that replace a
 * value around it. A renamed member around it needs nothing of it.
 */
export function withoutRepair(repairs: readonly Repair[], dropped: Repair): readonly Repair[] {
  const made = placeAfter(dropped);
  const index = repairs.indexOf(dropped);
  if (index < 0) return repairs;
  const needsIt = ({ instanceLocation, kind }: Repair) =>
    isWithin(instanceLocation, made) || (kind !== 'name' && isWithin(made, instanceLocation));
  return repairs.filter((repair, at) => at < index || (at > index && !needsIt(repair)));
}
