import { compileSchema } from '../../src/schema/compile/compile.js';
import { evaluate } from '../../src/schema/evaluate/evaluate.js';
import { fc } from '../../test-support/fuzz.js';
import type { Schema } from './generated.js';

const values: readonly unknown[] = ['1', '2', 'true', 1, 2, true, ['1', '2'], ['1', 2], ['true', 'true', '1'], [1]];

const names = ['a', 'b', 'c'];

const leaves: readonly Schema[] = [
  ...[{ type: 'integer' }, { type: 'string' }, { type: 'boolean' }, { type: 'number', minimum: 2 }],
  ...[{ type: ['string', 'array'] }, { enum: ['1', 2] }, { enum: [1, 'true'] }],
  ...[
    { type: 'array', items: { type: 'string' } },
    { type: 'array', items: { type: 'integer' } },
  ],
  ...[
    { type: 'array', contains: { type: 'integer' } },
    { type: 'array', contains: { type: 'boolean' }, minContains: 2 },
  ],
];

/** A schema that refuses the value, with one alternative or several. */
function refusing(value: unknown): fc.Arbitrary<Schema> {
  const leaf = fc.constantFrom(...leaves.filter((schema) => outcomeOf(schema, value) === 'invalid'));
  const branches = (keyword: string, of: fc.Arbitrary<Schema>) =>
    fc.array(of, { minLength: 2, maxLength: 3 }).map((schemas): Schema => ({ [keyword]: schemas }));
  const either = fc.oneof(branches('anyOf', leaf), branches('oneOf', leaf));
  return fc.oneof(leaf, either, branches('anyOf', fc.oneof(leaf, either)));
}

/** Two arguments, of which either or both are refused. */
export const choosingCalls = fc
  .tuple(fc.constantFrom(...values), fc.constantFrom(...values))
  .chain(([a, b]) =>
    fc
      .record({ a: refusing(a), b: refusing(b) })
      .chain((properties) =>
        fc.tuple(
          fc.constantFrom<Schema>(
            { properties },
            { anyOf: [{ properties: { a: properties.a } }, { properties: { b: properties.b } }] },
            { oneOf: [{ properties: { a: properties.a } }, { properties }] },
            { dependentSchemas: { a: { properties } } },
            { patternProperties: { a: properties.a }, additionalProperties: properties.b },
            { properties: { a: properties.a }, unevaluatedProperties: properties.b, type: 'object' },
          ),
          fc.constant({ a, b }),
        ),
      ),
  );

/** Several choices about the same arguments, or about one of them, which only one reading of the whole may satisfy. */
export const jointlyChoosingCalls = fc.tuple(...names.map(() => fc.constantFrom(...values))).chain((given) => {
  const member = fc
    .constantFrom(...names)
    .chain((name) => fc.constantFrom(...leaves).map((leaf) => ({ [name]: leaf })));
  const properties = fc
    .array(member, { minLength: 1, maxLength: 2 })
    .map((members): Schema => ({ properties: Object.assign({}, ...members) as Schema }));
  const choiceOf = (branch: fc.Arbitrary<Schema>) =>
    fc
      .tuple(fc.constantFrom('anyOf', 'anyOf', 'oneOf'), fc.array(branch, { minLength: 2, maxLength: 3 }))
      .map(([keyword, branches]): Schema => ({ [keyword]: branches }));
  const choices = (branch: fc.Arbitrary<Schema>) =>
    fc
      .tuple(choiceOf(branch), choiceOf(branch), branch)
      .chain(([first, second, other]) =>
        fc.constantFrom(
          first,
          { allOf: [first, second] },
          { allOf: [first, other] },
          { allOf: [other, second] },
          Object.assign<Schema, Schema, Schema>({}, first, second),
          { anyOf: [first, second] },
          { oneOf: [first, other] },
          { anyOf: [{ allOf: [first, second] }, other] },
          { if: first, else: other },
        ),
      );
  const ofOne = choices(fc.constantFrom(...leaves)).map((schema): Schema => ({ properties: { a: schema } }));
  return fc.tuple(
    fc.oneof(choices(properties), ofOne, choices(fc.oneof(properties, ofOne))),
    fc.constant(argumentsOf(given)),
  );
});

