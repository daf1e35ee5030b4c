import { fc } from '../../test-support/fuzz.js';
import type { Schema } from './generated.js';

const values: readonly unknown[] = [
  ...['1', '2', 'true', 1, 2, true, ['1', '2'], ['1', 2], ['true', 'true', '1'], [1], ['1']],
];

const names = ['a', 'b', 'c'];

const leaves: readonly Schema[] = [
  ...[{ type: 'integer' }, { type: 'string' }, { type: 'boolean' }, { type: 'number', minimum: 2 }],
  ...[{ type: ['string', 'array'] }, { type: ['integer', 'array'] }, { enum: ['1', 2] }, { enum: [1, 'true'] }],
  { type: 'array', items: { type: 'string' } },
  { type: 'array', items: { type: 'integer' } },
  { type: 'array', contains: { type: 'integer' } },
  { type: 'array', contains: { type: 'boolean' }, minContains: 2 },
];

/** Three arguments for each schema. */
function callsOf(schemas: fc.Arbitrary<Schema>): fc.Arbitrary<[Schema, Record<string, unknown>]> {
  const given = fc.record(Object.fromEntries(names.map((name) => [name, fc.constantFrom(...values)])));
  return fc.tuple(schemas, given);
}

const leaf = fc.constantFrom(...leaves);
const someOf = (schema: fc.Arbitrary<Schema>) => fc.array(schema, { minLength: 2, maxLength: 3 });

function members(of: fc.Arbitrary<Schema>, maxLength: number): fc.Arbitrary<Schema> {
  return fc
    .array(fc.tuple(fc.constantFrom(...names), of), { minLength: 1, maxLength })
    .map((each): Schema => ({ properties: Object.fromEntries(each) }));
}

/**
 * Several choices about the same arguments, or about one of them. Only one reading of the whole call may satisfy all.
 */
export const jointlyChoosingCalls = callsOf(
  (() => {
    const choiceOf = (branch: fc.Arbitrary<Schema>) =>
      fc
        .tuple(fc.constantFrom('anyOf', 'anyOf', 'oneOf'), someOf(branch))
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
    const properties = members(leaf, 2);
    const ofOne = choices(leaf).map((schema): Schema => ({ properties: { a: schema } }));
    return fc.oneof(choices(properties), ofOne, choices(fc.oneof(properties, ofOne)));
  })(),
);

/** Several schemas for one argument: by its name, by patterns, and for names without a pattern. */
const overlapping: fc.Arbitrary<Schema> = fc.record({
  patternProperties: fc.dictionary(fc.constantFrom('^a', '.', 'a|c', '[bc]'), leaf, { noNullPrototype: true }),
  properties: fc.dictionary(fc.constantFrom(...names), leaf, { noNullPrototype: true }),
  additionalProperties: leaf,
});

/** Every keyword that decides, nested, about one argument or about three. */
export const decidingCalls = callsOf(
  fc
    .letrec<{ ofValue: Schema; ofAll: Schema }>((tie) => ({
      ofValue: fc.oneof(
        { maxDepth: 3, depthSize: 'small' },
        { weight: 3, arbitrary: leaf },
        { weight: 3, arbitrary: deciding(tie('ofValue')) },
        { weight: 1, arbitrary: tie('ofValue').map((items): Schema => ({ type: 'array', items })) },
      ),
      ofAll: fc.oneof(
        { maxDepth: 3, depthSize: 'small' },
        { weight: 4, arbitrary: members(tie('ofValue'), 3) },
        { weight: 4, arbitrary: deciding(tie('ofAll')) },
        { weight: 1, arbitrary: overlapping },
        { weight: 1, arbitrary: fc.record({ dependentSchemas: fc.record({ a: tie('ofAll') }) }) },
        { weight: 1, arbitrary: unevaluated(tie('ofAll'), tie('ofValue')) },
        { weight: 1, arbitrary: fc.constantFrom<Schema>({ $ref: '#/$defs/one' }, { $ref: '#/$defs/other' }) },
      ),
    }))
    .ofAll.chain((schema) =>
      fc
        .tuple(members(leaf, 2), members(leaf, 2))
        .map(([one, other]): Schema => ({ allOf: [schema], $defs: { one, other } })),
    ),
);

function unevaluated(siblings: fc.Arbitrary<Schema>, of: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> {
  return fc.tuple(siblings, of).map(([schema, rest]): Schema => ({ allOf: [schema], unevaluatedProperties: rest }));
}

function deciding(of: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> {
  return fc.oneof(
    ...['anyOf', 'oneOf', 'anyOf', 'oneOf', 'allOf'].map((keyword) =>
      someOf(of).map((schemas): Schema => ({ [keyword]: schemas })),
    ),
    fc.record({ if: of, then: of, else: of }, { requiredKeys: ['if'] }),
    fc.record({ not: of }),
    fc.tuple(of, of).map(([no, other]): Schema => ({ allOf: [{ not: no }, other] })),
    fc.tuple(of, fc.integer({ min: 1, max: 2 })).map(([contains, minContains]): Schema => ({ contains, minContains })),
    fc.record({ contains: of, maxContains: fc.constant(1), items: of }, { requiredKeys: ['contains'] }),
  );
}
