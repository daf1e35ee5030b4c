import { beforeEach, describe, expect, test, vi } from 'vitest';
import { repairArguments } from '../../src/repair/repair.js';
import { Refusals } from '../../src/schema/evaluate/refusals.js';
import { compileSchema } from '../../src/schema/compile/compile.js';
import { defaultBudget } from '../../src/schema/evaluate/budget.js';
import { evaluateCounting } from '../../src/schema/evaluate/evaluate.js';

/** What all attempts of a repair take, whatever the clock says. */
const spent = { evaluations: 0, steps: 0 };

const integer = { type: 'integer' };

beforeEach(() => {
  vi.restoreAllMocks();
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
  for (let level = 1; level <= levels; level++)
    $defs[`d${level}`] = { [keyword]: [{ $ref: `#/$defs/d${level - 1}` }, { $ref: `#/$defs/d${level - 1}` }] };
  return { $ref: `#/$defs/d${levels}`, $defs };
}

describe('what a repair costs', () => {
  // The bound is about twice what was taken when this was written; without limits most take millions.
  test.each<[string, unknown, unknown, number]>([
    ['a reference doubled thirty times under anyOf', fanOut(30, 'anyOf'), { n: '1' }, 1_000_000],
    ['a reference doubled thirty times under oneOf', fanOut(30, 'oneOf'), { n: '1' }, 1_000_000],
    ['a reference doubled thirty times under allOf', fanOut(30, 'allOf'), { n: '1' }, 4.1 * defaultBudget.steps],
    ['a reference doubled twelve times', fanOut(12, 'anyOf'), { n: '1' }, 400_000],
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
      220_000,
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
    expect(spent.steps).toBeLessThanOrEqual(5000);
    // All attempts may take four budgets, and what ends them.
    spent.steps = 0;
    const optionals = { anyOf: [{ type: 'array', items: integer }, { type: 'null' }] };
    const names = Array.from({ length: 100 }, (_, index) => `k${index}`);
    const schema = { properties: Object.fromEntries(names.map((name) => [name, optionals])) };
    const args = Object.fromEntries(names.map((name) => [name, '5']));
    repairArguments(compileSchema(schema), args, 'all', { budget: { steps: 1000 } });
    expect(spent.steps).toBeLessThanOrEqual(5000);
  });

  test('is a few evaluations for a usual call with a malformed argument or two', () => {
    const schema = {
      type: 'object',
      properties: { a: integer, b: { anyOf: [integer, { type: 'null' }] }, c: { type: 'string' } },
    };
    const compiled = compileSchema(schema);
    repairArguments(compiled, { a: 1, b: 2, c: '2' });
    expect(spent.evaluations).toBe(0);
    for (const malformed of [{ a: '1' }, { b: '2' }, { a: '1', b: '2' }]) {
      spent.evaluations = 0;
      const { repairs } = repairArguments(compiled, { a: 1, b: 2, c: '2', ...malformed });
      expect(repairs).toHaveLength(Object.keys(malformed).length);
      expect(spent.evaluations).toBeLessThanOrEqual(repairs.length === 1 ? 2 : 5);
    }
  });

  test.each([99, 4000])(
    'repairs %i malformed arguments in one call for as many steps as a few evaluations take',
    (count) => {
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
        const one = evaluateCounting(compiled, { rows }).steps;
        const malformed = rows.map((it) => ({ ...it, id: String(it.id), size: '1' }));
        for (const choice of ['safe', 'all'] as const) {
          const before = spent.steps;
          const { evaluation, repairs, arguments: repaired } = repairArguments(compiled, { rows: malformed }, choice);
          expect(evaluation.outcome).toBe('valid');
          expect(repairs).toHaveLength(rows.length * 2);
          expect(repaired).toEqual({ rows });
          // Beyond 300 or so, not each is tried without.
          expect(spent.steps - before).toBeLessThan(count < 100 ? 300 * one : 100 * one);
        }
      }
    },
  );

  test('gives up where candidates within candidates have no end', () => {
    const $defs = { t: { type: 'object', properties: { the_name: { $ref: '#/$defs/t' } }, required: ['the_name'] } };
    let args: unknown = 1;
    for (let level = 0; level < 40; level++) args = { theName: args };
    repairArguments(compileSchema({ $defs, $ref: '#/$defs/t' }), args, 'all');
    expect(spent.steps).toBeLessThan(10_000); // 789 when this was written; trying every way at every level takes them all
  });

  test('does not depend on the clock', () => {
    const args = Array.from({ length: 2000 }, (_, index) => String(index));
    const compiled = compileSchema({ items: { anyOf: [integer, { type: 'null' }] } });
    let now = 0;
    // However slow the machine is.
    for (const tick of [0, 0.001, 100]) {
      vi.spyOn(performance, 'now').mockImplementation(() => (now += tick));
      expect(repairArguments(compiled, args).arguments).toEqual(args.map(Number));
    }
  });

  test('repairs nothing where the steps are spent', () => {
    const args = Array.from({ length: 2000 }, (_, index) => String(index));
    const compiled = compileSchema({ items: integer });
    const { arguments: repaired } = repairArguments(compiled, args, 'safe', { budget: { steps: 3000 } });
    expect(repaired).toBe(args);
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
    expect(spent.evaluations).toBeLessThanOrEqual(12);
  });

  test('reads a few candidates within candidates', () => {
    const compiled = compileSchema({ properties: { q: integer }, required: ['q'] });
    const wrapped = (times: number): unknown => (times === 0 ? { q: 1 } : { args: wrapped(times - 1) });
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

function nestedText(depth: number): string {
  let value = '{"n":"1"}';
  for (let level = 0; level < depth; level++) value = JSON.stringify({ t: value });
  return value;
}

test('fifty rows are repaired within the budget that a gateway has for a call', () => {
  const row = { type: 'object', properties: { id: integer, qty: integer, price: { type: 'number' } } };
  const compiled = compileSchema({ type: 'object', properties: { rows: { type: 'array', items: row } } });
  const rows = Array.from({ length: 50 }, (_, at) => ({ id: String(at), qty: '2', price: '1.5' }));
  const { repairs, evaluation } = repairArguments(compiled, { rows }, 'safe', { budget: { steps: 8_000 } });
  expect([repairs.length, evaluation.outcome]).toEqual([150, 'valid']);
});
