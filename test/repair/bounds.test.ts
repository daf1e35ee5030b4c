import type * as Schema from '../../src/schema/index.js';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { repairArguments, type RepairOptions } from '../../src/repair/index.js';
import { compileSchema, defaultBudget } from '../../src/schema/index.js';

const spent = vi.hoisted(() => ({ evaluations: 0, steps: 0 }));
vi.mock('../../src/schema/index.js', async (original) => {
  const actual = await original<typeof Schema>();
  const { evaluateCounting } = await import('../../src/schema/evaluate/evaluate.js');
  const evaluate: typeof actual.evaluate = (...args) => {
    const { evaluation, steps } = evaluateCounting(...args);
    spent.evaluations++;
    spent.steps += steps;
    return evaluation;
  };
  return { ...actual, evaluate };
});

const allOn: RepairOptions = {
  integers: true,
  numbers: true,
  booleans: true,
  nulls: true,
  singletons: true,
  json: true,
};
const integer = { type: 'integer' };

beforeEach(() => {
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
  test.each<[string, unknown, unknown]>([
    ['a reference doubled thirty times under anyOf', fanOut(30, 'anyOf'), { n: '1' }],
    ['a reference doubled thirty times under oneOf', fanOut(30, 'oneOf'), { n: '1' }],
    ['a reference doubled thirty times under allOf', fanOut(30, 'allOf'), { n: '1' }],
    ['a reference doubled twelve times', fanOut(12, 'anyOf'), { n: '1' }],
    [
      'two hundred alternatives, each of another property',
      {
        anyOf: Array.from({ length: 200 }, (_, index) => ({
          properties: { [`p${index % 20}`]: integer },
          required: ['x'],
        })),
      },
      Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`p${index}`, '1'])),
    ],
    [
      'ten thousand strings, all of them too small',
      { items: { type: 'integer', minimum: 0 } },
      Array.from({ length: 10_000 }, () => '-1'),
    ],
    [
      'ten thousand values that must differ and do not',
      { items: integer, uniqueItems: true },
      Array.from({ length: 10_000 }, () => '1'),
    ],
    [
      'a list as deep as it may be',
      JSON.parse(`${'{"items":'.repeat(300)}{"type":"integer"}${'}'.repeat(300)}`),
      JSON.parse(`${'['.repeat(300)}"1"${']'.repeat(300)}`),
    ],
    [
      'texts within texts',
      { $defs: { t: { type: 'object', properties: { t: { $ref: '#/$defs/t' } } } }, $ref: '#/$defs/t' },
      nestedText(10),
    ],
    ['a reference to itself', { $ref: '#' }, '1'],
  ])('is bounded for %s', (_, schema, args) => {
    const before = JSON.stringify(args);
    repairArguments(compileSchema(schema), args, allOn);
    expect(spent.evaluations).toBeLessThanOrEqual(102);
    // The first and the last evaluation are the caller's, the attempts between them share three budgets.
    expect(spent.steps).toBeLessThanOrEqual(5 * defaultBudget.steps);
    expect(JSON.stringify(args)).toBe(before);
  });

  test('follows the budget given', () => {
    repairArguments(compileSchema(fanOut(30, 'anyOf')), { n: '1' }, {}, { budget: { steps: 1000 } });
    expect(spent.steps).toBeLessThanOrEqual(5000);
  });

  test('is three evaluations or fewer for a usual call with a slip or two', () => {
    const schema = {
      type: 'object',
      properties: { a: integer, b: { anyOf: [integer, { type: 'null' }] }, c: { type: 'string' } },
    };
    repairArguments(compileSchema(schema), { a: '1', c: '2' });
    expect(spent.evaluations).toBe(2);
    spent.evaluations = 0;
    repairArguments(compileSchema(schema), { a: 1, b: null, c: '2' });
    expect(spent.evaluations).toBe(1);
  });

  test('repairs thousands of slips in one call', () => {
    const args = {
      rows: Array.from({ length: 2_500 }, (_, index) => ({ id: String(index), name: String(index), count: '1' })),
    };
    const row = {
      type: 'object',
      properties: { id: integer, name: { type: 'string' }, count: { anyOf: [integer, { type: 'null' }] } },
    };
    const { evaluation, repairs } = repairArguments(compileSchema({ properties: { rows: { items: row } } }), args);
    expect(evaluation.outcome).toBe('valid');
    expect(repairs).toHaveLength(5_000);
  });

  test('repairs an optional list of thousands, whose elements may be null', () => {
    const list = { anyOf: [{ type: 'array', items: { anyOf: [integer, { type: 'null' }] } }, { type: 'null' }] };
    const args = { list: Array.from({ length: 3000 }, (_, index) => String(index)) };
    const { evaluation, repairs } = repairArguments(compileSchema({ properties: { list } }), args);
    expect(evaluation.outcome).toBe('valid');
    expect(repairs).toHaveLength(3000);
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
