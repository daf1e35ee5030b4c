import { describe, expect, test } from 'vitest';
import { evaluateCounting } from '../../src/schema/evaluate/evaluate.js';
import { compileSchema } from '../../src/schema/compile/compile.js';
import { defaultBudget } from '../../src/schema/evaluate/budget.js';
import { describeViolations } from '../../src/schema/violations/describe.js';

/** Bounds are asserted in steps: how long a step takes is the machine's affair. */
const bound = defaultBudget.steps;

type Hostile = [family: string, make: () => { schema: unknown; instance: unknown }, outcome: string];

const manyNames = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`property${i}`, { type: 'string', description: 'x'.repeat(60) }]),
  );

const hostile: Hostile[] = [
  ['allOf that doubles 30 times', () => fanOut('allOf', 'text'), 'steps'],
  ['anyOf that doubles 30 times', () => fanOut('anyOf', 1), 'invalid'],
  ['oneOf that doubles 30 times', () => fanOut('oneOf', 'text'), 'invalid'],
  ['allOf that doubles 30 times and refuses', () => fanOut('allOf', 1), 'invalid'],
  ['a schema that refers to itself', () => ({ schema: { $ref: '#' }, instance: 1 }), 'depth'],
  [
    'two schemas that refer to each other',
    () => ({
      schema: { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
      instance: 1,
    }),
    'depth',
  ],
  [
    'anyOf that refers to itself twice',
    () => ({ schema: { anyOf: [{ $ref: '#' }, { $ref: '#' }] }, instance: 1 }),
    'steps',
  ],
  [
    'a dynamic reference to itself',
    () => ({ schema: { $dynamicAnchor: 'a', $dynamicRef: '#a' }, instance: 1 }),
    'depth',
  ],
  [
    '100,000 levels of properties',
    () => ({ schema: nested(100_000, (inner) => ({ properties: { a: inner } })), instance: { a: {} } }),
    'valid',
  ],
  [
    '100,000 levels of properties, and arguments as deep',
    () => ({
      schema: nested(100_000, (inner) => ({ properties: { a: inner } })),
      instance: nested(100_000, (a) => ({ a })),
    }),
    'depth',
  ],
  [
    '100,000 levels of allOf',
    () => ({ schema: nested(100_000, (inner) => ({ allOf: [inner] })), instance: 1 }),
    'depth',
  ],
  ['100,000 levels of not', () => ({ schema: nested(100_000, (inner) => ({ not: inner })), instance: 1 }), 'depth'],
  [
    'arguments of 100,000 levels under a recursive schema',
    () => ({ schema: { items: { $ref: '#' } }, instance: nested(100_000, (inner) => [inner]) }),
    'depth',
  ],
  [
    'arguments of 100,000 levels that nothing looks into',
    () => ({ schema: { type: 'array' }, instance: nested(100_000, (inner) => [inner]) }),
    'valid',
  ],
  [
    'const of 100,000 levels',
    () => ({ schema: { const: nested(100_000, (inner) => [inner]) }, instance: nested(100_000, (inner) => [inner]) }),
    'depth',
  ],
  [
    'uniqueItems of 100,000 levels',
    () => ({
      schema: { uniqueItems: true },
      instance: [nested(100_000, (a) => ({ a })), nested(100_000, (a) => ({ a }))],
    }),
    'depth',
  ],
  [
    'uniqueItems over 20,000 objects',
    () => ({
      schema: { uniqueItems: true },
      instance: Array.from({ length: 20_000 }, (_, i) => ({ id: i, tag: { of: i } })),
    }),
    'valid',
  ],
  [
    'uniqueItems over 20,000 objects, the last one twice',
    () => ({
      schema: { uniqueItems: true },
      instance: Array.from({ length: 20_000 }, (_, i) => ({ id: Math.min(i, 19_998) })),
    }),
    'invalid',
  ],
  [
    'enum of 500,000 values',
    () => ({ schema: { enum: Array.from({ length: 500_000 }, (_, i) => `value ${i}`) }, instance: 'none' }),
    'invalid',
  ],
  [
    'anyOf of 1,000,000 schemas',
    () => ({ schema: { anyOf: Array.from({ length: 1_000_000 }, () => ({ type: 'string' })) }, instance: 1 }),
    'schema-size',
  ],
  [
    'required of 1,000,000 names',
    () => ({ schema: { required: Array.from({ length: 1_000_000 }, (_, i) => `name${i}`) }, instance: {} }),
    'steps',
  ],
  [
    'a schema of 10 MB',
    () => ({ schema: { properties: manyNames(100_000) }, instance: { property7: 'text' } }),
    'valid',
  ],
  [
    'a schema of 10 MB with an anchor somewhere in it',
    () => ({
      schema: {
        properties: { ...manyNames(100_000), z: { $ref: '#a' } },
        $defs: { b: { $anchor: 'a', type: 'string' } },
      },
      instance: { z: 1 },
    }),
    'invalid',
  ],
  [
    'a schema of more schemas than there may be, with an anchor',
    () => ({ schema: { properties: { ...manyNames(200_000), z: { $ref: '#a' } } }, instance: { z: 1 } }),
    'schema-size',
  ],
  [
    '20,000 patterns',
    () => ({
      schema: { patternProperties: Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`^a${i}$`, true])) },
      instance: { b: 1 },
    }),
    'schema-size',
  ],
  [
    'patterns of thousands of Unicode properties',
    () => ({
      schema: {
        patternProperties: Object.fromEntries(
          Array.from({ length: 500 }, (_, i) => [`${'\\p{L}'.repeat(100)}${i}`, true]),
        ),
      },
      instance: { b: 1 },
    }),
    'schema-size',
  ],
  [
    '1,000,000 items',
    () => ({ schema: { items: { type: 'integer' } }, instance: Array.from({ length: 1_000_000 }, () => 1) }),
    'steps',
  ],
  [
    'additionalProperties over 100,000 members',
    () => ({ schema: { additionalProperties: false }, instance: manyNames(100_000) }),
    'invalid',
  ],
  [
    'unevaluatedProperties over a fan-out',
    () => ({ schema: { ...(fanOut('anyOf', 1).schema as object), unevaluatedProperties: false }, instance: { a: 1 } }),
    'steps',
  ],
  [
    'multipleOf at both ends of the numbers',
    () => ({ schema: { multipleOf: 5e-324 }, instance: Number.MAX_VALUE }),
    'valid',
  ],
];

