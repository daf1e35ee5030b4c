import { describe, expect, test } from 'vitest';
import { repairArguments } from '../../src/repair/repair.js';
import { compileSchema } from '../../src/schema/compile/compile.js';

const integer = { type: 'integer' };
const string = { type: 'string' };

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

  test.each<[what: string, schema: object, args: unknown, repaired: unknown, repairs: readonly string[]]>([
    ['its value stays', named({ Max: string }, listed), { max: 'like new' }, { Max: 'like new' }, ['/max name']],
    [
      'it is not read there and back',
      named({ max_results: integer }, string),
      { maxResults: 5 },
      { max_results: 5 },
      ['/maxResults name'],
    ],
    [
      'nor is a part of it',
      named({ Filter: { properties: { n: string } } }, { properties: { n: listed } }),
      { filter: { n: 'like new' } },
      { Filter: { n: 'like new' } },
      ['/filter name'],
    ],
    [
      'no repair is reported at a place that is gone',
      named(
        { filter: { properties: { maxResults: integer } } },
        { properties: { MAX_RESULTS: integer }, required: ['MAX_RESULTS'] },
      ),
      { Filter: { maxResults: 5 } },
      { filter: { maxResults: 5 } },
      ['/Filter name'],
    ],
    [
      'names within it are those of the right name',
      named({ filter: named({ max_results: integer }, false) }, { properties: { other: integer } }),
      { Filter: { maxResults: 5 } },
      { filter: { max_results: 5 } },
      ['/Filter name', '/filter/maxResults name'],
    ],
  ])('%s', (_, schema, args, repaired, repairs) => {
    expect(repair(schema, args)).toEqual(['valid', repaired, repairs]);
  });

  test('a name that no repair makes right keeps no value from being repaired', () => {
    const schema = { properties: { a: { type: 'null' } }, required: ['a'], additionalProperties: integer };
    expect(repair(schema, { A: '-1' })).toEqual(['invalid', { A: -1 }, ['/A integer']]);
  });
});

describe('the choice of repairs', () => {
  test('means the same in whatever order its words come', () => {
    const compiled = compileSchema({ properties: { n: { type: 'number' } } });
    const kindsBy = (choice: 'numbers,integers' | 'integers,numbers') =>
      repairArguments(compiled, { n: '10' }, choice).repairs.map(({ kind }) => kind);
    expect(kindsBy('numbers,integers')).toEqual(kindsBy('integers,numbers'));
  });
});

test('no repair is made to be taken back if schemas contradict each other', () => {
  const both = { allOf: [integer, string] };
  expect(repair({ properties: { tags: both, n: integer } }, { tags: 2, n: '5' }, 'safe')).toEqual([
    'invalid',
    { tags: 2, n: 5 },
    ['/n integer'],
  ]);
});

test('a pattern that is not matched hides no needless repair', () => {
  const properties = { k: integer, a: true, p: { pattern: '^(?:(?:a|aa)+)+b$' } };
  const schema = { type: 'object', properties, dependentSchemas: { k: { properties: { a: integer } } } };
  const { p, ...plain } = properties;
  const withoutPattern = repair({ ...schema, properties: plain }, { k: null, a: '2' });
  expect(withoutPattern).toEqual(['valid', { a: '2' }, ['/k null']]);
  expect(repair(schema, { k: null, a: '2', p: 'aab' })).toEqual(['valid', { a: '2', p: 'aab' }, ['/k null']]);
  expect(p.pattern).toContain('aa');
});

test('each refused string has its reading, however many other values are refused before it', () => {
  const names = Array.from({ length: 12 }, (_, index) => `f${index}`);
  const bounded = { type: 'integer', minimum: 0 };
  const properties = Object.fromEntries([...names, 'last'].map((name) => [name, bounded]));
  const args = { ...Object.fromEntries(names.map((name) => [name, -1])), last: '-1' };
  const { evaluation } = repairArguments(compileSchema({ type: 'object', properties }), args);
  const last =
    evaluation.outcome === 'invalid' && evaluation.violations.find((each) => each.instanceLocation === '/last');
  expect(last && last.message).toBe('/last: must be integer, received string "-1" (read as -1, which must be >= 0)');
});
