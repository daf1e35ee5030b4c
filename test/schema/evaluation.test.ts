import { describe, expect, test } from 'vitest';
import { evaluateCounting, evaluate, type EvaluateOptions } from '../../src/schema/evaluate/evaluate.js';
import { compileSchema } from '../../src/schema/compile/compile.js';
import type { Violation } from '../../src/schema/violations/violation.js';
import { decide, outcome, violations } from './decide.js';

/** However slow the machine is. */
const stepsOf = (schema: unknown, instance: unknown, options: EvaluateOptions = {}) =>
  evaluateCounting(compileSchema(schema), instance, { ...options, budget: { ms: 1e9, ...options.budget } }).steps;

describe('The steps of an evaluation', () => {
  const reference = { $ref: '#/$defs/a', $defs: { a: { type: 'integer' } } };
  test.each<[schema: unknown, instance: unknown, steps: number]>([
    [true, 1, 1],
    [{}, 1, 1],
    [{ type: 'integer' }, 1, 1],
    [reference, 1, 2],
    [{ anyOf: [{ type: 'string' }, { type: 'integer' }] }, 1, 3],
    [{ items: { type: 'integer' } }, [1, 2, 3], 4],
    // A match is one, and every 256 characters are one more.
    [{ pattern: '^x' }, 'x'.repeat(255), 2],
    [{ pattern: '^x' }, 'x'.repeat(256), 3],
    [{ pattern: '^x' }, 'x'.repeat(2560), 12],
    // Telling what is wrong is ten, and evaluates no more here.
    [{ type: 'string' }, 1, 11],
  ])('%j of %.20j are %#: %i', (schema, instance, steps) => {
    expect(stepsOf(schema, instance)).toBe(steps);
  });

  test('count a format only where it is asserted', () => {
    expect(stepsOf({ format: 'date' }, '2020-01-01')).toBe(1);
    expect(stepsOf({ format: 'date' }, '2020-01-01', { assertFormats: true })).toBe(2);
    const email = `${'x'.repeat(2540)}@example.com`;
    expect(stepsOf({ not: { format: 'uuid' } }, email, { assertFormats: true })).toBe(2 + 1 + 9);
  });

  // Values that branches ask about again are not evaluated again: three steps for each are spared.
  test('are spared for what is known of ten thousand values at most', () => {
    const asked = { items: { $ref: '#/$defs/row' } };
    const schema = {
      anyOf: [{ ...asked, not: {} }, asked],
      $defs: { row: { type: 'object', properties: { i: { type: 'integer' } } } },
    };
    const rows = (length: number) => Array.from({ length }, (_, i) => ({ i }));
    const forOne = (length: number) => Math.round((100 * stepsOf(schema, rows(length))) / length) / 100;
    expect([forOne(9900), forOne(10_100)]).toEqual([5, 6]);
  });
});

describe('What is known of a value', () => {
  // `list` asks for texts when it is reached through `a`, for integers through `b`.
  const schema = {
    anyOf: [{ $ref: 'a' }, { $ref: 'b' }],
    $defs: {
      list: { $id: 'list', $defs: { t: { $dynamicAnchor: 'T' } }, items: { $dynamicRef: '#T' } },
      a: { $id: 'a', $defs: { t: { $dynamicAnchor: 'T', type: 'string' } }, $ref: 'list' },
      b: { $id: 'b', $defs: { t: { $dynamicAnchor: 'T', type: 'integer' } }, $ref: 'list' },
    },
  };

  test.each([
    [['x'], 'valid'],
    [[1], 'valid'],
    [[true], 'invalid'],
  ])('is not taken over where a dynamic reference leads elsewhere: %j is %s', (instance, expected) => {
    expect(outcome(schema, instance)).toBe(expected);
  });

  test('is not taken over where it was open', () => {
    const slow = { $ref: '#/$defs/slow', minLength: 1 };
    const $defs = { slow: { pattern: '^(a+)+$' } };
    const text = `${'a'.repeat(60)}!`;
    expect(outcome({ anyOf: [slow, slow], $defs }, text, { budget: { patternMs: 20 } })).toBe('pattern-time');
  });
});

describe('An evaluation', () => {
  test('throws what is wrong with the instance itself', () => {
    const instance = {
      get a(): number {
        throw new TypeError('of the getter');
      },
    };
    expect(() => evaluate(compileSchema({ properties: { a: { type: 'integer' } } }), instance)).toThrow(
      'of the getter',
    );
  });

  test('says of a part that is open where it stands', () => {
    const schema = { properties: { a: { items: { $ref: '#/missing' } } } };
    expect(decide(schema, { a: [1] })).toMatchObject({
      reason: 'unresolved-reference',
      schemaLocation: '#/properties/a/items/$ref',
      instanceLocation: '/a/0',
    });
    expect(decide({ items: {} }, [1, 2, 3], { budget: { steps: 2 } })).toMatchObject({ reason: 'steps' });
  });

  test('says the first of the parts that are open, and none that did not matter', () => {
    const open = (name: string) => ({ $ref: `#/${name}` });
    const schema = {
      allOf: [{ anyOf: [open('does-not-matter'), true] }, open('first'), open('second')],
    };
    expect(decide(schema, 1)).toMatchObject({ schemaLocation: '#/allOf/1/$ref' });
  });

  test('cuts what it says of a very long location in its middle', () => {
    const message = (length: number) => {
      const evaluation = decide(
        { properties: { ['x'.repeat(length)]: { $ref: '#/no' } } },
        { ['x'.repeat(length)]: 1 },
      );
      return evaluation.outcome === 'undetermined' ? evaluation.message : '';
    };
    const around = '#/properties//$ref'.length;
    expect(message(200 - around)).toContain('x'.repeat(200 - around));
    expect(message(201 - around)).toContain(`#/properties/${'x'.repeat(99 - 13)}...${'x'.repeat(98 - 5)}/$ref`);
  });
});

