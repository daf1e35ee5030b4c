import { beforeEach, describe, expect, test, vi } from 'vitest';
import { repairArguments } from '../../src/repair/repair.js';
import { Refusals } from '../../src/schema/evaluate/refusals.js';
import { compileSchema } from '../../src/schema/compile/compile.js';
import { defaultBudget } from '../../src/schema/evaluate/budget.js';
import { evaluateCounting } from '../../test-support/counted.js';

/** The evaluations and steps of all attempts of a repair, independent of the clock. */
const spent = { evaluations: 0, steps: 0 };

const integer = { type: 'integer' };
/** Pydantic writes an optional value like this, as a choice with null. */
const optional = (schema: unknown) => ({ anyOf: [schema, { type: 'null' }] });
const inList = (value: unknown): unknown => [value];

function numbered<Value>(count: number, of: (at: number) => Value): Value[] {
  return Array.from({ length: count }, (_, at) => of(at));
}

function nested(depth: number, around: (inner: unknown) => unknown, innermost: unknown): unknown {
  return numbered(depth, () => around).reduce((inner, wrap) => wrap(inner), innermost);
}

beforeEach(() => {
  spent.evaluations = 0;
  spent.steps = 0;
  const { of } = Refusals.prototype;
  const known = new Map<Refusals, number>();
  vi.spyOn(Refusals.prototype, 'of').mockImplementation(function (this: Refusals, instance) {
    const result = of.call(this, instance);
    spent.evaluations++;
    known.set(this, this.consumed);
    spent.steps = [...known.values()].reduce((sum, steps) => sum + steps, 0);
    return result;
  });
});

/** A schema whose every level doubles the references followed. */
function fanOut(levels: number, keyword: string): Record<string, unknown> {
  const $defs: Record<string, unknown> = { d0: { properties: { n: integer } } };
  for (let level = 1; level <= levels; level++) {
    const $ref = `#/$defs/d${level - 1}`;
    $defs[`d${level}`] = { [keyword]: [{ $ref }, { $ref }] };
  }
  return { $ref: `#/$defs/d${levels}`, $defs };
}

