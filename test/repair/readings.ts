import { canonicalText, isObject } from '../../src/json/index.js';
import type { RepairKind } from '../../src/repair/index.js';
import { repairKinds } from '../../src/repair/options.js';

/** The kinds whose readings can be listed without the schema. */
const kinds = ['integers', 'numbers', 'booleans', 'strings', 'decimals', 'lists', 'singletons'];

export const listedKinds = { integers: false, ...Object.fromEntries(kinds.map((kind) => [kind, true])) };

interface Reading {
  readonly value: unknown;
  readonly cost: number;
}

/** By trying them all: the valid arguments that presume least; undefined where there are too many to try. */
export function cheapestReadings(args: unknown, accepts: (value: unknown) => boolean): unknown[] | undefined {
  const readings = readingsOf(args, false);
  if (readings.length > most) return undefined;
  readings.sort((left, right) => left.cost - right.cost);
  const least = readings.find(({ value, cost }) => cost > 0 && accepts(value))?.cost;
  const cheapest = readings.filter(({ value, cost }) => cost === least && accepts(value));
  return [...new Map(cheapest.map(({ value }) => [canonicalText(value), value])).values()];
}

/** Readings tried at most. */
const most = 1_000;

/** Repairs of repaired values at one place. */
const maxChain = 2;

/** Everything that a value may stand for, itself first, whatever a schema asks for. */
function readingsOf(value: unknown, isMember: boolean, chain = 0): Reading[] {
  const changed = [...changesOf(value, isMember)].map(([kind, to]) => ({ to, cost: costOf(kind) }));
  const further = chain < maxChain ? changed : [];
  const readings = [
    ...withInner(value),
    ...further.flatMap(({ to, cost }) =>
      readingsOf(to, isMember, chain + 1).map((reading) => ({ value: reading.value, cost: cost + reading.cost })),
    ),
  ];
  return readings.slice(0, most + 1);
}

function withInner(value: unknown): Reading[] {
  if (typeof value !== 'object' || value === null) return [{ value, cost: 0 }];
  const isMember = !Array.isArray(value);
  let readings: { entries: [string, unknown][]; cost: number }[] = [{ entries: [], cost: 0 }];
  for (const [name, member] of Object.entries(value)) {
    const inner = readingsOf(member, isMember);
    readings = readings
      .flatMap(({ entries, cost }) =>
        inner.map((reading) => ({
          entries: [...entries, [name, reading.value] as [string, unknown]],
          cost: cost + reading.cost,
        })),
      )
      .slice(0, most + 1);
  }
  return readings.map(({ entries, cost }) => ({
    value: isMember ? Object.fromEntries(entries) : entries.map(([, item]) => item),
    cost,
  }));
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
  if (typeof value === 'boolean' || typeof value === 'number') {
    yield [Number.isInteger(value) || typeof value === 'boolean' ? 'string' : 'decimal', String(value)];
  }
  const isSingle = typeof value === 'string' ? !/^(?:$|null$|\[|\{|.*,)/.test(value) : typeof value !== 'object';
  if (isMember && (isSingle || isObject(value))) yield ['singleton', [value]];
  if (Array.isArray(value) && value.length === 1 && typeof value[0] !== 'object') yield ['list', value[0]];
}
