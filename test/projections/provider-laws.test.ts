import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject, mapSubschemas } from '../../src/json/index.js';
import { exampleValue, isLost, modelSchema, providerNotes, sentSchema } from '../../src/projections/index.js';
import { type Provider, providers } from '../../src/projections/index.js';
import { compileSchema, evaluate } from '../../src/schema/index.js';
import { fc } from '../../test-support/fuzz.js';
import { lawRuns, sampled } from '../../test-support/law-runs.js';
import { corpusTools } from '../../test-support/schemas/corpus.js';
import { integer, object, string } from '../../test-support/schemas/short.js';
import { jsonSchema, jsonValue, schemaWithDefinitions } from '../../test-support/schemas/arbitraries.js';
import { sharedFolder } from '../../test-support/shared.js';

const numRuns = lawRuns(300);
const patient = { budget: { patternMs: 60_000 } };
const objects = (value: unknown): value is JsonObject => isObject(value);

/** A root with alternatives, which providers reject, and references to definitions. */
const schemas = fc
  .tuple(
    schemaWithDefinitions.filter(objects),
    fc.array(jsonSchema, { maxLength: 3 }),
    fc.constantFrom('anyOf', 'oneOf', 'allOf'),
  )
  .map(([schema, branches, combinator]): JsonObject =>
    branches.length === 0 ? schema : { ...schema, [combinator]: branches },
  );

/** Contains names that Anthropic rejects, and that are replaced for it. */
const renamed = <Value>(value: Value) => JSON.parse(JSON.stringify(value).replaceAll('"ab"', '"a[b]"')) as Value;
const asSent = ({ schema, argumentsFromModel }: ReturnType<typeof sentSchema>, value: JsonObject) => {
  if (!argumentsFromModel || !('a[b]' in value)) return value;
  const { 'a[b]': own, ...others } = value;
  const [name = ''] = Object.keys(schema['properties'] as object).filter((each) => /^a_b_/.test(each));
  const sent = { ...others, [name]: own };
  expect(argumentsFromModel(sent)).toEqual(value);
  return sent;
};

/** The number of values that the original accepts; the adapted schema has to accept them under the model's names. */
function acceptedAsSent(schema: JsonObject, provider: Provider | undefined, values: readonly JsonObject[]): number {
  const sent = sentSchema(schema, provider, undefined, 'langchain');
  const compiled = compileSchema(provider === 'google' ? asJsonSchema(sent.schema) : sent.schema);
  const original = compileSchema(schema);
  const accepted = values.filter((value) => evaluate(original, value, patient).outcome === 'valid');
  for (const value of accepted) {
    const { outcome } = evaluate(compiled, asSent(sent, value), patient);
    if (outcome !== 'valid') expect.fail(JSON.stringify({ outcome, schema, sent: sent.schema, value }));
  }
  return accepted.length;
}

/** Gemini's `nullable` in JSON Schema. */
function asJsonSchema(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const { nullable, ...rest } = mapSubschemas(schema, asJsonSchema);
  return nullable === true ? { anyOf: [rest, { type: 'null' }] } : rest;
}

const all = [undefined, ...(Object.keys(providers) as Provider[])];
const corpus = sharedFolder('corpus');
const recorded = sampled(corpus === undefined ? [] : corpusTools(corpus)).map(({ inputSchema }) =>
  modelSchema({ inputSchema: inputSchema as JsonObject }),
);

