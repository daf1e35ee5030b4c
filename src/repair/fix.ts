import { pointerToken } from '../json/index.js';
import type { Refusal } from '../schema/index.js';
import { isWithin, placeAfter, withHolders } from './apply.js';
import { costOf } from './candidates/candidates.js';
import type { Repair } from './options.js';

/** Repairs that together settle what is refused at one location. */
export interface Fix {
  readonly repairs: readonly Repair[];
  readonly cost: number;
  /** Whether something else may be meant as well: then it is not made. */
  readonly isTied: boolean;
}

export interface Repaired {
  readonly value: unknown;
  readonly repairs: readonly Repair[];
  readonly isValid: boolean;
}

export interface Given {
  readonly args: unknown;
  readonly refusals: readonly Refusal[];
}

export function fixOf(repairs: readonly Repair[], isTied = false): Fix {
  return { repairs, cost: repairs.reduce((sum, { kind, to }) => sum + costOf(kind, to), 0), isTied };
}

/** All fixes as one, or an envelope alone. Names come last, so that locations still hold; of two values for one location, the first. */
export function mergeFixes(fixes: readonly Fix[]): Fix {
  const wrapper = fixes.find(({ repairs }) => repairs[0]?.kind === 'wrapper');
  if (wrapper) return wrapper;
  const isNamed = ({ repairs }: Fix) => repairs[0]?.kind === 'name';
  const keys = new Map<string, string>();
  const merged: Repair[] = [];
  for (const { repairs } of [...fixes.filter((fix) => !isNamed(fix)), ...fixes.filter(isNamed)]) {
    const added = repairs.filter((each) => !isScalar(each.to) || keys.get(each.instanceLocation) !== repairKey(each));
    if (added.some(({ instanceLocation }) => keys.has(instanceLocation))) continue;
    for (const each of added) keys.set(each.instanceLocation, repairKey(each));
    merged.push(...added);
  }
  return fixOf(
    merged,
    fixes.some(({ isTied }) => isTied),
  );
}

export function repairKey({ instanceLocation, kind, to }: Repair): string {
  return `${kind} ${isScalar(to) ? JSON.stringify(to) : ''} ${instanceLocation}`;
}

function isScalar(value: unknown): boolean {
  return value !== undefined && value !== null && typeof value !== 'object';
}

/** The fixes that may have brought up refusals: of the members they name, else within or around them, else any. */
export function blamedFixes(fixes: readonly Fix[], refusals: readonly Refusal[]): readonly Fix[] {
  const members = new Set<string>();
  const places = new Set<string>();
  for (const { violation } of refusals) {
    const { instanceLocation, property } = violation;
    places.add(instanceLocation);
    if (property !== undefined) members.add(`${instanceLocation}/${pointerToken(property)}`);
  }
  const holders = new Set([...places].flatMap(withHolders));
  const isNear = (place: string) => holders.has(place) || withHolders(place).some((each) => places.has(each));
  const touching = (isSo: (place: string) => boolean) =>
    fixes.filter(({ repairs }) => repairs.some((each) => isSo(each.instanceLocation) || isSo(placeAfter(each))));
  return [touching((place) => members.has(place)), touching(isNear)].find(({ length }) => length > 0) ?? fixes;
}

/** The other repairs, but for those within the results of the dropped one, or made of it. */
export function withoutRepairs(repairs: readonly Repair[], dropped: readonly Repair[]): Repair[] {
  const left = new Set(dropped);
  const gone: Repair[] = [];
  return repairs.filter((repair) => {
    if (left.has(repair)) gone.push(repair);
    return !left.has(repair) && !gone.some((former) => isMadeOf(repair, former));
  });
}

function isMadeOf({ instanceLocation, kind }: Repair, former: Repair): boolean {
  const place = placeAfter(former);
  return isWithin(instanceLocation, place) || (kind !== 'name' && isWithin(place, instanceLocation));
}
