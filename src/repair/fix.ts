import { isWithin, withHolders } from '../json/index.js';
import type { Refusal } from '../schema/index.js';
import { placeAfter } from './apply.js';
import { costOf } from './candidates/candidates.js';
import type { Repair } from './options.js';

/** The problems of the whole schema, or of one branch of a union: it accepts the value once all of them are fixed. */
export interface Branch {
  /** True if the branch may be the intended one whatever is fixed: its refusals are unknown, or left open. */
  readonly isOpen: boolean;
  readonly problems: readonly Problem[];
  /** The problems at a location. */
  at(location: string): readonly Problem[];
  /** The cheapest ways to fix all problems: several if the only problem has several. */
  readonly fixes: () => readonly Fix[];
}

/** The refusals at one location, and their fixes. */
export interface Problem {
  readonly location: string;
  readonly refusals: readonly [Refusal, ...Refusal[]];
  /** The branches of each union that refuses the value. */
  readonly unions: () => readonly (readonly Branch[])[];
  /** The cheapest first. */
  readonly fixes: () => readonly Fix[];
}

/** Repairs that together settle a problem. */
export interface Fix {
  readonly repairs: readonly Repair[];
  readonly cost: number;
  /** True if another fix may be meant as well: then this one is not made. */
  readonly isTied: boolean;
}

export function fixOf(repairs: readonly Repair[], isTied = false): Fix {
  return { repairs, cost: repairs.reduce((sum, repair) => sum + costOf(repair), 0), isTied };
}

/**
 * Merges fixes into one. A wrapper fix excludes all others; renames go last, so that locations stay valid; the first fix
 * for a location wins, and the others' problems are fixed in a further round.
 */
export function mergeFixes(fixes: readonly Fix[]): Fix {
  const wrapper = fixes.find(({ repairs }) => repairs[0]?.kind === 'wrapper');
  if (wrapper) return wrapper;
  const isName = ({ repairs }: Fix) => repairs[0]?.kind === 'name';
  const taken = new Set<string>();
  const holders = new Set<string>();
  const merged: Repair[] = [];
  // A repair within a value that another fix replaces would be written into the replacement.
  const collides = ({ kind, instanceLocation }: Repair) =>
    kind === 'name'
      ? taken.has(instanceLocation)
      : holders.has(instanceLocation) || withHolders(instanceLocation).some((place) => taken.has(place));
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

/** Removes one repair and every repair that depends on it. */
export function withoutRepair(repairs: readonly Repair[], dropped: Repair): readonly Repair[] {
  const place = placeAfter(dropped);
  const index = repairs.indexOf(dropped);
  const dependsOnIt = ({ instanceLocation, kind }: Repair) =>
    isWithin(instanceLocation, place) || (kind !== 'name' && isWithin(place, instanceLocation));
  return repairs.filter((repair, at) => at < index || (at > index && !dependsOnIt(repair)));
}
