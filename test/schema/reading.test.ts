import { expect, test } from 'vitest';
import { nested, string, times } from '../../test-support/schemas/short.js';
import { WorkBudget } from '../../src/json/index.js';
import { declaredNames, listedValues, namedTypes } from '../../src/schema/reading.js';

const reading = (root: unknown, steps = 10_000) => ({ root, budget: new WorkBudget({ steps, ms: 60_000 }) });
const declaring = (name: string) => ({ properties: { [name]: { const: name } } });

test.each<[what: string, schema: unknown, names: string[]]>([
  ['its own', { properties: { a: {}, b: {} } }, ['a', 'b']],
  [
    'those of its alternatives',
    { ...declaring('a'), anyOf: [declaring('b'), true], oneOf: [declaring('c')] },
    ['a', 'b', 'c'],
  ],
  ['those of conditions', { if: declaring('d'), then: declaring('e'), else: declaring('f') }, ['d', 'e', 'f']],
  ['those of alternatives within alternatives', { anyOf: [{ oneOf: [declaring('a')] }] }, ['a']],
  ['those of fifteen alternatives', { anyOf: times(15, (i) => declaring(`p${i}`)) }, times(15, (i) => `p${i}`)],
  ['nothing of what declares nothing', { properties: 5 }, []],
])('The names that messages read in a schema are %s', (_, schema, names) => {
  expect(declaredNames(schema, reading(schema))).toEqual(names);
});

test.each<[schema: unknown, values: unknown]>([
  [{ const: null }, [null]],
  [{ enum: ['a', 'b'] }, ['a', 'b']],
  [{ enum: 'a' }, undefined],
  [{ allOf: [{ enum: [1] }] }, [1]],
  [string, undefined],
  [false, undefined],
])('The values that %j lists are read', (schema, values) => {
  expect(listedValues(schema, reading(schema))).toEqual(values);
});

test.each<[what: string, schema: unknown, types: string[]]>([
  ['one', string, ['string']],
  ['those that exist', { type: ['string', 'text', 5] }, ['string']],
  ['null of `nullable`', { type: 'string', nullable: true }, ['string', 'null']],
  ['not of `nullable: false`', { type: 'string', nullable: false }, ['string']],
  ['those of alternatives', { anyOf: [string, { type: ['null', 'string'] }] }, ['string', 'null']],
  ['none if one alternative names none', { anyOf: [string, { minimum: 5 }] }, []],
  ['its own before those of alternatives', { type: 'string', anyOf: [{ type: 'number' }] }, ['string']],
  ['those of a part, if it has none', { anyOf: [{}], allOf: [string] }, ['string']],
  ['of sixteen alternatives', { anyOf: times(16, () => string) }, ['string']],
  ['not of seventeen', { anyOf: times(17, () => string) }, []],
  ['five levels down', nested(5, (inner) => ({ anyOf: [inner] }), string), ['string']],
])('The types that messages read in a schema are %s', (_, schema, types) => {
  expect(namedTypes(schema, reading(schema))).toEqual(types);
});