const overlappingLeaves: readonly Schema[] = [
  ...leaves,
  ...[{ type: ['integer', 'string'] }, { type: ['integer', 'array'] }, { type: ['string', 'boolean'] }],
  ...[{ not: { type: 'string' } }, { anyOf: [{ type: 'integer' }, { type: 'array' }] }],
];

/** Several schemas for one argument, by its name, by patterns and by what no pattern fits. */
export const overlappingCalls = fc.tuple(...names.map(() => fc.constantFrom(...values, ['1']))).chain((given) => {
  const leaf = fc.constantFrom(...overlappingLeaves);
  const entries = (keys: readonly string[]) => fc.dictionary(fc.constantFrom(...keys), leaf, { noNullPrototype: true });
  return fc.tuple(
    fc.record({
      patternProperties: entries(['^a', '.', 'a|c', '[bc]']),
      properties: entries(names),
      additionalProperties: leaf,
    }),
    fc.constant(argumentsOf(given)),
  );
});

export function outcomeOf(schema: unknown, value: unknown): string {
  return evaluate(compileSchema(schema), value).outcome;
}

function argumentsOf(given: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name, index) => [name, given[index]]));
}

/** Every keyword by which a schema decides, within one another, about one argument or about three. */
export const decidingCalls = fc.tuple(...names.map(() => fc.constantFrom(...values))).chain((given) => {
  const { ofAll } = fc.letrec<{ ofValue: Schema; ofAll: Schema }>((tie) => ({
    ofValue: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      { weight: 3, arbitrary: fc.constantFrom(...leaves) },
      { weight: 3, arbitrary: deciding(tie('ofValue')) },
      { weight: 1, arbitrary: tie('ofValue').map((items): Schema => ({ type: 'array', items })) },
    ),
    ofAll: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      { weight: 4, arbitrary: members(tie('ofValue')) },
      { weight: 4, arbitrary: deciding(tie('ofAll')) },
      { weight: 1, arbitrary: fc.record({ dependentSchemas: fc.record({ a: tie('ofAll') }) }) },
      { weight: 1, arbitrary: unevaluated(tie('ofAll'), tie('ofValue')) },
      { weight: 1, arbitrary: tie('ofValue').map((each): Schema => ({ additionalProperties: each })) },
      { weight: 1, arbitrary: fc.constantFrom<Schema>({ $ref: '#/$defs/one' }, { $ref: '#/$defs/other' }) },
    ),
  }));
  return fc.tuple(
    fc.tuple(ofAll, ofAll, ofAll, fc.boolean()).map(([schema, one, other, isNested]): Schema => ({
      ...(isNested ? { allOf: [schema, one] } : (schema as object)),
      $defs: { one: withoutReference(one), other: withoutReference(other), value: ofValueDefinition },
    })),
    fc.constant(argumentsOf(given)),
  );
});

const ofValueDefinition = { type: 'integer' };

function withoutReference(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema).replaceAll(/"#\/\$defs\/\w+"/g, '"#/$defs/value"')) as Schema;
}

function members(of: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> {
  return fc
    .array(fc.tuple(fc.constantFrom(...names), of), { minLength: 1, maxLength: 3 })
    .map((each): Schema => ({ properties: Object.fromEntries(each) }));
}

function unevaluated(siblings: fc.Arbitrary<Schema>, of: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> {
  return fc.tuple(siblings, of).map(([schema, rest]): Schema => ({ allOf: [schema], unevaluatedProperties: rest }));
}

function deciding(of: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> {
  const several = fc.array(of, { minLength: 2, maxLength: 3 });
  return fc.oneof(
    ...['anyOf', 'oneOf', 'anyOf', 'oneOf', 'allOf'].map((keyword) =>
      several.map((schemas): Schema => ({ [keyword]: schemas })),
    ),
    fc.record({ if: of, then: of, else: of }, { requiredKeys: ['if'] }),
    fc.record({ not: of }),
    fc.tuple(of, of).map(([no, other]): Schema => ({ allOf: [{ not: no }, other] })),
    fc.tuple(of, fc.integer({ min: 1, max: 2 })).map(([contains, minContains]): Schema => ({ contains, minContains })),
    fc.record({ contains: of, maxContains: fc.constant(1), items: of }, { requiredKeys: ['contains'] }),
  );
}
