import { describe, expect, test } from 'vitest';
import { completeBudget, defaultBudget } from '../../src/schema/evaluate/budget.js';
import { evaluateCounting } from '../../src/schema/evaluate/evaluate.js';
import { compileSchema } from '../../src/schema/compile/compile.js';
import { decide, outcome } from './decide.js';

describe('Budgets', () => {
  test('steps: enough of them give the verdict, one less gives none', () => {
    const schema = { items: { type: 'integer' } };
    const instance = [1, 2, 3];
    const { steps } = evaluateCounting(compileSchema(schema), instance);
    expect(outcome(schema, instance, { budget: { steps } })).toBe('valid');
    expect(outcome(schema, instance, { budget: { steps: steps - 1 } })).toBe('steps');
  });

  test('steps: a refusal found within them stands', () => {
    const schema = { allOf: [{ type: 'string' }, { items: {} }] };
    expect(outcome(schema, Array.from({ length: 1000 }), { budget: { steps: 3 } })).toBe('invalid');
  });

  test.each<[schema: object, instance: unknown]>([
    [{ anyOf: [{ items: { type: 'string' } }, { items: { type: 'integer' } }] }, [1, 2, 3, 4, 5, 6]],
    [{ not: { items: { type: 'string' } } }, ['a', 'b', 'c', 'd', 1]],
    [{ oneOf: [true, { items: { type: 'string' } }] }, ['a', 'b', 'c', 'd', 1]],
    [{ contains: { const: 9 }, minContains: 0, maxContains: 0 }, [1, 2, 3, 4, 5, 6]],
    [{ if: { items: { type: 'string' } }, then: false, else: true }, ['a', 'b', 'c', 'd', 1]],
    [{ uniqueItems: true }, [1, 2, 3, 4, 5, 6]],
    [{ enum: [[1, 2, 3, 4, 5, 6, 7, 8, 10]] }, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
    [{ required: ['a', 'b', 'c', 'd', 'e'] }, { a: 1, b: 1, c: 1, d: 1, e: 1 }],
    [{ pattern: 'x$' }, 'x'.repeat(2000)],
    [{ additionalProperties: { type: 'integer' } }, { a: 1, b: 1, c: 1, d: 1, e: 1 }],
    [{ propertyNames: { minLength: 1 } }, { a: 1, b: 1, c: 1, d: 1, e: 1 }],
    [{ unevaluatedProperties: { type: 'integer' } }, { a: 1, b: 1, c: 1, d: 1, e: 1 }],
  ])('steps: used up in the middle of %j they leave it undetermined', (schema, instance) => {
    expect(outcome(schema, instance, { budget: { steps: 4 } })).toBe('steps');
    expect(outcome(schema, instance)).not.toBe('steps');
  });

  test('ms: once they are over, what is not decided stays open', () => {
    const schema = { items: { type: 'integer' } };
    const many = Array.from({ length: 100_000 }, () => 1);
    const budget = { ms: 0, steps: Infinity };
    expect(outcome(schema, many, { budget })).toBe('time');
    expect(outcome({ anyOf: [schema, true] }, many, { budget })).toBe('time');
    expect(outcome({ allOf: [{ type: 'string' }, schema] }, many, { budget })).toBe('invalid');
    expect(decide(schema, many, { budget })).toMatchObject({ message: expect.stringContaining('longer') as string });
  });

  test('undefined lifts no limit', () => {
    const names = ['steps', 'ms', 'depth', 'violations', 'patternMs', 'argumentSize'] as const;
    expect(completeBudget(Object.fromEntries(names.map((name) => [name, undefined])))).toEqual(defaultBudget);
    const endless = { $ref: '#/$defs/a', $defs: { a: { items: { $ref: '#/$defs/a' } } } };
    const items = Array.from({ length: 600_000 }, () => 1);
    expect(outcome(endless, items, { budget: Object.fromEntries([['steps', undefined]]) })).toBe('steps');
  });

  test('suffice for text as long as arguments may be', () => {
    const text = 'x'.repeat(19_000_000);
    const schema = { type: 'string', minLength: 18_000_000, maxLength: 19_000_000, pattern: '^x', enum: [text] };
    expect(outcome(schema, text)).toBe('valid');
    expect(outcome({ ...schema, enum: ['x'] }, text)).toBe('invalid');
  });

  test('depth: of the schema, of the arguments and of references', () => {
    const limits = { budget: { depth: 3 } };
    expect(outcome({ allOf: [{ allOf: [{ allOf: [{ type: 'null' }] }] }] }, 1, limits)).toBe('depth');
    expect(outcome({ additionalProperties: { $ref: '#' } }, { a: { a: { a: 1 } } }, limits)).toBe('depth');
    expect(outcome({ additionalProperties: { $ref: '#' } }, { a: 1 }, limits)).toBe('valid');
  });

  test('violations: more are cut, the refusal stands', () => {
    const items = Array.from({ length: 50 }, (_, i) => `text ${i}`);
    const evaluation = decide({ items: { type: 'integer' } }, items, { budget: { violations: 10 } });
    expect(evaluation).toMatchObject({ outcome: 'invalid', truncated: true });
    expect(evaluation.outcome === 'invalid' && evaluation.violations).toHaveLength(10);
  });

  test('violations: those in branches do not crowd out the others', () => {
    const schema = {
      properties: { a: { anyOf: [{ items: { type: 'null' } }] }, b: { type: 'string' } },
    };
    const evaluation = decide(schema, { a: Array.from({ length: 51 }, () => 1), b: 1 }, { budget: { violations: 5 } });
    expect(evaluation).toMatchObject({
      outcome: 'invalid',
      truncated: false,
      violations: [
        { instanceLocation: '/a', keyword: 'anyOf', branches: [{ length: 5 }] },
        { instanceLocation: '/b', keyword: 'type' },
      ],
    });
  });

  test('steps: explaining a refusal takes little more than reaching it did', () => {
    const schema = { properties: { a: { type: 'string' }, rows: { items: { type: 'integer' } } } };
    const rows = Array.from({ length: 400_000 }, () => 1);
    const { evaluation, steps } = evaluateCounting(compileSchema(schema), { a: 1, rows }, { budget: { ms: 60_000 } });
    expect(evaluation).toMatchObject({ outcome: 'invalid', truncated: true, violations: [{ instanceLocation: '/a' }] });
    expect(steps).toBeLessThan(110_000);
  });

  test('argument size: values plus characters of strings and names', () => {
    const limits = { budget: { argumentSize: 20 } };
    expect(outcome(true, 'x'.repeat(19), limits)).toBe('valid');
    expect(outcome(true, 'x'.repeat(20), limits)).toBe('argument-size');
    expect(outcome(true, { ['x'.repeat(20)]: 1 }, limits)).toBe('argument-size');
    expect(
      outcome(
        true,
        Array.from({ length: 20 }, () => 1),
        limits,
      ),
    ).toBe('argument-size');
  });

  test('argument size: arguments that contain themselves are answered', () => {
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    expect(outcome({ type: 'object' }, cyclic)).toBe('argument-size');
  });

  test('say in one sentence what ran out and where', () => {
    expect(decide({ properties: { a: { not: { not: {} } } } }, { a: 1 }, { budget: { depth: 2 } })).toEqual({
      outcome: 'undetermined',
      reason: 'depth',
      schemaLocation: '#/properties/a/not',
      instanceLocation: '/a',
      message: expect.stringMatching(
        /^The schema and .*more deeply than the budget allows \(at #\/properties\/a\/not of the schema\)\.$/,
      ) as string,
    });
  });

  test('by default suffice for a large table: 5,000 rows of 20 columns', () => {
    const names = Array.from({ length: 20 }, (_, i) => `column${i}`);
    const row = {
      properties: Object.fromEntries(names.map((name) => [name, { type: ['integer', 'null'] }])),
      required: names,
    };
    const rows = Array.from({ length: 5000 }, () => Object.fromEntries(names.map((name, i) => [name, i])));
    const { evaluation, steps } = evaluateCounting(compileSchema({ items: row }), rows);
    expect(evaluation).toEqual({ outcome: 'valid' });
    expect(steps).toBeLessThan(defaultBudget.steps);
  });
});
