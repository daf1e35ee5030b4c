import { describe, expect, test, vi } from 'vitest';
import { evaluateCounting } from '../../src/schema/evaluate/evaluate.js';
import { compileSchema } from '../../src/schema/compile/compile.js';
import { outcome } from './decide.js';

/** Codes with locations. */
function diagnosed(schema: unknown): string[] {
  return compileSchema(schema).diagnostics.map(
    ({ severity, code, schemaLocation }) => `${severity} ${code} ${schemaLocation}`,
  );
}

describe('Malformed keywords', () => {
  test.each<[keyword: string, value: unknown]>([
    ['type', 'strng'],
    ['type', ['string', 'any']],
    ['type', []],
    ['type', 5],
    ['type', { type: 'string' }],
    ['required', 'id'],
    ['required', true],
    ['required', null],
    ['properties', []],
    ['properties', 'a'],
    ['patternProperties', []],
    ['additionalProperties', 'no'],
    ['propertyNames', []],
    ['enum', 'a'],
    ['minimum', '1'],
    ['maximum', null],
    ['exclusiveMinimum', 'yes'],
    ['multipleOf', 0],
    ['multipleOf', -1],
    ['minLength', -1],
    ['maxLength', 1.5],
    ['pattern', 5],
    ['format', {}],
    ['items', 5],
    ['prefixItems', {}],
    ['contains', null],
    ['minContains', 'a'],
    ['minItems', '1'],
    ['uniqueItems', 'true'],
    ['minProperties', []],
    ['dependentRequired', { a: 'b' }],
    ['dependentSchemas', []],
    ['dependencies', 'a'],
    ['allOf', {}],
    ['anyOf', []],
    ['oneOf', 'a'],
    ['not', 1],
    ['if', 'a'],
    ['$ref', 5],
    ['$ref', {}],
    ['$dynamicRef', 5],
    ['$recursiveRef', '#a'],
    ['unevaluatedProperties', 'x'],
  ])('%s: %j is an error and ignored where it stands', (keyword, value) => {
    const schema = { properties: { a: { [keyword]: value }, b: { type: 'integer' } } };
    expect(diagnosed(schema)).toEqual([`error malformed-keyword #/properties/a/${keyword}`]);
    for (const a of [1, 'x', null, [], {}, true]) expect(outcome(schema, { a, b: 1 })).toBe('valid');
    expect(outcome(schema, { a: 1, b: 'x' })).toBe('invalid');
  });

  test.each<[schema: unknown, location: string]>([
    [{ properties: { a: 'string' } }, '#/properties/a'],
    [{ properties: { a: null } }, '#/properties/a'],
    [{ patternProperties: { '^a': [] } }, '#/patternProperties/^a'],
    [{ allOf: [5] }, '#/allOf/0'],
    [{ prefixItems: ['integer'] }, '#/prefixItems/0'],
    [{ dependentSchemas: { a: 'b' } }, '#/dependentSchemas/a'],
  ])('%j has something else where a schema belongs, which accepts everything', (schema, location) => {
    expect(diagnosed(schema)).toEqual([`error malformed-schema ${location}`]);
    expect(outcome(schema, { a: 1 })).toBe('valid');
  });

  test.each([[null], ['string'], [5], [[]], [undefined], ['{"type":"object"}']])(
    '%j as a whole is no schema',
    (schema) => {
      expect(() => compileSchema(schema)).toThrow(TypeError);
      expect(() => compileSchema(schema)).toThrow('A schema is an object or a boolean; received');
    },
  );

  test('JSON text is reported as one to be parsed', () => {
    expect(() => compileSchema('{}')).toThrow('Parse it first: JSON.parse(text).');
  });

  test('of a list of required names the names count', () => {
    expect(diagnosed({ required: ['a', 5] })).toEqual(['error malformed-keyword #/required']);
    expect(outcome({ required: ['a', 5] }, {})).toBe('invalid');
  });
});

describe('Notes', () => {
  test.each<[schema: object, diagnostic: string]>([
    [{ propertys: {} }, 'note unknown-keyword #/propertys'],
    [{ properties: { a: { optional: true } } }, 'note unknown-keyword #/properties/a/optional'],
    [{ minlength: 1 }, 'note unknown-keyword #/minlength'],
    [{ format: 'cidrv4' }, 'note unknown-format #/format'],
    [{ enum: [] }, 'note empty-enum #/enum'],
  ])('%j: %s', (schema, diagnostic) => {
    expect(diagnosed(schema)).toEqual([diagnostic]);
  });

  test('are not made of annotations and of extensions', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'https://example.com/tool',
      $comment: 'c',
      title: 't',
      description: 'd',
      default: {},
      examples: [],
      deprecated: true,
      readOnly: true,
      writeOnly: false,
      contentMediaType: 'text/plain',
      contentEncoding: 'base64',
      example: 1,
      discriminator: { propertyName: 'kind' },
      xml: {},
      externalDocs: {},
      'x-anything': 1,
      properties: { id: { type: 'integer', format: 'int64' }, title: { type: 'string', format: 'date-time' } },
      $defs: { a: { $anchor: 'a' } },
    };
    expect(diagnosed(schema)).toEqual([]);
  });

  test('end with the time that they may take', () => {
    let time = 0;
    const now = vi.spyOn(performance, 'now').mockImplementation(() => (time += 100));
    const allOf = Array.from({ length: 1000 }, () => ({ type: 'text' }));
    const codes = compileSchema({ allOf }).diagnostics.map(({ code }) => code);
    now.mockRestore();
    expect(codes.length).toBeLessThan(100);
    expect(codes.at(-1)).toBe('schema-too-large');
  });

  test('do not change what a schema says, nor what it costs to say it', () => {
    const make = () => ({
      properties: { a: { $ref: '#/$defs/a' } },
      $defs: { a: { type: 'string', pattern: '^(a+)+$', anyOf: [{ minLength: 1 }, { type: 'text' }] } },
    });
    const undiagnosed = compileSchema(make());
    const diagnosed = compileSchema(make());
    expect(diagnosed.diagnostics).not.toEqual([]);
    for (const instance of [{ a: 'aaa' }, { a: 'b' }, { a: 1 }, {}]) {
      const { evaluation, steps } = evaluateCounting(diagnosed, instance);
      const expected = evaluateCounting(undiagnosed, instance);
      expect([evaluation.outcome, steps]).toEqual([expected.evaluation.outcome, expected.steps]);
    }
  });
});