describe('A refusal', () => {
  test('stands without steps left to look for more', () => {
    const schema = { items: { type: 'integer' } };
    const items = [...Array.from({ length: 50 }, () => 1), 'x'];
    const steps = 1 + items.length;
    expect(outcome(schema, items, { budget: { steps: steps - 1 } })).toBe('steps');
    const explained = (budget: object) => {
      const evaluation = decide(schema, items, { budget });
      if (evaluation.outcome !== 'invalid') expect.fail();
      return [evaluation.truncated, ...evaluation.violations.map(({ instanceLocation }) => instanceLocation)];
    };
    expect(explained({ steps })).toEqual([true, '/50']);
    expect(explained({ steps: 2 * steps + 20 })).toEqual([false, '/50']);
  });

  test('names a demand once that comes by two ways, and two demands at one place', () => {
    const twice = { $ref: '#/$defs/a' };
    const schema = { allOf: [twice, twice, { minimum: 5 }, { minimum: 7 }], $defs: { a: { minimum: 5 } } };
    expect(violations(schema, 1).map(({ expected }) => expected)).toEqual(['>= 5', '>= 7']);
  });

  test('is explained by branches within branches, twelve deep', () => {
    const nested = (levels: number): object =>
      levels === 0 ? { type: 'integer' } : { anyOf: [nested(levels - 1), { type: 'null' }] };
    let levels = 0;
    let [violation]: readonly (Violation | undefined)[] = violations(nested(20), 'a');
    while (violation?.branches) {
      violation = violation.branches.at(0)?.[0];
      if (violation) levels++;
    }
    expect(levels).toBe(12);
  });

  test('is explained by branches where they stand', () => {
    const schema = {
      properties: { a: { items: { anyOf: [{ properties: { b: { type: 'string' } } }, { type: 'null' }] } } },
    };
    const [violation] = violations(schema, { a: [{}, { b: 1 }] });
    expect(violation).toMatchObject({ instanceLocation: '/a/1' });
    expect(violation!.branches!.at(0)).toMatchObject([{ instanceLocation: '/a/1/b' }]);
  });
});

describe('What is no matter of the verdict', () => {
  test('costs nothing within branches: the first item that does not fit ends them', () => {
    const texts = Array.from({ length: 10_000 }, () => 'a');
    expect(stepsOf({ anyOf: [{ items: { type: 'integer' } }, true] }, texts)).toBeLessThan(10);
  });

  test('is looked for after the first violation for ten times as long as that took, and 100,000 steps', () => {
    const items = { type: 'integer' };
    const schema = { properties: { a: { items }, b: { items } } };
    const unhurried = { budget: { steps: 1e7, ms: 1e9 } };
    const rows = (first: number, others: number) => ({
      a: Array.from({ length: first }, (_, i) => (i === first - 1 ? 'a' : 1)),
      b: Array.from({ length: others }, () => 1),
    });
    expect(decide(schema, rows(20_000, 250_000), unhurried)).toMatchObject({ outcome: 'invalid', truncated: false });
    expect(decide(schema, rows(20_000, 310_000), unhurried)).toMatchObject({ outcome: 'invalid', truncated: true });
    expect(decide(schema, rows(10, 99_000), unhurried)).toMatchObject({ truncated: false });
    expect(decide(schema, rows(10, 101_000), unhurried)).toMatchObject({ truncated: true });
  });
});

describe('What could not be decided', () => {
  const unresolved = { $ref: '#/nowhere' };

  test('is reported where it counts, whatever turned out not to count after it', () => {
    const schema = { allOf: [unresolved, { anyOf: [{ $ref: '#/elsewhere' }, true] }] };
    expect(decide(schema, 1)).toMatchObject({ outcome: 'undetermined', schemaLocation: '#/allOf/0/$ref' });
  });

  test('may have looked at properties and items, which are not called unevaluated then', () => {
    for (const around of [unresolved, { allOf: [unresolved] }, { anyOf: [unresolved] }]) {
      expect(outcome({ ...around, unevaluatedProperties: false }, { a: 1 })).toBe('unresolved-reference');
      expect(outcome({ ...around, unevaluatedItems: false }, [1])).toBe('unresolved-reference');
    }
  });
});

test('A dynamic reference sees all resources around it, however deep what was looked at before', () => {
  const schema = {
    $ref: 'b',
    $defs: {
      n: { $dynamicAnchor: 'n', type: 'integer' },
      b: {
        $id: 'b',
        properties: { p: { properties: { q: { type: 'string' } } }, r: { $dynamicRef: '#n' } },
        $defs: { n: { $dynamicAnchor: 'n', type: 'string' } },
      },
    },
  };
  expect(outcome(schema, { p: { q: 'text' }, r: 1 })).toBe('valid');
  expect(outcome(schema, { p: { q: 'text' }, r: 'text' })).toBe('invalid');
});
