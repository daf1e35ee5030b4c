import { expect, test } from 'vitest';
import { integer, members, nested, string, texts, times } from '../../test-support/schemas/short.js';
import { outcome, violations } from './decide.js';

const numbers = (count: number) => times(count, (i) => i);
const levels = (count: number) => nested(count, (inner) => [inner], 1);

/** A pattern that is too large to be tried, so its verdict is undetermined. */
const untried = 'a?'.repeat(2_001);
const unreadable = '(';
/** A schema that is undetermined for every value. */
const open = { $ref: '#/missing' };
const is = 'unresolved-reference';
const yes = true;
const no = false;
const oneOrMaybeTwo = { anyOf: [{ const: 1 }, { const: 2, ...open }] };
const member = { properties: { a: true } };
const oneItem = { anyOf: [{ prefixItems: [true] }, open], unevaluatedItems: integer };
const oneMember = { anyOf: [{ properties: { a: {} } }, open], unevaluatedProperties: integer };

const verdicts: Record<string, [schema: object, instance: unknown, expected: string][]> = {
  'leave open what a pattern that is not tried decides': [
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
  ],
  'check nothing by a pattern that cannot be read': [
    [{ patternProperties: { [unreadable]: false } }, { a: 1 }, 'valid'],
    [{ patternProperties: { [unreadable]: true }, additionalProperties: false }, { a: 1 }, 'valid'],
    [{ patternProperties: { [unreadable]: true, '^a': false }, additionalProperties: false }, { a: 1 }, 'invalid'],
    [{ patternProperties: { [unreadable]: true }, unevaluatedProperties: false }, { a: 1 }, 'valid'],
    [{ pattern: unreadable }, 'a', 'valid'],
  ],
  'say of what is left unevaluated': [
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
    [oneItem, [1, 'x'], is],
    [oneMember, { b: 1 }, 'valid'],
    [oneMember, { b: 'x' }, is],
  ],
  'distinguish equal values from others, 200 deep': [
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
  ],
  'take what does not reach the wire for absent': [
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
  ],
  'count code points': [
    [{ minLength: 2 }, '\u{10000}', 'invalid'],
    [{ minLength: 2 }, '\u{10000}a', 'valid'],
    [{ minLength: 2 }, '\ud800\ud800', 'valid'],
    [{ maxLength: 1 }, '\u{10000}', 'valid'],
    [{ maxLength: 1 }, '\uffff\uffff', 'invalid'],
  ],
  'take of what is malformed what can be read': [
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
  ],
  'decide nothing by an undetermined part': [
    [{ allOf: [open, yes] }, 1, is],
    [{ allOf: [open, no] }, 1, 'invalid'],
    [{ anyOf: [open, yes] }, 1, 'valid'],
    [{ anyOf: [open, no] }, 1, is],
    [{ oneOf: [open, no] }, 1, is],
    [{ oneOf: [open, yes] }, 1, is],
    [{ oneOf: [open, yes, yes] }, 1, 'invalid'],
    [{ not: open }, 1, is],
    [{ not: { allOf: [open, no] } }, 1, 'valid'],
    [{ not: { anyOf: [open, yes] } }, 1, 'invalid'],
    [{ if: open, then: yes, else: yes }, 1, 'valid'],
    [{ if: open, then: no, else: no }, 1, 'invalid'],
    [{ if: open, then: yes, else: no }, 1, is],
    [{ if: open, then: no }, 1, is],
    [{ if: open }, 1, 'valid'],
    [{ if: yes, then: yes, else: open }, 1, 'valid'],
    [{ contains: open }, [1], is],
    [{ contains: open }, [], 'invalid'],
    [{ contains: open, minContains: 0 }, [1, 2], 'valid'],
    [{ contains: open, minContains: 3 }, [1, 2], 'invalid'],
    [{ contains: oneOrMaybeTwo, maxContains: 1 }, [1, 1], 'invalid'],
    [{ contains: oneOrMaybeTwo, maxContains: 1 }, [1, 2], is],
    [{ contains: oneOrMaybeTwo }, [1, 2], 'valid'],
    [{ items: open }, [], 'valid'],
    [{ items: { anyOf: [integer, open] } }, [1, 2], 'valid'],
    [{ propertyNames: open }, { a: 1 }, is],
    [{ dependentSchemas: { a: open } }, { b: 1 }, 'valid'],
  ],
  'nor by what an undetermined part may have evaluated': [
    // The undetermined branch may have evaluated the member.
    [{ anyOf: [member, open], unevaluatedProperties: no }, { a: 1, b: 1 }, is],
    [{ anyOf: [member, open], unevaluatedProperties: no }, { a: 1 }, 'valid'],
    [{ ...open, unevaluatedProperties: no }, { a: 1 }, is],
    [{ allOf: [open], unevaluatedProperties: no }, { a: 1 }, is],
    // If the member is accepted anyway, that does not matter.
    [{ anyOf: [yes, open], unevaluatedProperties: integer }, { b: 1 }, 'valid'],
    // An undetermined branch does not count as having evaluated the member.
    [{ anyOf: [yes, { ...member, not: open }], unevaluatedProperties: no }, { a: 1 }, is],
    [{ if: open, then: member, unevaluatedProperties: no }, { a: 1 }, is],
    [{ anyOf: [{ prefixItems: [yes] }, open], unevaluatedItems: no }, [1, 2], is],
    [{ anyOf: [{ prefixItems: [yes, yes] }, open], unevaluatedItems: no }, [1, 2], 'valid'],
    [{ allOf: [open], unevaluatedItems: no }, [1], is],
    [{ contains: oneOrMaybeTwo, unevaluatedItems: no }, [1, 2], is],
    // Not through `not`: its annotations are dropped.
    [{ not: { not: open }, unevaluatedProperties: no }, { a: 1 }, 'invalid'],
  ],
};

