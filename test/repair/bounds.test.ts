import type * as Schema from '../../src/schema/index.js';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { repairArguments } from '../../src/repair/index.js';
import { compileSchema, defaultBudget, evaluateWith } from '../../src/schema/index.js';

const spent = vi.hoisted(() => ({ evaluations: 0, steps: 0 }));
vi.mock('../../src/schema/index.js', async (original) => {
  const actual = await original<typeof Schema>();
  const counted = <Result extends { steps: number }>(result: Result): Result => {
    spent.evaluations++;
    spent.steps += result.steps;
    return result;
  };
  return {
    ...actual,
    evaluateWith: (...args: Parameters<typeof actual.evaluateWith>) =>
      counted(actual.evaluateCounting(...args)).evaluation,
    evaluateCounting: (...args: Parameters<typeof actual.evaluateCounting>) =>
      counted(actual.evaluateCounting(...args)),
    evaluateRefused: (...args: Parameters<typeof actual.evaluateRefused>) =>
      counted({ ...actual.evaluateCounting(...args), evaluation: actual.evaluateRefused(...args) }).evaluation,
    evaluateCoercing: (...args: Parameters<typeof actual.evaluateCoercing>) =>
      counted(actual.evaluateCoercing(...args)),
    coerce: (...args: Parameters<typeof actual.coerce>) => counted(actual.coerce(...args)),
  };
});

const integer = { type: 'integer' };

/** Milliseconds that pass from one look at the clock to the next. */
let tick = 0;
let now = 0;

beforeEach(() => {
  tick = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += tick));
  spent.evaluations = 0;
  spent.steps = 0;
});

/** A schema whose every level doubles the references followed. */
function fanOut(levels: number, keyword: string): Record<string, unknown> {
  const $defs: Record<string, unknown> = { d0: { properties: { n: integer } } };
  for (let level = 1; level <= levels; level++)
    $defs[`d${level}`] = { [keyword]: [{ $ref: `#/$defs/d${level - 1}` }, { $ref: `#/$defs/d${level - 1}` }] };
  return { $ref: `#/$defs/d${levels}`, $defs };
}

