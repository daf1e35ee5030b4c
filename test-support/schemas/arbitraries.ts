import { fc } from '../fuzz.js';

const names = ['a', 'b', 'c', 'ab', '__proto__', 'constructor', 'toString'] as const;
const name = fc.constantFrom(...names);
const small = fc.integer({ min: 0, max: 4 });
const scalar = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, '', 'a', 'ab', 'abc', '5', 0, 1, 2, -1, 3, 1.5, 5),
  fc.string({ maxLength: 4 }),
  fc.integer({ min: -10, max: 10 }),
);

/** JSON values with the sizes and words that the schemas below use. */
export const jsonValue: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }).map((members) => Object.fromEntries(members)),
  ),
})).value;

/** Schemas with all keywords of 2020-12 except references, which another schema adds. */
export const jsonSchema: fc.Arbitrary<unknown> = fc.letrec((tie) => {
  const schema = tie('schema');
  const schemas = fc.array(schema, { minLength: 1, maxLength: 3 });
  const members = (value: fc.Arbitrary<unknown>) =>
    fc.array(fc.tuple(name, value), { maxLength: 3 }).map((entries) => Object.fromEntries(entries) as object);
  const typeName = fc.constantFrom('null', 'boolean', 'integer', 'number', 'string', 'array', 'object');
  const type = fc.oneof(typeName, fc.uniqueArray(typeName, { minLength: 1, maxLength: 3 }));
  const pattern = fc.constantFrom('^a', 'b$', '^[a-c]+$', '.', '^$', '\\d');
  const keywords: Record<string, fc.Arbitrary<unknown>> = {
    type,
    enum: fc.array(jsonValue, { minLength: 1, maxLength: 3 }),
    const: jsonValue,
    minimum: small,
    maximum: small,
    exclusiveMinimum: small,
    exclusiveMaximum: small,
    multipleOf: fc.constantFrom(1, 2, 3, 0.5),
    minLength: small,
    maxLength: small,
    pattern,
    minItems: small,
    maxItems: small,
    uniqueItems: fc.boolean(),
    items: schema,
    prefixItems: schemas,
    contains: schema,
    minContains: small,
    maxContains: small,
    minProperties: small,
    maxProperties: small,
    required: fc.uniqueArray(name, { maxLength: 2 }),
    properties: members(schema),
    patternProperties: fc
      .array(fc.tuple(pattern, schema), { maxLength: 2 })
      .map((entries) => Object.fromEntries(entries) as object),
    additionalProperties: schema,
    propertyNames: schema,
    dependentRequired: members(fc.uniqueArray(name, { maxLength: 2 })),
    dependentSchemas: members(schema),
    unevaluatedProperties: schema,
    unevaluatedItems: schema,
    allOf: schemas,
    anyOf: schemas,
    oneOf: schemas,
    not: schema,
    if: schema,
    then: schema,
    else: schema,
    $ref: fc.constantFrom('#/$defs/one', '#/$defs/two'),
  };
  return {
    schema: fc.oneof(
      { depthSize: 'small', maxDepth: 3 },
      fc.boolean(),
      fc.record({ type }, { requiredKeys: [] }),
      someOf(keywords),
    ),
  };
}).schema;

/** A schema with two definitions and references to them. */
export const schemaWithDefinitions: fc.Arbitrary<unknown> = fc
  .tuple(jsonSchema, withoutReferences(), withoutReferences())
  .map(([schema, one, two]) =>
    typeof schema === 'object' && schema !== null ? { ...schema, $defs: { one, two } } : schema,
  );

/** Keywords that draft-07 ignores, and that both Ajv and cfworker apply. */
const unknownToDraft07: ReadonlySet<string> = new Set([
  ...['prefixItems', 'minContains', 'maxContains', 'unevaluatedProperties', 'unevaluatedItems'],
  ...['dependentRequired', 'dependentSchemas'],
]);

/** The part of a schema that draft-07 shares with its successors, without newer keywords and siblings of `$ref`. */
export function asDraft07(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (unknownToDraft07.has(key)) return undefined;
    if (typeof value !== 'object' || value === null || !('$ref' in value)) return value;
    return '$defs' in value ? { $ref: value.$ref, $defs: value.$defs } : { $ref: value.$ref };
  }) as unknown;
}

function withoutReferences(): fc.Arbitrary<unknown> {
  return jsonSchema.map(
    (schema) =>
      JSON.parse(JSON.stringify(schema), (key, value: unknown) => (key === '$ref' ? undefined : value)) as unknown,
  );
}

/** A few keywords at a time: with all of them no value is ever valid. Values are drawn only for those. */
function someOf(keywords: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> {
  const maybe = (value: fc.Arbitrary<unknown>) =>
    fc.oneof({ depthSize: 'max' }, { weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
  return fc
    .record(Object.fromEntries(Object.entries(keywords).map(([name, value]) => [name, maybe(value)])))
    .map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)));
}
