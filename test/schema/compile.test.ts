import { readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { compileSchema, type CompileOptions } from '../../src/schema/compile/compile.js';
import type { Dialect } from '../../src/schema/keywords/keyword.js';
import { integer, members, string, texts } from '../../test-support/schemas/short.js';
import { diagnosed, outcome } from './decide.js';

const { identified, faulty } = JSON.parse(readFileSync(new URL('./compiled.json', import.meta.url), 'utf8')) as {
  identified: [what: string, schema: object, found: boolean][];
  faulty: [schema: object, message: string][];
};

const messages = (schema: unknown, options?: CompileOptions) =>
  compileSchema(schema, options).diagnostics.map(({ message }) => message);
const named = (count: number, schema: unknown) => members(texts(count), () => schema);
/** The outcomes for a string and for a number. */
const ofBoth = (schema: unknown) => [outcome(schema, 'text'), outcome(schema, 1)];

test.each([
  ['$id', { $ref: 'x' }],
  ['$anchor', { $ref: '#x' }],
  ['$dynamicAnchor', { $ref: '#x' }],
  ['$dynamicAnchor', { $dynamicRef: '#x' }],
])('Of two schemas with the same %s, the first one is the target of %j', (name, reference) => {
  const $defs = { a: { [name]: 'x', ...string }, b: { [name]: 'x', ...integer } };
  expect(ofBoth({ ...reference, $defs })).toEqual(['valid', 'invalid']);
});

describe('An identifier', () => {
  test.each(identified)('An identifier %s', (_, schema, found) => {
    expect(outcome(schema, { b: { b: {} } })).toBe(found ? 'valid' : 'unresolved-reference');
  });

  test('An identifier inside a given document is found even if nothing refers to that document', () => {
    const documents = {
      'https://example.com/a': { $defs: { x: { $id: 'https://example.com/x', ...string } } },
      'https://example.com/b': { $defs: { y: { $id: 'https://example.com/y', ...integer } } },
    };
    const at = (name: string) => outcome({ $ref: `https://example.com/${name}` }, 1, { documents });
    expect(['x', 'y', 'z'].map(at)).toEqual(['invalid', 'valid', 'unresolved-reference']);
  });

  test('A pointer can lead past an identifier, whose scope then applies', () => {
    const allOf = [{ $anchor: 'here', ...string }];
    const a = { $id: 'https://example.com/a', $defs: { b: { $ref: '#here' } }, allOf };
    expect(ofBoth({ $ref: '#/$defs/a/$defs/b', $defs: { a } })).toEqual(['valid', 'invalid']);
  });
});

const withMeta = (meta: object, instance: unknown) =>
  outcome({ $schema: 'https://example.com/meta', type: 'string', minLength: 2 }, instance, {
    documents: { 'https://example.com/meta': meta },
  });
const $schema = 'https://json-schema.org/draft/2020-12/schema';
const core = 'https://json-schema.org/draft/2020-12/vocab/core';

test.each<[string, meta: object, outcome: string]>([
  ['stands for its own dialect', { $schema }, 'invalid'],
  ['may leave vocabularies out', { $schema, $vocabulary: { [core]: true } }, 'valid'],
  ['of a dialect that nobody knows changes nothing', { $schema: 'mine', $vocabulary: {} }, 'invalid'],
  ['that names no dialect changes nothing', { $vocabulary: {} }, 'invalid'],
])('A meta-schema among the documents %s', (_, meta, expected) => {
  expect([withMeta(meta, 'a'), withMeta(meta, 1)]).toEqual([expected, expected]);
  expect(withMeta(meta, 'ab')).toBe('valid');
});

// hostile.test.ts has schemas that are too large to be decided.

test('A large schema is examined up to 20,000 schemas', () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  onTestFinished(() => clock.mockRestore());
  expect(diagnosed({ properties: named(19_999, {}) })).toEqual([]);
  expect(messages({ properties: named(20_000, {}) })).toEqual([
    'The schema is too large to examine as a whole: only 20000 of its subschemas were examined.',
  ]);
});

test('A large schema gets at most 100 diagnostics, and the others are counted', () => {
  expect(diagnosed({ properties: named(100, { type: 'x' }) })).toHaveLength(100);
  const all = messages({ properties: named(101, { type: 'x' }) });
  expect([all.length, all[100]]).toEqual([101, '1 more diagnostics are not listed.']);
});

test('The location in a large schema has 5,000 characters and one more name', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((letter) => letter.repeat(6000)) as [string, string, string];
  const nested = (...names: string[]) =>
    names.reduceRight<object>((schema, name) => ({ properties: { [name]: schema } }), { type: 'x' });
  const [location] = diagnosed(nested(a, b, c));
  expect(location).toBe(`malformed-keyword .../properties/${c.slice(0, 5000)}/type`);
  const [two] = diagnosed(nested(a.slice(0, 2400), b.slice(0, 2400), 'c'));
  expect(two).toMatch(/^malformed-keyword #\/properties\/a+\/properties\/b+\/properties\/c\/type$/);
});

test.each(faulty)('The schema %.60j has the diagnostic: %s', (schema, message) => {
  expect(messages(schema).map((each) => each.slice(0, message.length))).toEqual([message]);
});

test('The diagnostic of an unknown keyword names the dialect that has it', () => {
  expect(messages({ const: 1 }, { defaultDialect: 'draft-04' })).toEqual([
    '"const" is a keyword of draft-06, not of draft-04; it is ignored here.',
  ]);
});

test('Keywords that draft-07 ignores beside $ref have a diagnostic, except the referenced definitions', () => {
  const schema = { $ref: '#/definitions/a', type: 'x', title: 't', definitions: { a: { type: 'y' } } };
  const found = (defaultDialect: Dialect) => diagnosed(schema, { defaultDialect });
  const within = 'malformed-keyword #/definitions/a/type';
  expect(found('draft-07')).toEqual(['ignored-keyword #/type', within]);
  expect(found('2019-09')).toEqual(['malformed-keyword #/type', within]);
  const [message] = messages(schema, { defaultDialect: 'draft-07' });
  expect(message).toBe('Beside "$ref" draft-07 ignores everything, "type" too.');
});

test('Diagnostics have the order in which the schema is written', () => {
  const bad = { type: 'x' };
  expect(diagnosed({ properties: { b: { items: bad }, a: bad }, items: bad })).toEqual(
    ['/properties/b/items', '/properties/a', '/items'].map((at) => `malformed-keyword #${at}/type`),
  );
});

test('Compiled schemas are cached by identity and by dialect', () => {
  const schema = { prefixItems: [false] };
  expect(compileSchema(schema)).toBe(compileSchema(schema));
  expect(outcome(schema, [1], { defaultDialect: 'draft-07' })).toBe('valid');
  expect(outcome(schema, [1], { defaultDialect: '2020-12' })).toBe('invalid');
});

test('Compiled schemas with documents of their own are not cached', () => {
  const schema = { $ref: 'https://example.com/a' };
  expect(outcome(schema, 1, { documents: { 'https://example.com/a': true } })).toBe('valid');
  expect(outcome(schema, 1, { documents: { 'https://example.com/a': false } })).toBe('invalid');
  expect(outcome(schema, 1)).toBe('unresolved-reference');
});