/** The steps are what is tested here, whatever the machine's speed. */
const unhurried = { budget: { ms: 60_000 } };

describe('Hostile schemas and arguments', () => {
  test.each(hostile)('%s', (_, make, expected) => {
    const { schema, instance } = make();
    const compiled = compileSchema(schema);
    const { evaluation, steps } = evaluateCounting(compiled, instance, unhurried);

    expect(evaluation.outcome === 'undetermined' ? evaluation.reason : evaluation.outcome).toBe(expected);
    expect(steps).toBeLessThanOrEqual(bound);
    expect(compiled.diagnostics.length).toBeLessThanOrEqual(101);
    if (evaluation.outcome === 'invalid') expect(describeViolations(evaluation.violations).length).toBeLessThan(10_000);
    else if (evaluation.outcome === 'undetermined') expect(evaluation.message.length).toBeLessThan(1000);
  });

  // Each keyword by itself is cheap; fifty thousand times over, on a large value, it must not be.
  test.each<[keywords: object, instance: () => unknown]>([
    [{ items: true }, () => Array.from({ length: 10_000 }, () => 1)],
    [{ contains: true, minContains: 20_000 }, () => Array.from({ length: 10_000 }, () => 1)],
    [{ unevaluatedItems: true }, () => Array.from({ length: 10_000 }, () => 1)],
    [{ uniqueItems: true }, () => Array.from({ length: 10_000 }, (_, i) => i)],
    [{ enum: [['x'.repeat(1_000_000)]] }, () => ['x'.repeat(1_000_000)]],
    [{ const: 'x'.repeat(1_000_000) }, () => 'x'.repeat(1_000_000)],
    [{ minLength: 900_000 }, () => 'x'.repeat(1_000_000)],
    [{ maxLength: 900_000 }, () => 'x'.repeat(1_000_000)],
    [{ pattern: '^x+$' }, () => 'x'.repeat(1_000_000)],
    [{ minProperties: 1 }, () => manyNames(10_000)],
    [{ maxProperties: 1 }, () => manyNames(10_000)],
    [{ properties: {} }, () => manyNames(10_000)],
    [{ patternProperties: {} }, () => manyNames(10_000)],
    [{ propertyNames: true }, () => manyNames(10_000)],
    [{ additionalProperties: {} }, () => manyNames(10_000)],
    [{ unevaluatedProperties: true }, () => manyNames(10_000)],
    [{ required: Object.keys(manyNames(10_000)) }, () => manyNames(10_000)],
    [{ dependentSchemas: manyNames(10_000) }, () => ({})],
    [{ dependentRequired: Object.fromEntries(Object.keys(manyNames(10_000)).map((name) => [name, []])) }, () => ({})],
  ])('fifty thousand times over a large value: %#', (keywords, make) => {
    const $defs = { costly: { allOf: [keywords, false] } };
    const schema = { anyOf: Array.from({ length: 50_000 }, () => ({ $ref: '#/$defs/costly' })), $defs };
    const { evaluation, steps } = evaluateCounting(compileSchema(schema), make(), unhurried);

    // A reference that was followed for this value is not followed again, so that the steps may well be enough to refuse.
    expect(steps).toBeLessThanOrEqual(bound);
    if (evaluation.outcome === 'undetermined') expect(evaluation.reason).toMatch(/^(steps|pattern-time)$/);
    else {
      expect(evaluation.outcome).toBe('invalid');
      if (evaluation.outcome === 'invalid') expect(describeViolations(evaluation.violations)).not.toBe('');
    }
  });

  test('do not bring down a host that has used up its stack nearly', () => {
    const compiled = compileSchema({ items: { $ref: '#' } });
    const instance = nested(150, (inner) => [inner]);
    const outcomes = new Set<string>();
    // On the way back from the overflow every frame has a little more room than the one before.
    const descend = (level: number): void => {
      try {
        descend(level + 1);
      } finally {
        if (level % 50 === 0)
          outcomes.add(outcomeWithin(() => evaluateCounting(compiled, instance).evaluation.outcome));
      }
    };
    expect(() => descend(0)).toThrow(RangeError);
    outcomes.delete('no room even to begin');
    expect([...outcomes].sort()).toEqual(['undetermined', 'valid']);
  });
});

function outcomeWithin(work: () => string): string {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) return 'no room even to begin';
    throw error;
  }
}

function fanOut(combinator: string, instance: unknown): { schema: unknown; instance: unknown } {
  const $defs: Record<string, unknown> = { level0: { type: 'string' } };
  for (let i = 1; i <= 30; i++) {
    const $ref = `#/$defs/level${i - 1}`;
    $defs[`level${i}`] = { [combinator]: [{ $ref }, { $ref }] };
  }
  return { schema: { $ref: '#/$defs/level30', $defs }, instance };
}

function nested(levels: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = wrap(1);
  for (let i = 0; i < levels; i++) value = wrap(value);
  return value;
}
