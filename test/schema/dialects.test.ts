import { expect, test } from 'vitest';
import { compileSchema } from '../../src/schema/compile/compile.js';
import { string } from '../../test-support/schemas/short.js';
import { outcome } from './decide.js';

test.each([
  ['http://json-schema.org/draft-04/schema#', 'draft-04'],
  ['https://json-schema.org/draft-04/schema#', 'draft-04'],
  ['http://json-schema.org/draft-06/schema#', 'draft-06'],
  ['http://json-schema.org/draft-07/schema#', 'draft-07'],
  ['https://json-schema.org/draft/2019-09/schema', '2019-09'],
  ['http://json-schema.org/draft/2019-09/schema#', '2019-09'],
  ['https://json-schema.org/draft/2020-12/schema', '2020-12'],
  ['https://json-schema.org/draft/2020-12/schema#', '2020-12'],
  [undefined, '2020-12'],
])('The dialect of the $schema %s is %s', ($schema, dialect) => {
  expect(compileSchema($schema === undefined ? {} : { $schema })).toMatchObject({ dialect, diagnostics: [] });
});

test.each(['https://example.com/my-own-dialect', 'draft-07', '', 7, null])(
  'The $schema %j is read as 2020-12, with a note',
  ($schema) => {
    expect(compileSchema({ $schema })).toMatchObject({
      dialect: '2020-12',
      diagnostics: [{ severity: 'note', code: 'unknown-dialect', schemaLocation: '#/$schema' }],
    });
  },
);

test('The dialect decides what a keyword means: up to draft-07, $ref hides its siblings', () => {
  const schema = { $ref: '#/definitions/any', minimum: 5, definitions: { any: {} } };
  expect(outcome(schema, 1, { defaultDialect: 'draft-07' })).toBe('valid');
  expect(outcome(schema, 1, { defaultDialect: '2019-09' })).toBe('invalid');
});

test('The dialect may change within a schema, if an embedded resource declares another one', () => {
  const $schema = 'http://json-schema.org/draft-07/schema#';
  const old = { $id: 'old', $schema, prefixItems: [false], items: [string] };
  const schema = { properties: { old, current: { prefixItems: [string] } } };
  expect(outcome(schema, { old: ['a'] })).toBe('valid');
  expect(outcome(schema, { old: [1] })).toBe('invalid');
  expect(outcome(schema, { current: [1] })).toBe('invalid');
});
