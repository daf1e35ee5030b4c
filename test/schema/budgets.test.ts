import { describe, expect, test } from 'vitest';
import { completeBudget, defaultBudget } from '../../src/schema/evaluate/budget.js';
import { integer, members, nested, string, texts, times } from '../../test-support/schemas/short.js';
import { decide, outcome, stepsOf } from './decide.js';

describe('Budgets', () => {
  test('Enough steps give a verdict, and one step less gives none', () => {
    const steps = stepsOf({ items: integer }, [1, 2, 3]);
    expect(outcome({ items: integer }, [1, 2, 3], { budget: { steps } })).toBe('valid');
    expect(outcome({ items: integer }, [1, 2, 3], { budget: { steps: steps - 1 } })).toBe('steps');
  });

  test('An undecided part stays undetermined once the time of the budget is over', () => {
    const schema = { items: integer };
    const many = times(100_000, () => 1);
    const budget = { ms: 0, steps: Infinity };
    expect(decide(schema, many, { budget })).toMatchObject({
      reason: 'time',
      message: expect.stringContaining('longer') as string,
    });
    expect(outcome({ anyOf: [schema, true] }, many, { budget })).toBe('time');
    expect(outcome({ allOf: [string, schema] }, many, { budget })).toBe('invalid');
  });

  test('An undefined budget lifts no limit', () => {
    const names = ['steps', 'ms', 'depth', 'violations', 'patternMs', 'argumentSize'] as const;
    expect(completeBudget(Object.fromEntries(names.map((name) => [name, undefined])))).toEqual(defaultBudget);
    const steps = Object.fromEntries([['steps', undefined]]);
    expect(
      outcome(
        { items: integer },
        times(600_000, () => 1),
        { budget: steps },
      ),
    ).toBe('steps');
  });

  test('Budgets suffice for text of the maximum argument size', () => {
    const text = 'x'.repeat(19_000_000);
    const schema = { ...string, minLength: 18_000_000, maxLength: 19_000_000, pattern: '^x', enum: [text] };
    expect(outcome(schema, text)).toBe('valid');
    expect(outcome({ ...schema, enum: ['x'] }, text)).toBe('invalid');
  });

  test('Budgets limit the depth of the schema, of the arguments and of references', () => {
    const limits = { budget: { depth: 3 } };
    expect(outcome({ allOf: [{ allOf: [{ allOf: [{ type: 'null' }] }] }] }, 1, limits)).toBe('depth');
    expect(outcome({ additionalProperties: { $ref: '#' } }, { a: { a: { a: 1 } } }, limits)).toBe('depth');
    expect(outcome({ additionalProperties: { $ref: '#' } }, { a: 1 }, limits)).toBe('valid');
  });

  test('Violations beyond the budget are cut, and the value stays invalid', () => {
    const evaluation = decide({ items: integer }, texts(50), { budget: { violations: 10 } });
    expect(evaluation).toMatchObject({ outcome: 'invalid', truncated: true, violations: { length: 10 } });
  });

  test('Violations in branches do not crowd out the others', () => {
    const schema = { properties: { a: { anyOf: [{ items: { type: 'null' } }] }, b: string } };
    expect(decide(schema, { a: times(51, () => 1), b: 1 }, { budget: { violations: 5 } })).toMatchObject({
      outcome: 'invalid',
      truncated: false,
      violations: [
        { instanceLocation: '/a', keyword: 'anyOf', branches: [{ length: 5 }] },
        { instanceLocation: '/b', keyword: 'type' },
      ],
    });
  });

  test('Explaining violations takes few steps more than finding the value invalid', () => {
    const schema = { properties: { a: string, rows: { items: integer } } };
    const refused = { a: 1, rows: times(400_000, () => 1) };
    expect(decide(schema, refused, { budget: { ms: 60_000 } })).toMatchObject({
      truncated: true,
      violations: [{ instanceLocation: '/a' }],
    });
    expect(stepsOf(schema, refused)).toBeLessThan(110_000);
  });

  test.each([['x'.repeat(20)], [{ ['x'.repeat(20)]: 1 }], [times(20, () => 1)]])(
    'The arguments %j exceed a size limit of 20, counted in values and characters',
    (instance) => {
      expect(outcome(true, instance, { budget: { argumentSize: 20 } })).toBe('argument-size');
      expect(outcome(true, instance, { budget: { argumentSize: 50 } })).toBe('valid');
    },
  );

  test('Arguments that contain themselves exceed the size limit', () => {
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    expect(outcome({ type: 'object' }, cyclic)).toBe('argument-size');
  });

  test('The message about an exceeded budget names the limit and the place in one sentence', () => {
    const schema = { properties: { a: nested(2, (not) => ({ not })) } };
    expect(decide(schema, { a: 1 }, { budget: { depth: 2 } })).toEqual({
      outcome: 'undetermined',
      reason: 'depth',
      schemaLocation: '#/properties/a/not',
      instanceLocation: '/a',
      message: expect.stringMatching(
        /^The schema and .*more deeply than the budget allows \(at #\/properties\/a\/not of the schema\)\.$/,
      ) as string,
    });
  });

  test('The default budgets suffice for a table of 5,000 rows and 20 columns', () => {
    const names = texts(20);
    const items = { properties: members(names, () => ({ type: ['integer', 'null'] })), required: names };
    const rows = times(5000, () => members(names, (at) => at));
    expect(decide({ items }, rows)).toEqual({ outcome: 'valid' });
    expect(stepsOf({ items }, rows)).toBeLessThan(defaultBudget.steps);
  });
});
