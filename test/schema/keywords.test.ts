import { describe, expect, test } from 'vitest';
import { integer, members, nested, texts, times } from '../../test-support/schemas/short.js';
import { outcome, stepsOf, violations } from './decide.js';

const numbers = (count: number) => times(count, (i) => i);
const levels = (count: number) => nested(count, (inner) => [inner], 1);

/** A pattern that is too large to be tried, so its verdict is undetermined. */
const untried = 'a?'.repeat(2_001);
const unreadable = '(';
const missing = { $ref: '#/missing' };
const oneItem = { anyOf: [{ prefixItems: [true] }, missing], unevaluatedItems: integer };
const oneMember = { anyOf: [{ properties: { a: {} } }, missing], unevaluatedProperties: integer };

describe('Keywords', () => {
  test.each<[schema: object, instance: unknown, expected: string]>([
    [{ patternProperties: { [untried]: integer } }, { a: 1 }, 'valid'],
    [{ patternProperties: { [untried]: integer } }, { a: 'x' }, 'pattern-time'],
    [{ patternProperties: { [untried]: integer, '^a': false } }, { a: 'x' }, 'invalid'],
    [{ patternProperties: { [untried]: true }, additionalProperties: integer }, { a: 1 }, 'valid'],
    [{ patternProperties: { [untried]: true }, additionalProperties: integer }, { a: 'x' }, 'pattern-time'],
    [{ patternProperties: { [untried]: true }, additionalProperties: false }, { a: 1 }, 'pattern-time'],
    [{ patternProperties: { [untried]: true, '^a': true }, additionalProperties: false }, { a: 1 }, 'valid'],
    [{ patternProperties: { '^a': true, [untried]: true }, additionalProperties: false }, { a: 1 }, 'valid'],
    [{ patternProperties: { '^b': true, '^a': true }, additionalProperties: false }, { a: 1 }, 'valid'],
    [{ patternProperties: { [untried]: true }, unevaluatedProperties: false }, { a: 1 }, 'pattern-time'],
    [{ patternProperties: { [untried]: true }, unevaluatedProperties: integer }, { a: 1 }, 'valid'],
  ])('leave open what a pattern that is not tried decides: %.20j of %j is %s', (schema, instance, expected) => {
    expect(outcome(schema, instance)).toBe(expected);
  });

  test.each<[schema: object, instance: unknown, expected: string]>([
    [{ patternProperties: { [unreadable]: false } }, { a: 1 }, 'valid'],
    [{ patternProperties: { [unreadable]: true }, additionalProperties: false }, { a: 1 }, 'valid'],
    [{ patternProperties: { [unreadable]: true, '^a': false }, additionalProperties: false }, { a: 1 }, 'invalid'],
    [{ patternProperties: { [unreadable]: true }, unevaluatedProperties: false }, { a: 1 }, 'valid'],
    [{ pattern: unreadable }, 'a', 'valid'],
  ])('check nothing by a pattern that cannot be read: %j of %j is %s', (schema, instance, expected) => {
    expect(outcome(schema, instance)).toBe(expected);
  });

  test.each<[schema: object, instance: unknown, expected: string]>([
    [{ not: { unevaluatedItems: false } }, [1], 'valid'],
    [{ not: { unevaluatedProperties: false } }, { a: 1 }, 'valid'],
    [{ not: { unevaluatedProperties: integer } }, { a: 1, b: 'x' }, 'valid'],
    [{ not: { unevaluatedProperties: integer } }, { a: 1, b: 2 }, 'invalid'],
    [{ not: { unevaluatedItems: integer } }, [1, 'x'], 'valid'],
    [{ not: { additionalProperties: integer } }, { a: 1, b: 'x' }, 'valid'],
    [{ not: { patternProperties: { '.': integer } } }, { a: 1, b: 'x' }, 'valid'],
    [{ not: { propertyNames: { maxLength: 1 } } }, { a: 1, bb: 'x' }, 'valid'],
    [{ not: { dependentSchemas: { a: true, b: false } } }, { a: 1, b: 1 }, 'valid'],
    [oneItem, [1, 2], 'valid'],
    [oneItem, [1, 'x'], 'unresolved-reference'],
    [oneMember, { b: 1 }, 'valid'],
    [oneMember, { b: 'x' }, 'unresolved-reference'],
  ])('say of what is left unevaluated: %j of %j is %s', (schema, instance, expected) => {
    expect(outcome(schema, instance)).toBe(expected);
  });

  test.each<[schema: object, instance: unknown, expected: string]>([
    [{ enum: [...numbers(12), [1]] }, 11, 'valid'],
    [{ enum: numbers(13) }, 12, 'valid'],
    [{ enum: numbers(13) }, 13, 'invalid'],
    [{ enum: [levels(200)] }, levels(200), 'valid'],
    [{ enum: [levels(201)] }, levels(200), 'depth'],
    [{ enum: [levels(200)] }, levels(201), 'depth'],
    [{ enum: [levels(201), [2]] }, [2], 'valid'],
    [{ uniqueItems: true }, [levels(200), levels(200)], 'invalid'],
    [{ uniqueItems: true }, [levels(201), levels(1)], 'depth'],
    [{ uniqueItems: true }, [levels(201)], 'valid'],
    [{ uniqueItems: true }, ['\u0000[1,]', [1]], 'valid'],
    [{ uniqueItems: true }, [null, undefined], 'invalid'],
  ])('distinguish equal values from others, 200 deep: %.40j of %.40j is %s', (schema, instance, expected) => {
    expect(outcome(schema, instance, { budget: { depth: 1_000 } })).toBe(expected);
  });

  test.each<[schema: object, instance: unknown, expected: string]>([
    [{ minProperties: 2 }, { a: 1, b: undefined }, 'invalid'],
    [{ maxProperties: 1 }, { a: 1, b: undefined }, 'valid'],
    [{ required: ['a'] }, { a: undefined }, 'invalid'],
    [{ properties: { a: false } }, { a: undefined }, 'valid'],
    [{ additionalProperties: false }, { a: undefined }, 'valid'],
    [{ patternProperties: { a: false } }, { a: undefined }, 'valid'],
    [{ propertyNames: false }, { a: undefined }, 'valid'],
    [{ unevaluatedProperties: false }, { a: undefined }, 'valid'],
    [{ dependentRequired: { a: ['b'] } }, { a: undefined }, 'valid'],
    [{ dependentSchemas: { a: false } }, { a: undefined }, 'valid'],
  ])('take what does not reach the wire for absent: %j of %o is %s', (schema, instance, expected) => {
    expect(outcome(schema, instance)).toBe(expected);
  });

  test('count the properties that reach the wire', () => {
    expect(violations({ minProperties: 2 }, { a: 1, b: undefined })[0]?.message).toBe(
      '(root): must have at least 2 properties, has 1',
    );
  });

  test.each<[schema: object, text: string, expected: string]>([
    [{ minLength: 2 }, '\u{10000}', 'invalid'],
    [{ minLength: 2 }, '\u{10000}a', 'valid'],
    [{ minLength: 2 }, '\ud800\ud800', 'valid'],
    [{ maxLength: 1 }, '\u{10000}', 'valid'],
    [{ maxLength: 1 }, '\uffff\uffff', 'invalid'],
  ])('count code points: %j of %j is %s', (schema, text, expected) => {
    expect(outcome(schema, text)).toBe(expected);
  });

  test.each<[schema: object, instance: unknown, expected: string]>([
    [{ contains: { const: 1 }, minContains: -1 }, [], 'invalid'],
    [{ contains: { const: 1 }, minContains: '0' }, [], 'invalid'],
    [{ contains: { const: 1 }, minContains: 0 }, [], 'valid'],
    [{ contains: { const: 1 }, maxContains: -1 }, [1], 'valid'],
    [{ contains: { const: 1 }, maxContains: 0 }, [1], 'invalid'],
    [{ required: ['a', 5] }, {}, 'invalid'],
    [{ required: ['a', 5] }, { a: 1 }, 'valid'],
    [{ required: [5] }, {}, 'valid'],
    [{ type: [['string']] }, 1, 'valid'],
    [{ type: 'string', nullable: true }, null, 'valid'],
    [{ type: 'string', nullable: 'true' }, null, 'invalid'],
    [{ type: ['string', 'null'], nullable: true }, 1, 'invalid'],
  ])('take of what is malformed what can be read: %j of %j is %s', (schema, instance, expected) => {
    expect(outcome(schema, instance)).toBe(expected);
  });
});

