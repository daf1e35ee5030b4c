import { expect, test } from 'vitest';
import { repairArguments } from '../../src/repair/repair.js';
import { compileSchema } from '../../src/schema/compile/compile.js';
import { integer, members, string, texts } from '../../test-support/schemas/short.js';

function repair(schema: object, args: unknown, choice: 'safe' | 'all' = 'all') {
  const { arguments: repaired, repairs, evaluation } = repairArguments(compileSchema(schema), args, choice);
  return [evaluation.outcome, repaired, repairs.map(({ instanceLocation, kind }) => `${instanceLocation} ${kind}`)];
}

const listed = { enum: ['Like New'] };
const named = (properties: object, additionalProperties: unknown) => ({
  properties,
  required: Object.keys(properties),
  additionalProperties,
});

const misnamed: Record<string, [schema: object, args: unknown, repaired: unknown, repairs: readonly string[]]> = {
  'its value is kept': [named({ Max: string }, listed), { max: 'like new' }, { Max: 'like new' }, ['/max name']],
  'it is not converted and converted back': [
    named({ max_results: integer }, string),
    { maxResults: 5 },
    { max_results: 5 },
    ['/maxResults name'],
  ],
  'its parts are not repaired by the wrong schema': [
    named({ Filter: { properties: { n: string } } }, { properties: { n: listed } }),
    { filter: { n: 'like new' } },
    { Filter: { n: 'like new' } },
    ['/filter name'],
  ],
  'no repair is reported at a removed place': [
    named(
      { filter: { properties: { maxResults: integer } } },
      { properties: { MAX_RESULTS: integer }, required: ['MAX_RESULTS'] },
    ),
    { Filter: { maxResults: 5 } },
    { filter: { maxResults: 5 } },
    ['/Filter name'],
  ],
  'names inside it follow the right schema': [
    named({ filter: named({ max_results: integer }, false) }, { properties: { other: integer } }),
    { Filter: { maxResults: 5 } },
    { filter: { max_results: 5 } },
    ['/Filter name', '/filter/maxResults name'],
  ],
};
test.each(Object.entries(misnamed))(
  'A value under a wrong name is judged only by the schema of the right name: %s',
  (_, [schema, args, repaired, repairs]) => {
    expect(repair(schema, args)).toEqual(['valid', repaired, repairs]);
  },
);

test.each([
  [
    'a name that cannot be repaired does not keep its value from being repaired',
    { properties: { a: { type: 'null' } }, required: ['a'], additionalProperties: integer },
    { A: '-1' },
    { A: -1 },
    '/A integer',
  ],
  [
    'no repair is made and undone if schemas contradict each other',
    { properties: { tags: { allOf: [integer, string] }, n: integer } },
    { tags: 2, n: '5' },
    { tags: 2, n: 5 },
    '/n integer',
  ],
])('A repair under a wrong name has no side effect: %s', (_, schema, args, repaired, made) => {
  expect(repair(schema, args, 'safe')).toEqual(['invalid', repaired, [made]]);
});

test('The order of the words in a choice of repairs does not matter', () => {
  const compiled = compileSchema({ properties: { n: { type: 'number' } } });
  const kindsBy = (choice: 'numbers,integers' | 'integers,numbers') =>
    repairArguments(compiled, { n: '10' }, choice).repairs.map(({ kind }) => kind);
  expect(kindsBy('numbers,integers')).toEqual(kindsBy('integers,numbers'));
});

test.each([{}, { p: 'aab' }])('An undecided pattern does not cause a needless repair: beside %j', (more) => {
  const properties = { k: integer, a: true, p: { pattern: '^(?:(?:a|aa)+)+b$' } };
  const schema = { type: 'object', properties, dependentSchemas: { k: { properties: { a: integer } } } };
  expect(repair(schema, { k: null, a: '2', ...more })).toEqual(['valid', { a: '2', ...more }, ['/k null']]);
});

test('Each rejected string is shown with its reading, however many values are rejected before it', () => {
  const names = texts(12);
  const properties = members([...names, 'last'], () => ({ type: 'integer', minimum: 0 }));
  const args = { ...members(names, () => -1), last: '-1' };
  const { evaluation } = repairArguments(compileSchema({ type: 'object', properties }), args);
  const all = evaluation.outcome === 'invalid' ? evaluation.violations : [];
  expect(all.map(({ message }) => message)).toContain(
    '/last: must be integer, received string "-1" (read as -1, which must be >= 0)',
  );
});
