import { expect, test } from 'vitest';
import { exampleValue } from '../../src/projections/index.js';

test.each<[schema: object, example: unknown]>([
  [{}, {}],
  [{ description: 'Anything' }, {}],
  [{ anyOf: [{ required: ['a'], properties: { a: { type: 'integer' } } }] }, { a: 1 }],
  [{ not: { type: 'object' } }, undefined],
  [{ type: 'object', properties: { a: {} } }, { a: 'text' }],
])('The example of arguments for %j is an object, or none was found', (inputSchema, example) => {
  expect(exampleValue({ inputSchema })).toEqual(example);
});
