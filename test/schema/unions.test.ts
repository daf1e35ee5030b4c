import { afterEach, describe, expect, test, vi } from 'vitest';
import { repairArguments } from '../../src/repair/repair.js';
import { evaluateCounting, evaluate } from '../../src/schema/evaluate/evaluate.js';
import { compileSchema } from '../../src/schema/compile/compile.js';
import { defaultBudget } from '../../src/schema/evaluate/budget.js';
import { describeViolations } from '../../src/schema/violations/describe.js';

/** What is tested is the number of steps, whatever the machine's speed. */
const unhurried = { budget: { ms: 600_000 } };

const names = (count: number) => Array.from({ length: count }, (_, i) => `name${i}`);

const members = (count: number, value: unknown) => Object.fromEntries(names(count).map((name) => [name, value]));

const closed = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const tagged = (count: number, width: number) =>
  Array.from({ length: count }, (_, i) =>
    closed({ ...members(width, { type: 'string' }), kind: { const: `k${i}` } }, ['kind']),
  );

describe('Large unions', () => {
  afterEach(() => vi.restoreAllMocks());

  test('of references to one closed object are decided', () => {
    const refs = Array.from({ length: 3_000 }, () => ({ $ref: '#/$defs/row' }));
    const $defs = { row: closed(members(200, { type: 'string' })) };
    const args = { ...members(200, 'x'), other: 1 };
    const { evaluation, steps } = evaluateCounting(
      compileSchema({ anyOf: [...refs, { required: ['other'] }], $defs }),
      args,
      unhurried,
    );
    expect(evaluation.outcome).toBe('valid');
    expect(steps).toBeLessThan(20_000);
    const explained = evaluate(compileSchema({ anyOf: refs, $defs }), args, unhurried);
    expect(explained.outcome === 'invalid' && describeViolations(explained.violations)).toBe(
      '(root): must not have the property "other"',
    );
  });

  test('of 300 objects that a value tells apart are decided', () => {
    const schema = {
      anyOf: names(300).map((_, i) => ({ $ref: `#/$defs/d${i}` })),
      $defs: Object.fromEntries(tagged(300, 200).map((part, i) => [`d${i}`, part])),
    };
    const args = { ...members(200, 'x'), kind: 'k299' };
    const { evaluation, steps } = evaluateCounting(compileSchema(schema), args, unhurried);
    expect(evaluation.outcome).toBe('valid');
    expect(steps).toBeLessThan(defaultBudget.steps / 2);
  });

  test('keep no verdict where a dynamic reference may lead elsewhere', () => {
    const schema = {
      $id: 'https://example.com/main',
      anyOf: [{ allOf: [{ $ref: 'list' }, false] }, { $ref: 'strings' }],
      $defs: {
        list: {
          $id: 'list',
          items: { $dynamicRef: '#item' },
          $defs: { any: { $dynamicAnchor: 'item', type: 'integer' } },
        },
        strings: { $id: 'strings', $ref: 'list', $defs: { item: { $dynamicAnchor: 'item', type: 'string' } } },
      },
    };
    expect(evaluate(compileSchema(schema), ['a']).outcome).toBe('valid');
    expect(evaluate(compileSchema(schema), [1]).outcome).toBe('invalid');
  });

  const rows = (make: (i: number) => object) => ({ rows: Array.from({ length: 200 }, (_, i) => make(i % 100)) });
  const only = Array.from({ length: 100 }, (_, i) =>
    closed({ [`only${i}`]: { type: 'integer' }, name0: { type: 'string' } }, [`only${i}`]),
  );

  test.each([
    ['by a value', tagged(100, 200), (i: number) => ({ kind: `k${i}`, name0: 5 })],
    ['by what is required', only, (i: number) => ({ [`only${i}`]: 1, name0: 5 })],
  ])('over 200 rows, distinguished %s, name what is wrong with each, and are repaired', (_, anyOf, row) => {
    vi.spyOn(performance, 'now').mockReturnValue(0);
    const compiled = compileSchema({ properties: { rows: { items: { anyOf } } } });
    const evaluation = evaluate(compiled, rows(row), unhurried);
    expect(evaluation.outcome === 'invalid' && describeViolations(evaluation.violations)).toMatch(
      /^\/rows\/\*\/name0, at least (?:\d\d|100) times \(first \/rows\/0\/name0\): must be string, received integer 5(?:\n\.\.\. and more)?$/,
    );
    const repaired = repairArguments(compiled, rows(row), 'all', unhurried);
    expect([repaired.evaluation.outcome, repaired.repairs.length]).toEqual(['valid', 200]);
  });

  test('name all values where none is the one given', () => {
    const compiled = compileSchema({ anyOf: tagged(100, 1) });
    const evaluation = evaluate(compiled, { kind: 'k-1' }, unhurried);
    expect(evaluation.outcome === 'invalid' && describeViolations(evaluation.violations)).toMatch(
      /^\/kind: must be one of "k1", .* and 80 more, received string "k-1"$/,
    );
  });

  test('explain a value within values that refer to themselves to a limit', () => {
    const schema = { type: 'string', anyOf: [{ $ref: '#' }, { $ref: '#' }] };
    const evaluation = evaluate(compileSchema(schema), 1, unhurried);
    expect(evaluation.outcome === 'invalid' && describeViolations(evaluation.violations)).toContain('must be string');
  });
});

describe('A refusal', () => {
  afterEach(() => vi.restoreAllMocks());

  test('is put in words by the clock, too, which stands still until they are read', () => {
    const compiled = compileSchema({ properties: members(500, true), additionalProperties: false });
    let now = 0;
    let tick = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (now += tick));
    const text = (args: object) => {
      const evaluation = evaluate(compiled, args);
      now += 60_000;
      return evaluation.outcome === 'invalid' && describeViolations(evaluation.violations);
    };
    expect(text({ nam7: 1 })).toBe('(root): must not have the property "nam7" (did you mean "name7"?)');
    tick = 300;
    expect(text({ nam7: 1 })).toBe('(root): must not have the property "nam7"');
  });

  test('is decided and explained in one pass over the arguments', () => {
    const compiled = compileSchema({ properties: { a: { type: 'integer' } } });
    const args: Record<string, unknown> = {};
    const asked = vi.fn(() => 'text');
    Object.defineProperty(args, 'a', { get: asked, enumerable: true });
    const evaluation = evaluate(compiled, args);
    const before = asked.mock.calls.length;
    expect(evaluation.outcome === 'invalid' && evaluation.violations).toMatchObject([
      { instanceLocation: '/a', keyword: 'type' },
    ]);
    expect(asked.mock.calls.length).toBe(before);
  });
});
