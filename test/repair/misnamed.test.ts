import { describe, expect, test } from 'vitest';
import { repairArguments } from '../../src/repair/repair.js';
import { compileSchema } from '../../src/schema/compile/compile.js';
import { integer, members, string, texts } from '../../test-support/schemas/short.js';

function repair(schema: object, args: unknown, choice: 'safe' | 'all' = 'all') {
  const { arguments: repaired, repairs, evaluation } = repairArguments(compileSchema(schema), args, choice);
  return [evaluation.outcome, repaired, repairs.map(({ instanceLocation, kind }) => `${instanceLocation} ${kind}`)];
}

describe('what is refused under a wrong name is judged by the right one alone', () => {
  const listed = { enum: ['Like New'] };
  const named = (properties: object, additionalProperties: unknown) => ({
    properties,
    required: Object.keys(properties),
    additionalProperties,
  });

  const misnamed: Record<string, [schema: object, args: unknown, repaired: unknown, repairs: readonly string[]]> = {
    'its value stays': [named({ Max: string }, listed), { max: 'like new' }, { Max: 'like new' }, ['/max name']],
    'it is not read there and back': [
      named({ max_results: integer }, string),
      { maxResults: 5 },
      { max_results: 5 },
      ['/maxResults name'],
    ],
    'nor is a part of it': [
      named({ Filter: { properties: { n: string } } }, { properties: { n: listed } }),
      { filter: { n: 'like new' } },
      { Filter: { n: 'like new' } },
      ['/filter name'],
    ],
    'no repair is reported at a place that is gone': [
      named(
        { filter: { properties: { maxResults: integer } } },
        { properties: { MAX_RESULTS: integer }, required: ['MAX_RESULTS'] },
      ),
      { Filter: { maxResults: 5 } },
      { filter: { maxResults: 5 } },
      ['/Filter name'],
    ],
    'names within it are those of the right name': [
      named({ filter: named({ max_results: integer }, false) }, { properties: { other: integer } }),
      { Filter: { maxResults: 5 } },
      { filter: { max_results: 5 } },
      ['/Filter name', '/filter/maxResults name'],
    ],
  };
  test.each(Object.entries(misnamed))(
    'A value under a wrong name is judged by the right one alone: %s',
    (_, [schema, args, repaired, repairs]) => {
      expect(repair(schema, args)).toEqual(['valid', repaired, repairs]);
    },
  );
});

test.each([
  [
    'a name that no repair makes right keeps no value from being repaired',
    { properties: { a: { type: 'null' } }, required: ['a'], additionalProperties: integer },
    { A: '-1' },
    { A: -1 },
    '/A integer',
  ],
  [
    'no repair is made to be taken back if schemas contradict each other',
    { properties: { tags: { allOf: [integer, string] }, n: integer } },
    { tags: 2, n: '5' },
    { tags: 2, n: 5 },
    '/n integer',
  ],
])('A repair under a wrong name does no harm: %s', (_, schema, args, repaired, made) => {
  expect(repair(schema, args, 'safe')).toEqual(['invalid', repaired, [made]]);
});

test('The choice of repairs means the same in whatever order its words come', () => {
  const compiled = compileSchema({ properties: { n: { type: 'number' } } });
  const kindsBy = (choice: 'numbers,integers' | 'integers,numbers') =>
    repairArguments(compiled, { n: '10' }, choice).repairs.map(({ kind }) => kind);
  expect(kindsBy('numbers,integers')).toEqual(kindsBy('integers,numbers'));
});

test.each([{}, { p: 'aab' }])('A pattern that is not matched hides no needless repair: beside %j', (more) => {
  const properties = { k: integer, a: true, p: { pattern: '^(?:(?:a|aa)+)+b$' } };
  const schema = { type: 'object', properties, dependentSchemas: { k: { properties: { a: integer } } } };
  expect(repair(schema, { k: null, a: '2', ...more })).toEqual(['valid', { a: '2', ...more }, ['/k null']]);
});

test('Each refused string has its reading, however many other values are refused before it', () => {
  const names = texts(12);
  const properties = members([...names, 'last'], () => ({ type: 'integer', minimum: 0 }));
  const args = { ...members(names, () => -1), last: '-1' };
  const { evaluation } = repairArguments(compileSchema({ type: 'object', properties }), args);
  const all = evaluation.outcome === 'invalid' ? evaluation.violations : [];
  expect(all.map(({ message }) => message)).toContain(
    '/last: must be integer, received string "-1" (read as -1, which must be >= 0)',
  );
});