test.each(Object.entries(verdicts).flatMap(([what, rows]) => rows.map((row) => [what, ...row] as const)))(
  'Keywords %s: %.60j of %.40j is %s',
  (_, schema, instance, expected) => {
    expect(outcome(schema, instance, { budget: { depth: 1_000 } })).toBe(expected);
  },
);

test('Keywords count the properties that reach the wire', () => {
  expect(violations({ minProperties: 2 }, { a: 1, b: undefined })[0]?.message).toBe(
    '(root): must have at least 2 properties, has 1',
  );
});

const ones = (count: number) => members(texts(count), () => 1);

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
  ['items', { items: integer }, numbers(100)],
  ['minContains', { contains: true, minContains: 100 }, numbers(99)],
  ['dependentRequired', { dependentRequired: members(texts(100), () => []) }, {}],
  ['dependentSchemas', { dependentSchemas: members(texts(100)) }, {}],
  ['contains', { contains: { type: 'object' } }, numbers(100)],
  ['not', { not: { items: string } }, texts(100)],
  ['if', { if: { items: string }, then: false }, texts(100)],
  ['enum', { enum: [numbers(100)] }, numbers(100)],
  ['pattern', { pattern: 'x$' }, 'x'.repeat(60_000)],
  ['propertyNames', { propertyNames: { minLength: 1 } }, ones(1_100)],
  ['unevaluatedItems', { unevaluatedItems: { type: 'object' } }, numbers(100)],
  ['unevaluatedProperties', { unevaluatedProperties: { type: 'object' } }, ones(1_100)],
])('The steps of keywords are bounded for %s', (_, schema, instance) => {
  const budget = { steps: 50, ms: 1e9 };
  expect(outcome({ not: { not: schema } }, instance, { budget })).toBe('steps');
  expect(outcome({ not: { not: schema } }, instance, { budget: { ...budget, steps: 1e6 } })).toMatch(/valid$/);
});
