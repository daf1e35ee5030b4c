import { describe, expect, test } from 'vitest';
import { fateOf, fateOfTexts } from '../../src/projections/index.js';
import { integer, members, nested, object, string, texts, times, to } from '../../test-support/schemas/short.js';

const wire = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: { a: { ...to('a'), description: 'x' }, title: string },
  required: ['a', 'title'],
  $defs: { a: { type: 'integer', minimum: 0 } },
};

describe('the fate of a schema', () => {
  test.each([
    ['identical', structuredClone(wire)],
    ['reordered', Object.fromEntries(Object.entries(wire).reverse())],
    ['annotations', { ...wire, $schema: undefined, description: 'added' }],
    ['annotations', { ...wire, additionalProperties: true, required: ['title', 'a'] }],
    ['annotations', object({ a: wire.$defs.a, title: string }, { required: wire.required })],
    ['annotations', { ...wire, additionalProperties: {} }],
    ['meaning', { ...wire, required: [] }],
    ['meaning', { ...wire, additionalProperties: false }],
    ['meaning', { ...wire, properties: { a: wire.properties.a } }],
    ['meaning', { ...wire, $defs: { a: { type: 'number', minimum: 0 } } }],
    ['lost', undefined],
  ])('Sent schemas are compared as %s', (fate, told) => {
    expect(fateOf(wire, told)).toBe(fate);
  });

  test.each<[keyword: string, before: object, after: object]>([
    ['dependentRequired', { title: ['a'] }, { title: ['b'] }],
    ['dependentRequired', { title: ['a'] }, {}],
    ['dependentSchemas', { default: { required: ['a'] } }, { default: { required: ['b'] } }],
    ['patternProperties', { description: string }, { description: integer }],
    ['properties', { default: { enum: [{ title: 'x' }] } }, { default: { enum: [{ title: 'y' }] } }],
  ])('A change inside %s changes the meaning, whatever the names of its members', (keyword, before, after) => {
    expect(fateOf({ type: 'object', [keyword]: before }, { type: 'object', [keyword]: after })).toBe('meaning');
  });

  const fan = members(texts(40, 'd'), (at) => ({ allOf: times(2, () => to(`d${at + 1}`)) }));

  test.each<[what: string, schema: object, fate: string]>([
    ['references into themselves', object({ next: { $ref: '#' } }), 'annotations'],
    ['references that multiply', object({ a: to('d0') }, { $defs: fan }), 'meaning'],
    ['100,000 levels', object({ a: nested(100_000, (items) => ({ items })) }), 'meaning'],
  ])('Comparing schemas takes bounded work for %s', (_, schema, fate) => {
    expect(fateOf(schema, { ...schema, title: 'x' })).toBe(fate);
  });

  test('A root without a type counts as an object in the comparison', () => {
    expect(fateOf({ properties: {} }, { type: 'object', properties: {} })).toBe('annotations');
  });
});

test.each([
  ['identical', '{"type":"object"}', '{ "type" : "object" }'],
  ['identical', '{"title":"\\u00e4"}', '{"title":"ä"}'],
  ['identical', '{"maximum":1.0}', '{"maximum":1}'],
  ['reordered', '{"properties":{"b":{},"1":{}}}', '{"properties":{"1":{},"b":{}}}'],
  ['meaning', '{"maximum":9007199254740993}', '{"maximum":9007199254740992}'],
  ['annotations', '{"default":9007199254740993}', '{"default":9007199254740992}'],
  ['meaning', '{"maximum":1e400}', '{"maximum":null}'],
  ['meaning', '{"enum":["9007199254740993"]}', '{"enum":[9007199254740993]}'],
  ['annotations', '{"type":"object","properties":{}}', '{}'],
  [
    'annotations',
    '{"properties":{"a":{"type":["string","null"]}}}',
    '{"type":"OBJECT","properties":{"a":{"type":"STRING","nullable":true}}}',
  ],
  ['meaning', '{"properties":{"a":{"type":"string"}}}', '{"properties":{"a":{"type":"STRING","nullable":true}}}'],
  ['lost', '{}', undefined],
])('Sent texts are compared as %s: %s as %s', (fate, wire, sent) => {
  expect(fateOfTexts(wire, sent)).toBe(fate);
});