describe('the cost of a repair', () => {
  const many = (value: string) => numbered(10_000, () => value);
  const texts = { type: 'object', properties: { t: { $ref: '#' } } };
  const wanting = { type: 'object', properties: { the_name: { $ref: '#' } }, required: ['the_name'] };

  // Each bound is about twice the steps at the time of writing. Without limits most cases take millions.
  test.each<[string, unknown, unknown, number]>([
    ['a reference doubled thirty times under anyOf', fanOut(30, 'anyOf'), { n: '1' }, 1_000_000],
    ['a reference doubled thirty times under allOf', fanOut(30, 'allOf'), { n: '1' }, 4.1 * defaultBudget.steps],
    [
      'two hundred alternatives, each of another property',
      { anyOf: numbered(200, (at) => ({ properties: { [`p${at % 20}`]: integer }, required: ['x'] })) },
      Object.fromEntries(numbered(20, (at) => [`p${at}`, '1'])),
      15_000,
    ],
    ['ten thousand strings, all of them too small', { items: { type: 'integer', minimum: 0 } }, many('-1'), 220_000],
    ['ten thousand values that must differ and do not', { items: integer, uniqueItems: true }, many('1'), 300_000],
    ['a list as deep as it may be', nested(300, (items) => ({ items }), integer), nested(300, inList, '1'), 1_800],
    ['texts within texts', texts, nested(10, (t) => JSON.stringify({ t }), '{"n":"1"}'), 1_700],
    ['candidates within candidates', wanting, nested(40, (theName) => ({ theName }), 1), 2_000],
    ['a reference to itself', { $ref: '#' }, '1', 800],
  ])('is bounded for %s', (_, schema, args, bound) => {
    repairArguments(compileSchema(schema), args, 'all');
    expect(spent.steps).toBeLessThanOrEqual(bound);
  });

  test('follows the budget given', () => {
    for (const levels of [12, 30]) {
      spent.steps = 0;
      repairArguments(compileSchema(fanOut(levels, 'anyOf')), { n: '1' }, 'safe', { budget: { steps: 1000 } });
      expect(spent.steps).toBeLessThanOrEqual(5000);
    }
    // All attempts together may take four budgets, and the last one may exceed them a little.
    spent.steps = 0;
    const schema = { additionalProperties: optional({ type: 'array', items: integer }) };
    const args = Object.fromEntries(numbered(100, (at) => [`k${at}`, '5']));
    repairArguments(compileSchema(schema), args, 'all', { budget: { steps: 1000 } });
    expect(spent.steps).toBeLessThanOrEqual(5000);
  });

  test('is a few evaluations for a usual call with a malformed argument or two', () => {
    const compiled = compileSchema({ properties: { a: integer, b: optional(integer), c: { type: 'string' } } });
    repairArguments(compiled, { a: 1, b: 2, c: '2' });
    expect(spent.evaluations).toBe(0);
    for (const malformed of [{ a: '1' }, { b: '2' }, { a: '1', b: '2' }]) {
      spent.evaluations = 0;
      const { repairs } = repairArguments(compiled, { a: 1, b: 2, c: '2', ...malformed });
      expect(repairs).toHaveLength(Object.keys(malformed).length);
      expect(spent.evaluations).toBeLessThanOrEqual(repairs.length === 1 ? 2 : 5);
    }
  });

  const row = { type: 'object', properties: { id: integer, name: { type: 'string' }, size: optional(integer) } };
  test.each([
    // Beyond about 300 repairs, the test without each single one is skipped.
    [50, 300, { items: row }],
    [50, 300, optional({ type: 'array', items: optional(row) })],
    [1000, 100, { items: row }],
    [1000, 100, optional({ type: 'array', items: optional(row) })],
  ])(
    'repairs %i rows with two malformed arguments each for as many steps as %i evaluations take',
    (count, most, schema) => {
      const compiled = compileSchema(schema);
      const rows = numbered(count, (at) => ({ id: at, name: String(at), size: 1 }));
      const malformed = rows.map((it) => ({ ...it, id: String(it.id), size: '1' }));
      const { evaluation, repairs, arguments: repaired } = repairArguments(compiled, malformed, 'all');
      expect([evaluation.outcome, repairs.length]).toEqual(['valid', count * 2]);
      expect(repaired).toEqual(rows);
      expect(spent.steps).toBeLessThan(most * evaluateCounting(compiled, rows).steps);
    },
  );

  test('does not depend on the clock', () => {
    const args = numbered(2000, String);
    const compiled = compileSchema({ items: optional(integer) });
    let now = 0;
    // A slow machine must not matter.
    for (const tick of [0, 0.001, 100]) {
      vi.spyOn(performance, 'now').mockImplementation(() => (now += tick));
      expect(repairArguments(compiled, args).arguments).toEqual(args.map(Number));
    }
  });

  test('repairs nothing if the steps are spent', () => {
    const args = numbered(2000, String);
    const compiled = compileSchema({ items: integer });
    expect(repairArguments(compiled, args, 'safe', { budget: { steps: 3000 } }).arguments).toBe(args);
  });

  test('repairs fifty rows within the budget that a gateway has for a call', () => {
    const items = { properties: { id: integer, qty: integer, price: { type: 'number' } } };
    const args = numbered(50, (at) => ({ id: String(at), qty: '2', price: '1.5' }));
    const { repairs, evaluation } = repairArguments(compileSchema({ items }), args, 'safe', {
      budget: { steps: 8_000 },
    });
    expect([repairs.length, evaluation.outcome]).toEqual([150, 'valid']);
  });

  test('leaves it when each repair brings up the next one', () => {
    const names = numbered(40, (at) => `n${at}`);
    const links = names.slice(1).map((name, at) => ({
      if: { properties: { [names[at] ?? '']: integer } },
      then: { properties: { [name]: integer } },
    }));
    const schema = { properties: { n0: integer }, allOf: links.reverse() };
    const args = Object.fromEntries(names.map((name) => [name, '1']));
    const { evaluation, repairs } = repairArguments(compileSchema(schema), args);
    expect(evaluation.outcome).toBe('invalid');
    expect(repairs.length).toBeLessThanOrEqual(6);
    expect(spent.evaluations).toBeLessThanOrEqual(12);
  });

  test('reads a few candidates within candidates', () => {
    const compiled = compileSchema({ properties: { q: integer }, required: ['q'] });
    const wrapped = (times: number) => nested(times, (args) => ({ args }), { q: 1 });
    expect(repairArguments(compiled, wrapped(3), 'all').arguments).toEqual({ q: 1 });
    expect(repairArguments(compiled, wrapped(6), 'all').evaluation.outcome).toBe('invalid');
  });

  test('spends no more on a pattern that takes forever than on a few evaluations', () => {
    const schema = { properties: { a: integer, b: { anyOf: [integer, { type: 'string', pattern: '^(a+)+$' }] } } };
    const { evaluation } = repairArguments(compileSchema(schema), { a: '1', b: `${'a'.repeat(40)}!` });
    expect(evaluation.outcome).not.toBe('valid');
    expect(spent.evaluations).toBeLessThanOrEqual(10);
  });
});
