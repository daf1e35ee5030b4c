import { describe, expect, test } from 'vitest';
import { canonicalText, isObject } from '../../src/json/index.js';
import { repairArguments, type RepairKind } from '../../src/repair/index.js';
import { repairKinds } from '../../src/repair/options.js';
import { compileSchema, evaluate } from '../../src/schema/index.js';
import { fc } from '../../test-support/fuzz.js';
import type { Schema } from './generated.js';

const values: readonly unknown[] = ['1', '2', 'true', 1, 2, true, ['1', '2'], ['1', 2], ['true', 'true', '1'], [1]];

const names = ['a', 'b', 'c'];

const leaves: readonly Schema[] = [
  ...[{ type: 'integer' }, { type: 'string' }, { type: 'boolean' }, { type: 'number', minimum: 2 }],
  ...[{ type: ['string', 'array'] }, { enum: ['1', 2] }, { enum: [1, 'true'] }],
  ...[
    { type: 'array', items: { type: 'string' } },
    { type: 'array', items: { type: 'integer' } },
  ],
  ...[
    { type: 'array', contains: { type: 'integer' } },
    { type: 'array', contains: { type: 'boolean' }, minContains: 2 },
  ],
];

/** A schema that refuses the value, with one alternative or several. */
function refusing(value: unknown): fc.Arbitrary<Schema> {
  const leaf = fc.constantFrom(...leaves.filter((schema) => outcomeOf(schema, value) === 'invalid'));
  const branches = (keyword: string, of: fc.Arbitrary<Schema>) =>
    fc.array(of, { minLength: 2, maxLength: 3 }).map((schemas): Schema => ({ [keyword]: schemas }));
  const either = fc.oneof(branches('anyOf', leaf), branches('oneOf', leaf));
  return fc.oneof(leaf, either, branches('anyOf', fc.oneof(leaf, either)));
}

/** Two arguments, of which either or both are refused. */
const choosingCalls = fc
  .tuple(fc.constantFrom(...values), fc.constantFrom(...values))
  .chain(([a, b]) =>
    fc
      .record({ a: refusing(a), b: refusing(b) })
      .chain((properties) =>
        fc.tuple(
          fc.constantFrom<Schema>(
            { properties },
            { anyOf: [{ properties: { a: properties.a } }, { properties: { b: properties.b } }] },
            { oneOf: [{ properties: { a: properties.a } }, { properties }] },
            { dependentSchemas: { a: { properties } } },
            { patternProperties: { a: properties.a }, additionalProperties: properties.b },
            { properties: { a: properties.a }, unevaluatedProperties: properties.b, type: 'object' },
          ),
          fc.constant({ a, b }),
        ),
      ),
  );

/** Several choices about the same arguments, or about one of them, which only one reading of the whole may satisfy. */
const jointlyChoosingCalls = fc.tuple(...names.map(() => fc.constantFrom(...values))).chain((given) => {
  const member = fc
    .constantFrom(...names)
    .chain((name) => fc.constantFrom(...leaves).map((leaf) => ({ [name]: leaf })));
  const properties = fc
    .array(member, { minLength: 1, maxLength: 2 })
    .map((members): Schema => ({ properties: Object.assign({}, ...members) as Schema }));
  const choiceOf = (branch: fc.Arbitrary<Schema>) =>
    fc
      .tuple(fc.constantFrom('anyOf', 'anyOf', 'oneOf'), fc.array(branch, { minLength: 2, maxLength: 3 }))
      .map(([keyword, branches]): Schema => ({ [keyword]: branches }));
  const choices = (branch: fc.Arbitrary<Schema>) =>
    fc
      .tuple(choiceOf(branch), choiceOf(branch), branch)
      .chain(([first, second, other]) =>
        fc.constantFrom(
          first,
          { allOf: [first, second] },
          { allOf: [first, other] },
          { allOf: [other, second] },
          Object.assign<Schema, Schema, Schema>({}, first, second),
          { anyOf: [first, second] },
          { oneOf: [first, other] },
          { anyOf: [{ allOf: [first, second] }, other] },
          { if: first, else: other },
        ),
      );
  const ofOne = choices(fc.constantFrom(...leaves)).map((schema): Schema => ({ properties: { a: schema } }));
  const args = Object.fromEntries(names.map((name, index) => [name, given[index]]));
  return fc.tuple(fc.oneof(choices(properties), ofOne, choices(fc.oneof(properties, ofOne))), fc.constant(args));
});

/** The kinds whose readings can be listed without the schema. */
const kinds = ['integers', 'numbers', 'booleans', 'strings', 'decimals', 'lists', 'singletons'];
const choice = { integers: false, ...Object.fromEntries(kinds.map((kind) => [kind, true])) };

describe('what is ambiguous is not repaired', () => {
  test.each([
    ['wherever the choice lies', choosingCalls, { numRuns: 800, repaired: 75, ambiguous: 100 }],
    ['however many choices there are', jointlyChoosingCalls, { numRuns: 2_000, repaired: 75, ambiguous: 100 }],
  ])('%s: no other set of repairs presumes as little and makes something else valid', (_, calls, least) => {
    const seen = { repaired: 0, ambiguous: 0 };
    fc.assert(
      fc.property(calls, ([schema, args]) => {
        const compiled = compileSchema(schema);
        if (outcomeOf(schema, args) !== 'invalid') return;
        const readings = cheapestReadings(args, (value) => evaluate(compiled, value).outcome === 'valid');
        if (!readings) return;
        const { arguments: repaired, evaluation } = repairArguments(compiled, args, choice);
        if (readings.length > 1) seen.ambiguous++;
        if (evaluation.outcome !== 'valid') return;
        seen.repaired++;
        expect(readings.map((reading) => canonicalText(reading))).toEqual([canonicalText(repaired)]);
      }),
      { numRuns: least.numRuns },
    );
    expect(seen.repaired).toBeGreaterThan(least.repaired);
    expect(seen.ambiguous).toBeGreaterThan(least.ambiguous);
  });
});

function outcomeOf(schema: unknown, value: unknown): string {
  return evaluate(compileSchema(schema), value).outcome;
}

interface Reading {
  readonly value: unknown;
  readonly cost: number;
}

/** By trying them all: the valid arguments that presume least; undefined where there are too many to try. */
function cheapestReadings(args: unknown, accepts: (value: unknown) => boolean): unknown[] | undefined {
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
