import { describe, expect, test } from 'vitest';
import { startWork } from '../../../src/json/index.js';
import {
  declaredNames,
  listedValues,
  namedTypes,
  partsOf,
  propertySchemas,
} from '../../../src/schema/violations/schema-view.js';

const plenty = () => startWork({ steps: 10_000, ms: 60_000 });
const times = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));
const declaring = (name: string) => ({ properties: { [name]: { const: name } } });

describe('What messages see of a schema', () => {
  const root = { $defs: { a: { title: 'a', allOf: [{ title: 'b' }, { title: 'd', $ref: '#/$defs/a' }] } } };
  const titles = (schema: unknown, work = plenty()) => [...partsOf(schema, root, work)].map(({ title }) => title);

  test.each<[what: string, schema: unknown, seen: unknown[]]>([
    ['itself, what it refers to, what it is made of', { title: 'c', $ref: '#/$defs/a' }, ['c', 'a', 'b', 'd']],
    ['nothing of what is no object', { title: 'c', allOf: [true, null, { title: 'd' }] }, ['c', 'd']],
    ['nothing of true', true, []],
    ['nothing of a reference that leads nowhere', { title: 'c', $ref: '#/$defs/z' }, ['c']],
    ['sixteen parts', { title: 'c', allOf: times(15, (i) => ({ title: i })) }, ['c', ...times(15, (i) => i)]],
    [
      'sixteen of any number',
      { title: 'c', allOf: times(200_000, (i) => ({ title: i })) },
      ['c', ...times(15, (i) => i)],
    ],
    ['no seventeenth', { title: 'c', allOf: times(16, (i) => ({ title: i })) }, ['c', ...times(15, (i) => i)]],
  ])('%s', (_, schema, seen) => {
    expect(titles(schema)).toEqual(seen);
  });

  test('no more than there is work left for', () => {
    const schema = { title: 'c', allOf: [{ title: 'd' }, { title: 'e' }] };
    expect(titles(schema, startWork({ steps: 2, ms: 60_000 }))).toEqual(['c', 'd']);
  });

  test.each<[what: string, schema: unknown, names: string[]]>([
    ['its own', { properties: { a: {}, b: {} } }, ['a', 'b']],
    [
      'those of its alternatives and conditions',
      {
        ...declaring('a'),
        anyOf: [declaring('b'), true],
        oneOf: [declaring('c')],
        if: declaring('d'),
        then: declaring('e'),
        else: declaring('f'),
      },
      ['a', 'b', 'c', 'd', 'e', 'f'],
    ],
    ['those of alternatives within alternatives', { anyOf: [{ oneOf: [declaring('a')] }] }, ['a']],
    ['each once', { ...declaring('a'), anyOf: [declaring('a')] }, ['a']],
    ['those of fifteen alternatives', { anyOf: times(15, (i) => declaring(`p${i}`)) }, times(15, (i) => `p${i}`)],
    ['not of a sixteenth', { anyOf: times(16, (i) => declaring(`p${i}`)) }, times(15, (i) => `p${i}`)],
    ['nothing of what declares nothing', { properties: 5 }, []],
  ])('declared names: %s', (_, schema, names) => {
    expect(declaredNames(schema, schema, plenty())).toEqual(names);
  });

  test('declared names, as far as there is work left', () => {
    expect(declaredNames({ properties: { a: {}, b: {}, c: {} } }, {}, startWork({ steps: 3, ms: 60_000 }))).toEqual([
      'a',
      'b',
    ]);
  });

  test('the schemas of a property, in the order in which they are declared', () => {
    const parts = [{ properties: 1 }, declaring('a'), { properties: { a: {} } }];
    expect(propertySchemas('a', parts)).toEqual([{ const: 'a' }, {}]);
    expect(propertySchemas('toString', parts)).toEqual([]);
  });

  test.each<[schema: unknown, values: unknown]>([
    [{ const: null }, [null]],
    [{ enum: ['a', 'b'] }, ['a', 'b']],
    [{ enum: 'a' }, undefined],
    [{ allOf: [{ enum: [1] }] }, [1]],
    [{ type: 'string' }, undefined],
    [false, undefined],
  ])('the values that %j lists', (schema, values) => {
    expect(listedValues(schema, schema, plenty())).toEqual(values);
  });

  const nested = (levels: number): object => (levels === 0 ? { type: 'string' } : { anyOf: [nested(levels - 1)] });

  test.each<[what: string, schema: unknown, types: string[]]>([
    ['one', { type: 'string' }, ['string']],
    ['several, each once', { type: ['string', 'null', 'string'] }, ['string', 'null']],
    ['those that exist', { type: ['string', 'text', 5] }, ['string']],
    ['none of a name that is no type', { type: 'text' }, []],
    ['null of `nullable`', { type: 'string', nullable: true }, ['string', 'null']],
    ['null of `nullable`, once', { type: ['string', 'null'], nullable: true }, ['string', 'null']],
    ['not of `nullable: false`', { type: 'string', nullable: false }, ['string']],
    ['those of alternatives', { anyOf: [{ type: 'string' }, { type: ['null', 'string'] }] }, ['string', 'null']],
    ['those of exclusive alternatives', { oneOf: [{ type: 'string' }, { type: 'null' }] }, ['string', 'null']],
    ['none where one alternative names none', { anyOf: [{ type: 'string' }, { minimum: 5 }] }, []],
    ['its own before those of alternatives', { type: 'string', anyOf: [{ type: 'null' }] }, ['string']],
    ['those of a part, where it has none', { anyOf: [{}], allOf: [{ type: 'string' }] }, ['string']],
    ['of sixteen alternatives', { anyOf: times(16, () => ({ type: 'null' })) }, ['null']],
    ['not of seventeen', { anyOf: times(17, () => ({ type: 'null' })) }, []],
    ['five levels down', nested(5), ['string']],
    ['not six', nested(6), []],
  ])('named types: %s', (_, schema, types) => {
    expect(namedTypes(schema, schema, plenty())).toEqual(types);
  });
});
