import { expect, test } from 'vitest';
import { compileSchema, type CompileOptions } from '../../src/schema/compile/compile.js';
import { integer, string, to } from '../../test-support/schemas/short.js';
import { decide, outcome } from './decide.js';

/** The outcomes for a string and for a number. */
const ofBoth = (schema: object, options?: CompileOptions) =>
  ['x', 1].map((instance) => outcome(schema, instance, options));

// The official suite has the others.

test.each<[what: string, schema: object]>([
  ['into an unknown keyword', { $ref: '#/components/schemas/a', components: { schemas: { a: string } } }],
  ['into a list', { $ref: '#/allOf/0', allOf: [string] }],
  ['under names of Object.prototype', { ...to('constructor'), $defs: { constructor: string } }],
])('References %s are followed', (_, schema) => {
  expect(ofBoth(schema)).toEqual(['valid', 'invalid']);
});

test('References to given documents, and between these, are followed', () => {
  const documents = {
    'https://example.com/a': { $ref: 'b#/definitions/text' },
    'https://example.com/b': { definitions: { text: string } },
  };
  expect(ofBoth({ $ref: 'https://example.com/a' }, { documents })).toEqual(['valid', 'invalid']);
});

test.each([
  'https://json-schema.org/draft/2020-12/schema',
  'http://json-schema.org/draft-07/schema#',
  'https://json-schema.org/draft-07/schema#',
])('References to the meta-schema %s are followed, since tools take schemas as arguments', ($ref) => {
  expect(outcome({ $ref }, { type: 'string', minLength: 1 })).toBe('valid');
  expect(outcome({ $ref }, { type: 'strng' })).toBe('invalid');
});

test.each([
  ...['#/$defs/missing', '#missing', 'https://example.com/schema', 'other.json', '#/%', 'http://[', '#/$defs/list'],
  ...['#/$defs/toString', '#/constructor', '#/__proto__'],
])('The reference %s leads nowhere, leaves the value undetermined and is an error of the schema', ($ref) => {
  const schema = { $ref, $defs: { list: [] } };
  expect(outcome(schema, 1)).toBe('unresolved-reference');
  expect(compileSchema(schema).diagnostics).toMatchObject([
    { severity: 'error', code: 'unresolved-reference', schemaLocation: '#/$ref' },
  ]);
});

test('References that lead nowhere have an effect only if they are reached', () => {
  const schema = { properties: { a: { $ref: '#/missing' }, b: integer } };
  expect(outcome(schema, { b: 1 })).toBe('valid');
  expect(outcome(schema, { a: 1, b: 'x' })).toBe('invalid');
  expect(decide(schema, { a: 1, b: 1 })).toMatchObject({
    outcome: 'undetermined',
    reason: 'unresolved-reference',
    schemaLocation: '#/properties/a/$ref',
    instanceLocation: '/a',
  });
});
