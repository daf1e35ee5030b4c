import { expect, test } from 'vitest';
import { compileSchema } from '../../src/schema/compile/compile.js';
import { integer, string, to } from '../../test-support/schemas/short.js';
import { outcome } from './decide.js';

/** Severities, codes and locations. */
const reported = (schema: unknown) =>
  compileSchema(schema).diagnostics.map(
    ({ severity, code, schemaLocation }) => `${severity} ${code} ${schemaLocation}`,
  );

const malformed: Record<string, unknown[]> = {
  type: ['strng', ['string', 'any'], [], 5, { type: 'string' }],
  required: ['id', true, null],
  properties: [[], 'a'],
  patternProperties: [[]],
  additionalProperties: ['no'],
  propertyNames: [[]],
  enum: ['a'],
  minimum: ['1'],
  maximum: [null],
  exclusiveMinimum: ['yes'],
  multipleOf: [0, -1],
  minLength: [-1],
  maxLength: [1.5],
  pattern: [5],
  format: [{}],
  items: [5],
  prefixItems: [{}],
  contains: [null],
  minContains: ['a'],
  minItems: ['1'],
  uniqueItems: ['true'],
  minProperties: [[]],
  dependentRequired: [{ a: 'b' }],
  dependentSchemas: [[]],
  dependencies: ['a'],
  allOf: [{}],
  anyOf: [[]],
  oneOf: ['a'],
  not: [1],
  if: ['a'],
  $ref: [5, {}],
  $dynamicRef: [5],
  $recursiveRef: ['#a'],
  unevaluatedProperties: ['x'],
};

test.each(Object.entries(malformed).flatMap(([keyword, values]) => values.map((value) => [keyword, value] as const)))(
  'The malformed keyword %s: %j gives an error, and is ignored',
  (keyword, value) => {
    const schema = { properties: { a: { [keyword]: value }, b: integer } };
    expect(reported(schema)).toEqual([`error malformed-keyword #/properties/a/${keyword}`]);
    for (const a of [1, 'x', null, [], {}, true]) expect(outcome(schema, { a, b: 1 })).toBe('valid');
    expect(outcome(schema, { a: 1, b: 'x' })).toBe('invalid');
  },
);

test.each<[schema: unknown, location: string]>([
  [{ properties: { a: 'string' } }, '#/properties/a'],
  [{ patternProperties: { '^a': [] } }, '#/patternProperties/^a'],
  [{ allOf: [5] }, '#/allOf/0'],
  [{ prefixItems: ['integer'] }, '#/prefixItems/0'],
  [{ dependentSchemas: { a: null } }, '#/dependentSchemas/a'],
])('In %j, a value that is not a schema accepts everything', (schema, location) => {
  expect(reported(schema)).toEqual([`error malformed-schema ${location}`]);
  expect(outcome(schema, { a: 1 })).toBe('valid');
});

test.each([[null], [5], [[]], [undefined], ['{"type":"object"}']])('The value %j is not a schema', (schema) => {
  expect(() => compileSchema(schema)).toThrow(TypeError);
  expect(() => compileSchema(schema)).toThrow('A schema is an object or a boolean; received');
});

test('A schema given as JSON text gives an error that says to parse it', () => {
  expect(() => compileSchema('{}')).toThrow('Parse it first: JSON.parse(text).');
});

test.each<[schema: object, diagnostic: string]>([
  [{ propertys: {} }, 'unknown-keyword #/propertys'],
  [{ properties: { a: { optional: true } } }, 'unknown-keyword #/properties/a/optional'],
  [{ minlength: 1 }, 'unknown-keyword #/minlength'],
  [{ format: 'cidrv4' }, 'unknown-format #/format'],
  [{ enum: [] }, 'empty-enum #/enum'],
])('The schema %j has the note %s', (schema, diagnostic) => {
  expect(reported(schema)).toEqual([`note ${diagnostic}`]);
});

test('Annotations and extensions have no notes', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'https://example.com/tool',
    ...{ $comment: 'c', title: 't', description: 'd', default: {}, examples: [] },
    ...{ deprecated: true, readOnly: true, writeOnly: false },
    ...{ contentMediaType: 'text/plain', contentEncoding: 'base64' },
    ...{ example: 1, discriminator: { propertyName: 'kind' }, xml: {}, externalDocs: {}, 'x-anything': 1 },
    properties: { id: { type: 'integer', format: 'int64' }, title: { type: 'string', format: 'date-time' } },
    $defs: { a: { $anchor: 'a' } },
  };
  expect(reported(schema)).toEqual([]);
});

test('Notes do not change the meaning of a schema', () => {
  const a = { ...string, pattern: '^(a+)+$', anyOf: [{ minLength: 1 }, { type: 'text' }] };
  const make = () => ({ properties: { a: to('a') }, $defs: { a } });
  const known = make();
  expect(reported(known)).not.toEqual([]);
  for (const instance of [{ a: 'aaa' }, { a: 'b' }, { a: 1 }, {}])
    expect(outcome(known, instance)).toBe(outcome(make(), instance));
});
