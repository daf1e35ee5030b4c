import { fc } from '../../test-support/fuzz.js';
import { describe, expect, test } from 'vitest';
import { childrenOf, sourceAt } from '../../test-support/n8n/source.js';

describe('cutting values out of JSON text', () => {
  test.for([
    { json: '{"a":{"b":[1, 2.0]}}', path: ['a', 'b', 1], source: '2.0' },
    { json: '{ "a" : { "b" : 1 } , "c" : 2 }', path: ['a'], source: '{ "b" : 1 }' },
    { json: '{"a":"}","b":"\\"]"}', path: ['b'], source: '"\\"]"' },
    { json: '{"\\u0061":1}', path: ['a'], source: '1' },
    { json: '{"a":1,"a":2}', path: ['a'], source: '2' },
    { json: '{"a":1}', path: ['b'], source: undefined },
    { json: '[]', path: [0], source: undefined },
  ])('$json at $path: $source', ({ json, path, source }) => {
    expect(sourceAt(json, ...path)).toBe(source);
  });

  test('the parts say what the parsed whole says', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 4 }), (value, indent) => {
        const children = childrenOf(JSON.stringify(value, null, indent)).map(({ key, source }) => [
          key,
          JSON.parse(source) as unknown,
        ]);
        const isObject = typeof value === 'object' && value !== null;
        const members = isObject
          ? Object.entries(value).map(([key, member]) => [Array.isArray(value) ? undefined : key, member])
          : [];
        expect(JSON.stringify(children)).toBe(JSON.stringify(members));
      }),
    );
  });
});
