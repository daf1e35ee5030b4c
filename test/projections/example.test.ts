import { expect, test } from 'vitest';
import { exampleValue } from '../../src/projections/index.js';

test.each<[schema: object, example: unknown]>([
  [{}, {}],
  [{ description: 'Anything' }, {}],
  [{ anyOf: [{ required: ['a'], properties: { a: { type: 'integer' } } }] }, { a: 1 }],
  [{ not: { type: 'object' } }, undefined],
  [{ type: 'object', properties: { a: {} } }, { a: 'text' }],
  [{ type: ['string', 'object'], required: ['a'], properties: { a: { type: 'integer' } } }, { a: 1 }],
  [{ type: ['null', 'object'] }, {}],
  [{ anyOf: [{ type: 'string' }, { required: ['a'], properties: { a: { type: 'boolean' } } }] }, { a: true }],
  [
    { required: ['a'], properties: { a: { anyOf: [{ type: 'string', pattern: '^z' }, { type: 'integer' }] } } },
    { a: 1 },
  ],
  [{ required: ['a'], properties: { a: { type: ['string', 'integer'], pattern: '^z' } } }, { a: 1 }],
])('The example of arguments for %j is an object or undefined', (inputSchema, example) => {
  expect(exampleValue({ inputSchema })).toEqual(example);
});
