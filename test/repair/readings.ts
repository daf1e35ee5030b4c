import { canonicalText, isObject, jsonPointer } from '../../src/json/index.js';
import type { CompiledSchema } from '../../src/schema/compile/compile.js';
import { evaluate, type Evaluation } from '../../src/schema/evaluate/evaluate.js';
import type { Expectation } from '../../src/schema/violations/expectation.js';
import type { Violation } from '../../src/schema/violations/violation.js';
import { type RepairKind, repairKinds } from '../../src/repair/options.js';

/** The kinds of repair whose readings can be listed without the schema. */
export const listedKinds = 'integers,numbers,booleans,strings,decimals,lists,singletons';

interface Change {
  readonly path: readonly string[];
  readonly from: unknown;
  readonly kind: RepairKind;
}

interface Reading {
  readonly value: unknown;
  readonly cost: number;
  readonly changes: readonly Change[];
}

/**
 * The cheapest valid arguments that change no value of an accepted type, found by trying all; undefined if there are
 * too many.
 */
export function cheapestReadings(args: unknown, compiled: CompiledSchema): unknown[] | undefined {
  const accepts = (value: unknown) => evaluate(compiled, value, { budget: { violations: 1 } }).outcome === 'valid';
  const readings = readingsOf(args, []);
  if (readings.length > most) return undefined;
  readings.sort((left, right) => left.cost - right.cost);
  const isLawful = ({ value, changes }: Reading) =>
    changes.every(
      ({ path, from, kind }) =>
        isAskedFor(
          typeof from === 'boolean' && kind === 'string' ? String(from) : undefined,
          path,
          evaluate(compiled, withValueAt(value, path, from)),
        ) && !samplesLike(from).some((sample) => accepts(withValueAt(value, path, sample))),
    );
  const cheapest: Reading[] = [];
  for (const reading of readings) {
    if (reading.cost > (cheapest[0]?.cost ?? Infinity)) break;
    if (reading.cost > 0 && accepts(reading.value) && isLawful(reading)) cheapest.push(reading);
  }
  return [...new Map(cheapest.map(({ value }) => [canonicalText(value), value])).values()];
}

/** True if a schema asks for another type or other values at a place; with `value`, only if it lists this value. */
function isAskedFor(value: string | undefined, path: readonly string[], evaluation: Evaluation): boolean {
  const isFor = (expectation: Expectation) =>
    expectation.kind === 'values' ? value === undefined || expectation.values.includes(value) : value === undefined;
  const isAsked = ({ instanceLocation, keyword, expectation, branches = [] }: Violation): boolean =>
    (instanceLocation === jsonPointer(path) && ['type', 'enum', 'const'].includes(keyword) && isFor(expectation)) ||
    branches.flat().some(isAsked);
  return evaluation.outcome === 'invalid' && evaluation.violations.some(isAsked);
}

/** The most readings that are tried. */
const most = 1_000;

/** The most repairs of one place, each of the one before. */
const maxChain = 2;

const samples: readonly unknown[] = [
  ...['', 'x', '1', '2', 'true', 0, 1, 2, 7, -1, 1.5, true, false, [], [1], ['1'], [1, 2], ['x', 'x'], [true, true]],
  ...[['true', 'true', 1], [[1]], {}],
];

/** Values of the same JSON type. */
function samplesLike(value: unknown): readonly unknown[] {
  const sort = (each: unknown) => (Array.isArray(each) ? 'array' : typeof each);
  return samples.filter((sample) => sort(sample) === sort(value));
}

function withValueAt(value: unknown, [key, ...rest]: readonly string[], replacement: unknown): unknown {
  if (key === undefined) return replacement;
  if (typeof value !== 'object' || value === null) return value;
  const member = withValueAt((value as Record<string, unknown>)[key], rest, replacement);
  return Array.isArray(value) ? value.with(Number(key), member) : { ...value, [key]: member };
}

/** Every reading of a value, the value itself first, independent of the schema. */
function readingsOf(value: unknown, path: readonly string[], chain = 0, before?: RepairKind): Reading[] {
  const isMember = path.length > 0 && !/^\d+$/.test(path.at(-1) ?? '');
  // A number that became a string is not read back, and an item taken out of a list does not become a string.
  const isText = (kind?: RepairKind) => kind === 'string' || kind === 'decimal';
  const changes = chain < maxChain && !isText(before) ? [...changesOf(value, isMember)] : [];
  const changed = changes.filter(([kind]) => before !== 'list' || !isText(kind));
  const readings = [
    ...withInner(value, path),
    ...changed.flatMap(([kind, to]) =>
      readingsOf(to, path, chain + 1, kind).map((reading) => ({
        value: reading.value,
        cost: costOf(kind) + reading.cost,
        changes: [{ path, from: value, kind }, ...reading.changes],
      })),
    ),
  ];
  return readings.slice(0, most + 1);
}

function withInner(value: unknown, path: readonly string[]): Reading[] {
  let readings: Reading[] = [{ value, cost: 0, changes: [] }];
  for (const [name, member] of typeof value === 'object' && value !== null ? Object.entries(value) : []) {
    const inner = readingsOf(member, [...path, name]);
    const withMember = (outer: Reading, each: Reading): Reading => ({
      value: withValueAt(outer.value, [name], each.value),
      cost: outer.cost + each.cost,
      changes: [...outer.changes, ...each.changes],
    });
    readings = readings.flatMap((outer) => inner.map((each) => withMember(outer, each))).slice(0, most + 1);
  }
  return readings;
}

function costOf(kind: RepairKind): number {
  const isGuess = ['string', 'decimal', 'list', 'singleton'].includes(kind);
  return 1000 + repairKinds.indexOf(isGuess ? 'singleton' : kind);
}

function* changesOf(value: unknown, isMember: boolean): Generator<[RepairKind, unknown]> {
  if (typeof value === 'string') {
    if (/^(?:0|-?[1-9]\d*)$/.test(value)) yield ['integer', Number(value)];
    if (/^\d\.\d$/.test(value)) yield ['number', Number(value)];
    if (value === 'true') yield ['boolean', true];
  }
  // A boolean becomes a string only if an enum lists that string.
  if (typeof value === 'number' || value === true) {
    yield [typeof value === 'boolean' || Number.isInteger(value) ? 'string' : 'decimal', String(value)];
  }
  const isSingle = typeof value === 'string' ? !/^(?:$|null$|\[|\{|.*,)/.test(value) : typeof value !== 'object';
  if (isMember && (isSingle || isObject(value))) yield ['singleton', [value]];
  if (Array.isArray(value) && value.length === 1 && typeof value[0] !== 'object') yield ['list', value[0]];
}