describe.each(all)('the schemas for %s', (provider) => {
  test('The schema for a provider accepts every object that the original accepts', () => {
    let accepted = 0;
    const values = fc.array(jsonValue.filter(objects), { minLength: 5, maxLength: 5 });
    const law = fc.property(schemas.map(renamed), values, (schema, drawn) => {
      accepted += acceptedAsSent(
        schema,
        provider,
        [...renamed(drawn), exampleValue({ inputSchema: schema })].filter(objects),
      );
    });
    fc.assert(law, { numRuns, endOnFailure: true });
    expect(accepted).toBeGreaterThan(numRuns / 2);
  });

  test.skipIf(corpus === undefined)(
    'The schema for a provider of every recorded tool is complete, is accepted, and accepts what the original accepts',
    () => {
      for (const schema of recorded) {
        const { schema: sent, isCut, argumentsFromModel } = sentSchema(schema, provider, undefined, 'langchain');
        expect(isCut).toBe(false);
        if (provider && sent !== schema)
          expect(providerNotes({ inputSchema: sent }, provider).filter(isLost)).toEqual([]);
        if (!argumentsFromModel)
          acceptedAsSent(schema, provider, [exampleValue({ inputSchema: schema })].filter(objects));
      }
    },
  );

  const accepted: Record<string, [JsonObject, JsonObject]> = {
    'a parameter that one alternative does not mention': [
      { anyOf: [{ properties: { d: string } }, { required: ['a'] }] },
      { a: true, d: null },
    ],
    'a name that only the pattern of one part allows': [
      {
        allOf: [{ properties: { a: {} }, patternProperties: { '^y': {} }, additionalProperties: false }],
        patternProperties: { '^x': {} },
      },
      { y1: 1 },
    ],
    'siblings that a reference hides in draft-07': [
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        $ref: '#/definitions/a',
        required: ['x'],
        definitions: { a: { properties: { b: integer } } },
      },
      { b: 1 },
    ],
    'a recursive root': [
      { anyOf: [{ properties: { a: { $ref: '#' } } }, { properties: { a: { $ref: '#' } }, required: ['b'] }] },
      { a: 5 },
    ],
    'unevaluated properties that an alternative evaluates': [
      { type: 'object', anyOf: [{ patternProperties: { '^x': {} } }], unevaluatedProperties: false },
      { x: 1 },
    ],
    'an integer that one part calls a number': [
      object({ a: { allOf: [{ type: ['number', 'string'] }, { type: ['integer', 'string'] }] } }),
      { a: 5 },
    ],
    'undescribed lists of lists': [object({ a: {}, b: { type: 'array' } }), { a: [[[1]]], b: [[[[null]]]] }],
    'more items than a list describes': [object({ a: { type: 'array', items: [string] } }), { a: ['x', 1] }],
    'a list of items within a negation': [
      object({ a: { not: { type: 'array', items: [string, { type: 'number' }] } } }),
      { a: [1] },
    ],
    'a reference to a parameter with a rejected name': [
      object({ 'a[b]': string, c: { $ref: '#/properties/a%5Bb%5D' } }),
      { c: 'x' },
    ],
    'a closed root with a rejected name': [object({ 'a[b]': {} }, { additionalProperties: false }), { 'a[b]': 1 }],
  };
  test.each(Object.entries(accepted))('A provider is sent a schema that it accepts: %s', (_what, [schema, value]) => {
    expect(acceptedAsSent(schema, provider, [value])).toBe(1);
  });
});

/** Schemas whose every part names its types, as Gemini requires. */
const typed: fc.Arbitrary<JsonObject> = fc.letrec<{ schema: JsonObject }>((tie) => {
  const small = fc.integer({ min: -2, max: 3 });
  const exclusive = { exclusiveMinimum: fc.constantFrom(0, 0.5, -1), exclusiveMaximum: fc.constantFrom(1, 2.5) };
  const bounds = fc.record({ minimum: small, maximum: small, ...exclusive }, { requiredKeys: [] });
  const name = fc.constantFrom('a', 'b', 'c');
  const leaf: fc.Arbitrary<JsonObject> = fc.oneof(
    fc.record({ type: fc.constant('string'), minLength: fc.constantFrom(0, 1) }, { requiredKeys: ['type'] }),
    fc.record({ type: fc.constant('string'), enum: fc.constantFrom(['a', 'ab'], ['', 'a']) }),
    fc.tuple(fc.constantFrom('integer', 'number'), bounds).map(([type, more]) => ({ type, ...more })),
    fc.constantFrom<JsonObject>({ const: 5 }, { enum: [1, 2] }, { type: ['boolean', 'null'] }, { $ref: '#/$defs/one' }),
  );
  const schema: fc.Arbitrary<JsonObject> = fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    leaf,
    fc.record({ type: fc.constant('array'), items: tie('schema') }),
    fc
      .tuple(
        fc.dictionary(name, tie('schema'), { maxKeys: 3 }),
        fc.subarray(['a', 'b']),
        fc.constantFrom({}, { additionalProperties: false }),
      )
      .map(([properties, required, more]) => ({ type: 'object', properties, required, ...more })),
    fc
      .tuple(fc.constantFrom('anyOf', 'oneOf'), fc.array(tie('schema'), { minLength: 1, maxLength: 3 }))
      .map(([keyword, branches]) => ({ [keyword]: branches })),
    fc.tuple(tie('schema'), leaf).map((parts) => ({ allOf: parts })),
  );
  return { schema };
}).schema;

test('The schema for Gemini accepts every object that the original accepts if the original names its types', () => {
  const roots = fc
    .tuple(
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), typed, { minKeys: 1, maxKeys: 3 }),
      typed.filter((schema) => !JSON.stringify(schema).includes('$ref')),
    )
    .map(([properties, one]): JsonObject => ({ type: 'object', properties, $defs: { one } }));
  const value = fc.oneof(
    fc.constantFrom<unknown>(null, '', 'a', 'ab', 0, 1, 2, 5, 1.5, true, [1], ['a'], {}),
    jsonValue,
  );
  const values = fc.dictionary(fc.constantFrom('a', 'b', 'c'), value, { maxKeys: 3 });
  let accepted = 0;
  const law = fc.property(roots, fc.array(values, { minLength: 10, maxLength: 10 }), (schema, drawn) => {
    accepted += acceptedAsSent(schema, 'google', [...drawn, exampleValue({ inputSchema: schema })].filter(objects));
  });
  fc.assert(law, { numRuns, endOnFailure: true });
  expect(accepted).toBeGreaterThan(numRuns / 2);
});
