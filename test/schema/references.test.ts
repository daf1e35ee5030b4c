import { describe, expect, test } from 'vitest';
import { compileSchema } from '../../src/schema/compile/compile.js';
import { decide, outcome } from './decide.js';

// The official suite has the others.
describe('References', () => {
  test.each<[what: string, schema: object, accepted: unknown, refused: unknown]>([
    [
      'into an unknown keyword',
      { $ref: '#/components/schemas/a', components: { schemas: { a: { type: 'string' } } } },
      'x',
      1,
    ],
    ['into a list', { $ref: '#/allOf/0', allOf: [{ type: 'string' }] }, 'x', 1],
    [
      'under names of Object.prototype',
      { $ref: '#/$defs/constructor', $defs: { constructor: { type: 'string' } } },
      'x',
      1,
    ],
  ])('%s are followed', (_, schema, accepted, refused) => {
    expect(outcome(schema, accepted)).toBe('valid');
    expect(outcome(schema, refused)).toBe('invalid');
  });

  test.each([
    'https://json-schema.org/draft/2020-12/schema',
    'http://json-schema.org/draft-07/schema#',
    'https://json-schema.org/draft-07/schema#',
  ])('to the meta-schema %s are followed: tools take schemas as arguments', ($ref) => {
    expect(outcome({ $ref }, { type: 'string', minLength: 1 })).toBe('valid');
    expect(outcome({ $ref }, { type: 'strng' })).toBe('invalid');
  });

  test('to documents that were given along are followed, and from there onwards', () => {
    const documents = {
      'https://example.com/a': { $ref: 'b#/definitions/text' },
      'https://example.com/b': { definitions: { text: { type: 'string' } } },
    };
    expect(outcome({ $ref: 'https://example.com/a' }, 'x', { documents })).toBe('valid');
    expect(outcome({ $ref: 'https://example.com/a' }, 1, { documents })).toBe('invalid');
  });
});

describe('References that lead nowhere', () => {
  const dangling = [
    '#/$defs/missing',
    '#missing',
    'https://example.com/schema',
    'other.json',
    '#/$defs/toString',
    '#/%',
    'http://[',
    '#/$defs/list',
  ];

  test.each(dangling)('%s leaves the value undetermined and is an error of the schema', ($ref) => {
    const compiled = compileSchema({ $ref, $defs: { list: [] } });
    expect(outcome(compiled.schema, 1)).toBe('unresolved-reference');
    expect(compiled.diagnostics).toMatchObject([
      { severity: 'error', code: 'unresolved-reference', schemaLocation: '#/$ref' },
    ]);
  });

  test('matter only where they are reached', () => {
    const schema = { properties: { a: { $ref: '#/missing' }, b: { type: 'integer' } } };
    expect(outcome(schema, { b: 1 })).toBe('valid');
    expect(outcome(schema, { a: 1, b: 'x' })).toBe('invalid');
    expect(decide(schema, { a: 1, b: 1 })).toMatchObject({
      outcome: 'undetermined',
      reason: 'unresolved-reference',
      schemaLocation: '#/properties/a/$ref',
      instanceLocation: '/a',
    });
  });

  test('are not looked up in the prototype of the schema', () => {
    expect(outcome({ $ref: '#/constructor' }, {})).toBe('unresolved-reference');
    expect(outcome({ $ref: '#/__proto__' }, {})).toBe('unresolved-reference');
  });
});
