import { pointerToken } from '../json/index.js';
import { type Refusal, typesOfValues } from '../schema/index.js';
import { isWithin, placeAfter, withHolders } from './apply.js';
import { costOf, wantsTypeOf } from './candidates/candidates.js';
import type { Repair } from './options.js';

export interface Fix {
  readonly repairs: readonly Repair[];
  readonly cost: number;
  readonly isTied: boolean;
}

export function fixOf(repairs: readonly Repair[], isTied = false): Fix {
  return { repairs, cost: repairs.reduce((sum, { kind, to }) => sum + costOf(kind, to), 0), isTied };
}

export function cheapest([first]: readonly Fix[]): Fix | undefined {
  return first?.isTied ? undefined : first;
}

export function withoutCheapest(fixes: readonly Fix[]): readonly Fix[] {
  return cheapest(fixes) ? fixes.slice(1) : fixes;
}

/** All together, or an envelope alone: names last, so that places within are found; of two for one place the first. */
export function joined(fixes: readonly Fix[]): Fix {
  const isOf = (fix: Fix, kind: Repair['kind']) => fix.repairs[0]?.kind === kind;
  const only = fixes.length === 1 ? fixes[0] : fixes.find((fix) => isOf(fix, 'wrapper'));
  if (only) return only;
  const made = new Map<string, string>();
  const repairs: Repair[] = [];
  for (const fix of [...fixes.filter((each) => !isOf(each, 'name')), ...fixes.filter((each) => isOf(each, 'name'))]) {
    const isMade = (each: Repair) => isScalar(each.to) && made.get(each.instanceLocation) === repairKey(each);
    const added = fix.repairs.filter((each) => !isMade(each));
    if (added.some(({ instanceLocation }) => made.has(instanceLocation))) continue;
    for (const each of added) made.set(each.instanceLocation, repairKey(each));
    repairs.push(...added);
  }
  const isTied = fixes.some((fix) => fix.isTied);
  return fixOf(repairs, isTied);
}

export function repairKey({ instanceLocation, kind, to }: Repair): string {
  return `${kind} ${isScalar(to) ? JSON.stringify(to) : ''} ${instanceLocation}`;
}

/** The members that are missing or unwanted now because they were repaired. */
export function memberPlaces(fresh: readonly Refusal[], repairs: readonly Repair[]): ReadonlySet<string> {
  const repaired = new Set(repairs.flatMap((each) => [each.instanceLocation, placeAfter(each)]));
  const members = fresh.flatMap(({ violation: { instanceLocation, property } }) =>
    property === undefined ? [] : [`${instanceLocation}/${pointerToken(property)}`],
  );
  return new Set(members.filter((each) => repaired.has(each)));
}

export function isAt(fix: Fix | undefined, places: ReadonlySet<string>, holders?: ReadonlySet<string>): boolean {
  const repaired = fix?.repairs.flatMap((repair) => [repair.instanceLocation, placeAfter(repair)]) ?? [];
  return repaired.some(
    (location) => holders?.has(location) === true || withHolders(location).some((place) => places.has(place)),
  );
}

/** The others, without what was repaired within the results of these, or made of them. */
export function without(repairs: readonly Repair[], dropped: readonly Repair[]): Repair[] {
  const others = new Set(dropped);
  const before: Repair[] = [];
  return repairs.filter((repair) => {
    const isKept = !others.has(repair) && !before.some((each) => isMadeOf(repair, each));
    if (others.has(repair)) before.push(repair);
    return isKept;
  });
}

function isMadeOf(repair: Repair, former: Repair): boolean {
  const { instanceLocation, kind } = repair;
  const place = placeAfter(former);
  return isWithin(instanceLocation, place) || (kind !== 'name' && isWithin(place, instanceLocation));
}

export function isScalar(value: unknown): boolean {
  return value !== undefined && value !== null && typeof value !== 'object';
}

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
