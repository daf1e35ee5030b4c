import { describe, expect, test, vi } from 'vitest';
import type { RepairChoice } from '../../src/repair/options.js';
import { repairArguments } from '../../src/repair/repair.js';
import { compileSchema } from '../../src/schema/compile/compile.js';
import { Refusals } from '../../src/schema/evaluate/refusals.js';

const string = { type: 'string' };
const integer = { type: 'integer' };
const list = (items: unknown) => ({ type: 'array', items });
const optional = (schema: unknown) => ({ anyOf: [schema, { type: 'null' }] });
const rowsOf = (rows: unknown) => ({ type: 'object', properties: { rows } });
const times = <Value>(count: number, of: (index: number) => Value) => Array.from({ length: count }, (_, at) => of(at));
const members = (count: number, name: (index: number) => string, value: (index: number) => unknown) =>
  Object.fromEntries(times(count, (at) => [name(at), value(at)]));

const wide = {
  type: 'object',
  properties: members(
    20,
    (at) => `p${at}`,
    () => string,
  ),
};
const nulls = (count: number) =>
  times(count, () =>
    members(
      20,
      (at) => `p${at}`,
      () => null,
    ),
  );
const tagged = ['a', 'b', 'c'].map((kind) => ({
  properties: { kind: { const: kind }, n: integer, [kind]: integer },
  required: ['kind', kind],
}));
const kindAt = (at: number) => 'abc'.charAt(at % 3);
const camel = (at: number) => `someName${at}x`;
const snake = (at: number) => `some_name_${at}x`;
const letter = (at: number) => camel(at).replace('N', '_n');
const enumOf = (count: number) => ({ enum: times(count, (id) => ({ id, of: { list: [id] } })) });

interface Call {
  readonly schema: object;
  readonly args: unknown;
  readonly choice?: RepairChoice;
}

/** The steps of all attempts, the copies that are made for them among them. */
function stepsOf({ schema, args, choice = 'safe' }: Call): number {
  let steps = 0;
  const { consume, of, again } = Refusals.prototype;
  const counted = new Set<Refusals>();
  vi.spyOn(Refusals.prototype, 'consume').mockImplementation(function (this: Refusals, taken) {
    counted.add(this);
    return consume.call(this, taken);
  });
  vi.spyOn(Refusals.prototype, 'of').mockImplementation(function (this: Refusals, instance) {
    counted.add(this);
    return of.call(this, instance);
  });
  expect(again).toBeTypeOf('function');
  repairArguments(compileSchema(schema), args, choice);
  vi.restoreAllMocks();
  for (const { consumed } of counted) steps += consumed;
  return steps;
}

describe('eight times as many malformed arguments take at most ten times the steps', () => {
  test.each<[what: string, least: number, call: (count: number) => Call]>([
    ['nulls in rows', 3, (count) => ({ schema: rowsOf(list(wide)), args: { rows: nulls(count) } })],
    ['nulls in rows', 25, (count) => ({ schema: rowsOf(list(wide)), args: { rows: nulls(count) } })],
    [
      'nulls in optional rows of an optional list',
      5,
      (count) => ({ schema: rowsOf(optional(list(optional(wide)))), args: { rows: nulls(count) } }),
    ],
    [
      'nulls in rows of a text',
      5,
      (count) => ({ schema: rowsOf(list(wide)), args: { rows: JSON.stringify(nulls(count)) } }),
    ],
    [
      'nulls in rows of an envelope',
      5,
      (count) => ({
        schema: { ...rowsOf(list(wide)), required: ['rows'] },
        args: { arguments: { rows: nulls(count) } },
      }),
    ],
    [
      'nulls beside what cannot be repaired',
      5,
      (count) => ({ schema: { ...rowsOf(list(wide)), required: ['other'] }, args: { rows: nulls(count) } }),
    ],
    [
      'texts of integers in tagged rows',
      10,
      (count) => ({
        schema: rowsOf(list({ oneOf: tagged })),
        args: { rows: times(count, (at) => ({ kind: kindAt(at), n: '1', [kindAt(at)]: '2' })) },
      }),
    ],
    [
      'rows that are texts',
      10,
      (count) => ({
        schema: rowsOf(list({ type: 'object', properties: { a: integer } })),
        args: { rows: times(count, () => '{"a":"1"}') },
      }),
    ],
    [
      'rows, every other one of which cannot be repaired',
      20,
      (count) => ({
        schema: rowsOf(list({ properties: { a: integer } })),
        args: { rows: times(count, (at) => ({ a: at % 2 === 0 ? 'x' : '1' })) },
      }),
    ],
    [
      'rows that are refused in both notations',
      20,
      (count) => ({
        schema: rowsOf(list({ properties: { a: { type: 'integer', minimum: 0 } } })),
        args: { rows: times(count, () => ({ a: '-1' })) },
      }),
    ],
    [
      'names of members',
      1000,
      (count) => ({
        schema: { properties: members(count, snake, () => integer), additionalProperties: false },
        args: members(count, camel, () => '1'),
      }),
    ],
    [
      'names that are required',
      1000,
      (count) => ({
        schema: { properties: members(count, snake, () => string), required: times(count, snake) },
        args: members(count, letter, () => 'x'),
      }),
    ],
    ['values of a long enum', 2500, (count) => ({ schema: { items: enumOf(count) }, args: ['{"id":-1}', '{}'] })],
    [
      'rows of a long enum',
      10,
      (count) => ({
        schema: { items: { enum: times(20_000, (at) => `V${at}`) } },
        args: times(count, (at) => `v${at}`),
      }),
    ],
    [
      'single values for lists',
      20,
      (count) => ({
        schema: rowsOf(list({ properties: { a: list(string) } })),
        args: { rows: times(count, () => ({ a: 'x' })) },
        choice: 'all',
      }),
    ],
    ['levels of lists', 5, (count) => ({ schema: deep(count, list, integer), args: deep(count, (it) => [it], '1') })],
  ])('%s, %i of them', (_, least, call) => {
    expect(stepsOf(call(8 * least))).toBeLessThanOrEqual(10 * stepsOf(call(least)));
  });
});

function deep(levels: number, wrap: (inner: unknown) => object, innermost: unknown): object {
  return times(levels, () => wrap).reduce<unknown>((inner, each) => each(inner), innermost) as object; // wrapped once
}