describe('what a repair costs', () => {
  // The bound is about twice what was taken when this was written; without limits most take millions.
  test.each<[string, unknown, unknown, number]>([
    ['a reference doubled thirty times under anyOf', fanOut(30, 'anyOf'), { n: '1' }, 1_000_000],
    ['a reference doubled thirty times under oneOf', fanOut(30, 'oneOf'), { n: '1' }, 1_000_000],
    ['a reference doubled thirty times under allOf', fanOut(30, 'allOf'), { n: '1' }, 4 * defaultBudget.steps],
    ['a reference doubled twelve times', fanOut(12, 'anyOf'), { n: '1' }, 170_000],
    [
      'two hundred alternatives, each of another property',
      {
        anyOf: Array.from({ length: 200 }, (_, index) => ({
          properties: { [`p${index % 20}`]: integer },
          required: ['x'],
        })),
      },
      Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`p${index}`, '1'])),
      15_000,
    ],
    [
      'ten thousand strings, all of them too small',
      { items: { type: 'integer', minimum: 0 } },
      Array.from({ length: 10_000 }, () => '-1'),
      85_000,
    ],
    [
      'ten thousand values that must differ and do not',
      { items: integer, uniqueItems: true },
      Array.from({ length: 10_000 }, () => '1'),
      300_000,
    ],
    [
      'a list as deep as it may be',
      JSON.parse(`${'{"items":'.repeat(300)}{"type":"integer"}${'}'.repeat(300)}`),
      JSON.parse(`${'['.repeat(300)}"1"${']'.repeat(300)}`),
      1_800,
    ],
    [
      'texts within texts',
      { $defs: { t: { type: 'object', properties: { t: { $ref: '#/$defs/t' } } } }, $ref: '#/$defs/t' },
      nestedText(10),
      1_700,
    ],
    ['a reference to itself', { $ref: '#' }, '1', 800],
  ])('is bounded for %s', (_, schema, args, bound) => {
    const before = JSON.stringify(args);
    repairArguments(compileSchema(schema), args, 'all');
    expect(spent.steps).toBeLessThanOrEqual(bound);
    expect(JSON.stringify(args)).toBe(before);
  });

  test('follows the budget given', () => {
    repairArguments(compileSchema(fanOut(30, 'anyOf')), { n: '1' }, {}, { budget: { steps: 1000 } });
    expect(spent.steps).toBeLessThanOrEqual(2000);
    // A first pass, the attempts, which may take two budgets, and what ends them.
    spent.steps = 0;
    const optionals = { anyOf: [{ type: 'array', items: integer }, { type: 'null' }] };
    const names = Array.from({ length: 100 }, (_, index) => `k${index}`);
    const schema = { properties: Object.fromEntries(names.map((name) => [name, optionals])) };
    const args = Object.fromEntries(names.map((name) => [name, '5']));
    repairArguments(compileSchema(schema), args, 'all', { budget: { steps: 1000 } });
    expect(spent.steps).toBeLessThanOrEqual(4000);
  });

  test('is one pass and a check for a usual call with a slip or two', () => {
    const schema = {
      type: 'object',
      properties: { a: integer, b: { anyOf: [integer, { type: 'null' }] }, c: { type: 'string' } },
    };
    const compiled = compileSchema(schema);
    repairArguments(compiled, { a: 1, b: 2, c: '2' });
    expect(spent.evaluations).toBe(1);
    const one = spent.steps;
    for (const slips of [{ a: '1' }, { b: '2' }, { a: '1', b: '2' }]) {
      spent.steps = spent.evaluations = 0;
      expect(repairArguments(compiled, { a: 1, b: 2, c: '2', ...slips }).repairs).toHaveLength(
        Object.keys(slips).length,
      );
      expect(spent.evaluations).toBe(1);
      expect(spent.steps).toBeLessThanOrEqual(4 * one);
    }
  });

  test.each([99, 4000])('repairs %i slips in one call for less than twenty evaluations', (count) => {
    const row = {
      type: 'object',
      properties: { id: integer, name: { type: 'string' }, size: { anyOf: [integer, { type: 'null' }] } },
    };
    // As Pydantic writes it: every optional is one of itself and null.
    const optional = (schema: unknown) => ({ anyOf: [schema, { type: 'null' }] });
    const schemas = [
      { properties: { rows: { items: row } } },
      { properties: { rows: optional({ type: 'array', items: row }) } },
      { properties: { rows: optional({ type: 'array', items: optional(row) }) } },
    ];
    for (const schema of schemas) {
      const compiled = compileSchema(schema);
      const rows = Array.from({ length: count / 2 + 1 }, (_, index) => ({ id: index, name: String(index), size: 1 }));
      evaluateWith(compiled, { rows }, {});
      const one = spent.steps;
      spent.steps = 0;
      const slips = rows.map((it) => ({ ...it, id: String(it.id), size: '1' }));
      for (const choice of ['safe', 'all'] as const) {
        const { evaluation, repairs, arguments: repaired } = repairArguments(compiled, { rows: slips }, choice);
        expect(evaluation.outcome).toBe('valid');
        expect(repairs).toHaveLength(rows.length * 2);
        expect(repaired).toEqual({ rows });
        expect(spent.steps).toBeLessThan(20 * one);
        spent.steps = 0;
      }
    }
  });

  test('repairs 4000 slips in an optional list of values in one pass', () => {
    const list = { type: 'array', items: integer };
    for (const alternatives of [
      [list, { type: 'null' }],
      [{ type: 'boolean' }, { $ref: '#/$defs/list' }],
    ]) {
      spent.evaluations = 0;
      const compiled = compileSchema({ $defs: { list }, properties: { values: { oneOf: alternatives } } });
      const values = Array.from({ length: 4000 }, (_, index) => index);
      const { arguments: repaired } = repairArguments(compiled, { values: values.map(String) }, 'all');
      expect(repaired).toEqual({ values });
      expect(spent.evaluations).toBe(1);
    }
  });

  test('gives up where candidates within candidates have no end', () => {
    const $defs = { t: { type: 'object', properties: { the_name: { $ref: '#/$defs/t' } }, required: ['the_name'] } };
    let args: unknown = 1;
    for (let level = 0; level < 40; level++) args = { theName: args };
    repairArguments(compileSchema({ $defs, $ref: '#/$defs/t' }), args, 'all');
    expect(spent.steps).toBeLessThan(10_000); // 789 when this was written; trying every way at every level takes them all
  });

  test('ends with the time as well as with the steps', () => {
    const args = Array.from({ length: 2000 }, (_, index) => String(index));
    const compiled = compileSchema({ items: integer });
    const most = () => {
      spent.steps = 0;
      const { repairs } = repairArguments(compiled, args, {}, { budget: { ms: 1000 } });
      return { repairs: repairs.length, steps: spent.steps };
    };
    const { repairs, steps } = most();
    expect(repairs).toBe(2000);
    tick = 100;
    expect(most().repairs).toBe(0);
    expect(most().steps).toBeLessThan(steps);
  });

  test('leaves it when each repair brings up the next one', () => {
    const names = Array.from({ length: 40 }, (_, index) => `n${index}`);
    const links = names.slice(1).map((name, index) => ({
      if: { properties: { [names[index] ?? '']: integer } },
      then: { properties: { [name]: integer } },
    }));
    const schema = { properties: { n0: integer }, allOf: links.reverse() };
    const args = Object.fromEntries(names.map((name) => [name, '1']));
    const { evaluation, repairs } = repairArguments(compileSchema(schema), args);
    expect(evaluation.outcome).toBe('invalid');
    expect(repairs.length).toBeLessThanOrEqual(6);
    expect(spent.evaluations).toBeLessThanOrEqual(7);
  });

  test('is one evaluation more or less where that takes half of the budget, however many slips there are', () => {
    const schema = { properties: { long: { items: { type: 'string' } } }, additionalProperties: integer };
    const slips = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`n${index}`, '1']));
    const args = { long: Array.from({ length: 700 }, () => 'x'), ...slips };
    const { evaluation, repairs } = repairArguments(compileSchema(schema), args, {}, { budget: { steps: 2000 } });
    expect(evaluation.outcome).toBe('valid');
    expect(repairs).toHaveLength(20);
    expect(spent.steps).toBeLessThanOrEqual(2 * 2000);
  });

  test('charges for looking at a text in every alternative', () => {
    const never = Array.from({ length: 20 }, (_, index) => ({ type: 'array', maxItems: 0, minItems: index + 1 }));
    repairArguments(
      compileSchema({ properties: { a: { anyOf: never } } }),
      { a: JSON.stringify(['x'.repeat(64_000)]) },
      'all',
    );
    expect(spent.steps).toBeGreaterThan(20 * 1000);
  });

  test('reads a few candidates within candidates', () => {
    const compiled = compileSchema({ properties: { q: integer }, required: ['q'] });
    const wrapped = (times: number): unknown => (times === 0 ? { q: 1 } : { args: wrapped(times - 1) });
    expect(repairArguments(compiled, wrapped(3), 'all').arguments).toEqual({ q: 1 });
    expect(repairArguments(compiled, wrapped(6), 'all').evaluation.outcome).toBe('invalid');
  });

  test('looks for needless repairs among a few only', () => {
    const names = Array.from({ length: 33 }, (_, index) => `n${index}`);
    const compiled = compileSchema({ properties: Object.fromEntries(names.map((name) => [name, integer])) });
    const given = (count: number) => Object.fromEntries(names.slice(0, count).map((name) => [name, null]));
    expect(repairArguments(compiled, given(32)).repairs).toHaveLength(32);
    expect(spent.evaluations).toBe(4 + 32);
    spent.evaluations = 0;
    expect(repairArguments(compiled, given(33)).repairs).toHaveLength(33);
    expect(spent.evaluations).toBe(4);
  });

  test('spends no more on a pattern that takes forever than on a few evaluations', () => {
    const schema = { properties: { a: integer, b: { anyOf: [integer, { type: 'string', pattern: '^(a+)+$' }] } } };
    const { evaluation } = repairArguments(compileSchema(schema), { a: '1', b: `${'a'.repeat(40)}!` });
    expect(evaluation.outcome).not.toBe('valid');
    expect(spent.evaluations).toBeLessThanOrEqual(10);
  });
});

function nestedText(depth: number): string {
  let value = '{"n":"1"}';
  for (let level = 0; level < depth; level++) value = JSON.stringify({ t: value });
  return value;
}