describe('The steps of keywords', () => {
  const ones = (count: number) => members(texts(count), () => 1);

  // Evaluation ends once the verdict is known.
  test.each<[what: string, schema: object, instance: unknown, below: number]>([
    ['contains ends with the item that suffices', { contains: { const: 0 } }, numbers(1_000), 10],
    ['contains ends with the item that is one too many', { contains: true, maxContains: 3 }, numbers(1_000), 30],
    ['oneOf ends with the second that matches', { not: { oneOf: numbers(100).map(() => true) } }, 1, 10],
    ['anyOf ends with the first that matches', { anyOf: numbers(100).map(() => true) }, 1, 10],
    ['unevaluatedItems ends within a branch', { not: { unevaluatedItems: { type: 'null' } } }, numbers(100), 120],
    ['uniqueItems has nothing to compare in one', { uniqueItems: true }, [numbers(10_000)], 10],
    ['maxProperties within a branch', { not: { maxProperties: 1 } }, ones(100), 120],
  ])('%s', (_, schema, instance, below) => {
    expect(stepsOf(schema, instance)).toBeLessThan(below);
  });

  // Each keyword exceeds its budget, so its verdict is undetermined, never wrong.
  test.each<[what: string, schema: object, instance: unknown]>([
    ['uniqueItems', { uniqueItems: true }, texts(100)],
    ['uniqueItems of lists', { uniqueItems: true }, numbers(100).map((i) => [i])],
    ['const of a long text', { const: 'y'.repeat(30_000) }, 'x'.repeat(30_000)],
    ['const of a long list', { const: numbers(100) }, numbers(100)],
    ['required', { required: texts(100) }, { x: 1 }],
    ['additionalProperties', { additionalProperties: integer }, ones(1_100)],
    ['patternProperties', { patternProperties: { y: false } }, ones(100)],
    ['minLength', { minLength: 30_000 }, 'x'.repeat(29_000)],
    ['maxProperties', { maxProperties: 0 }, ones(1_100)],
    ['oneOf', { oneOf: numbers(100).map(() => ({ type: 'object' })) }, 1],
    ['anyOf', { anyOf: numbers(100).map(() => ({ type: 'object' })) }, 1],
    ['contains', { contains: { type: 'object' } }, numbers(100)],
    ['unevaluatedItems', { unevaluatedItems: { type: 'object' } }, numbers(100)],
    ['unevaluatedProperties', { unevaluatedProperties: { type: 'object' } }, ones(1_100)],
  ])('are bounded for %s', (_, schema, instance) => {
    const budget = { steps: 50, ms: 1e9 };
    expect(outcome({ not: { not: schema } }, instance, { budget })).toBe('steps');
    expect(outcome({ not: { not: schema } }, instance, { budget: { ...budget, steps: 1e6 } })).toMatch(/valid$/);
  });
});
