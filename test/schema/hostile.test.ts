import { expect, test } from 'vitest';
import { evaluate } from '../../src/schema/evaluate/evaluate.js';
import { type CompiledSchema, compileSchema } from '../../src/schema/compile/compile.js';
import { defaultBudget } from '../../src/schema/evaluate/budget.js';
import { violationLines } from '../../src/schema/violations/describe.js';
import { evaluateCounting } from '../../test-support/counted.js';
import { integer, members, nested, string, texts, times, to } from '../../test-support/schemas/short.js';

type Pair = readonly [schema: unknown, instance: unknown];

const itself = { $ref: '#' };
const deep = (wrap: (inner: unknown) => unknown) => nested(100_000, wrap, 1);
const lists = () => deep((inner) => [inner]);
const objects = () => deep((a) => ({ a }));
const described = (count: number) => members(texts(count), () => ({ ...string, description: 'x'.repeat(60) }));

/** Each definition applies the one before it twice. */
function fanOut(combinator: string): object {
  const $defs = times(31, (level) => [`d${level}`, { [combinator]: [to(`d${level - 1}`), to(`d${level - 1}`)] }]);
  return { ...to('d30'), $defs: { ...Object.fromEntries($defs), d0: string } };
}

const hostile: readonly [family: string, make: () => Pair, outcome: string][] = [
  ['allOf that doubles 30 times', () => [fanOut('allOf'), 'text'], 'steps'],
  ['anyOf that doubles 30 times', () => [fanOut('anyOf'), 1], 'invalid'],
  ['oneOf that doubles 30 times', () => [fanOut('oneOf'), 'text'], 'invalid'],
  ['allOf that doubles 30 times and rejects', () => [fanOut('allOf'), 1], 'invalid'],
  ['unevaluatedProperties over it', () => [{ ...fanOut('anyOf'), unevaluatedProperties: false }, { a: 1 }], 'steps'],
  ['a schema that refers to itself', () => [itself, 1], 'depth'],
  ['two that refer to each other', () => [{ ...to('a'), $defs: { a: to('b'), b: to('a') } }, 1], 'depth'],
  ['anyOf that refers to itself twice', () => [{ anyOf: [itself, itself] }, 1], 'steps'],
  ['a dynamic reference to itself', () => [{ $dynamicAnchor: 'a', $dynamicRef: '#a' }, 1], 'depth'],
  ['levels of properties', () => [deep((a) => ({ properties: { a } })), { a: {} }], 'valid'],
  ['levels of properties, and arguments as deep', () => [deep((a) => ({ properties: { a } })), objects()], 'depth'],
  ['levels of allOf', () => [deep((inner) => ({ allOf: [inner] })), 1], 'depth'],
  ['levels of not', () => [deep((not) => ({ not })), 1], 'depth'],
  ['levels of arguments under a recursive schema', () => [{ items: itself }, lists()], 'depth'],
  ['levels of arguments that nothing looks into', () => [{ type: 'array' }, lists()], 'valid'],
  ['levels of const', () => [{ const: lists() }, lists()], 'depth'],
  ['levels of uniqueItems', () => [{ uniqueItems: true }, [objects(), objects()]], 'depth'],
  ['20,000 unique objects', () => [{ uniqueItems: true }, times(20_000, (id) => ({ id, tag: { of: id } }))], 'valid'],
  [
    '20,000 objects, the last one twice',
    () => [{ uniqueItems: true }, times(20_000, (i) => ({ id: Math.min(i, 19_998) }))],
    'invalid',
  ],
  ['enum of 500,000 values', () => [{ enum: texts(500_000) }, 'none'], 'invalid'],
  ['anyOf of 250,000 schemas', () => [{ anyOf: times(250_000, () => ({ ...string })) }, 1], 'schema-size'],
  ['required of 1,000,000 names', () => [{ required: texts(1_000_000) }, {}], 'steps'],
  ['a schema of 10 MB', () => [{ properties: described(100_000) }, { p7: 'text' }], 'valid'],
  [
    'a schema of 10 MB with an anchor somewhere in it',
    () => [
      { properties: { ...described(100_000), z: { $ref: '#a' } }, $defs: { b: { $anchor: 'a', ...string } } },
      { z: 1 },
    ],
    'invalid',
  ],
  [
    'a schema of more schemas than there may be, with an anchor',
    () => [{ properties: { ...members(texts(200_000)), z: { $ref: '#a' } } }, { z: 1 }],
    'schema-size',
  ],
  ['20,000 patterns', () => [{ patternProperties: members(texts(20_000, '^a')) }, { b: 1 }], 'schema-size'],
  [
    'patterns of thousands of Unicode properties',
    () => [{ patternProperties: members(texts(500, '\\p{L}'.repeat(100))) }, { b: 1 }],
    'schema-size',
  ],
  ['1,000,000 items', () => [{ items: integer }, times(1_000_000, () => 1)], 'steps'],
  ['100,000 unwanted members', () => [{ additionalProperties: false }, members(texts(100_000))], 'invalid'],
  ['multipleOf at both ends of the numbers', () => [{ multipleOf: 5e-324 }, Number.MAX_VALUE], 'valid'],
];

/** Bounds are asserted in steps, because seconds depend on the machine. */
function decided(compiled: CompiledSchema, instance: unknown) {
  const { evaluation, steps } = evaluateCounting(compiled, instance, { budget: { ms: 60_000 } });
  expect(steps).toBeLessThanOrEqual(defaultBudget.steps);
  if (evaluation.outcome === 'invalid') {
    const lines = violationLines(evaluation.violations).join('\n');
    expect(lines).not.toBe('');
    expect(lines.length).toBeLessThan(10_000);
  }
  if (evaluation.outcome !== 'undetermined') return evaluation.outcome;
  expect(evaluation.message.length).toBeLessThan(1000);
  return evaluation.reason;
}

test.each(hostile)('A hostile schema ends within its budget: %s', (_, make, expected) => {
  const [schema, instance] = make();
  const compiled = compileSchema(schema);
  expect(decided(compiled, instance)).toBe(expected);
  expect(compiled.diagnostics.length).toBeLessThanOrEqual(101);
});

test('Hostile schemas do not crash a host whose stack is nearly used up', () => {
  const compiled = compileSchema({ items: itself });
  const instance = nested(150, (inner) => [inner], [1]);
  const outcomes = new Set<string>();
  // On the way back from the overflow, every frame has a little more stack.
  const descend = (level: number): void => {
    try {
      descend(level + 1);
    } finally {
      if (level % 50 === 0) outcomes.add(outcomeWithin(() => evaluate(compiled, instance).outcome));
    }
  };
  expect(() => descend(0)).toThrow(RangeError);
  outcomes.delete('no room even to begin');
  expect([...outcomes].sort()).toEqual(['undetermined', 'valid']);
});

function outcomeWithin(work: () => string): string {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) return 'no room even to begin';
    throw error;
  }
}
