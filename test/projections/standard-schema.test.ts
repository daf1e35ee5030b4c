import { expect, test } from 'vitest';
import { standardSchema } from '../../src/projections/index.js';
import { findPersons, received, sent } from '../langchain/tools.js';

const { '~standard': standard } = standardSchema(findPersons);

test.each(['draft-07', 'draft-2020-12', 'openapi-3.0'])(
  'A tool as a Standard Schema is the JSON Schema that the server wrote, for the target %s too',
  (target) => {
    for (const shown of [standard.jsonSchema.input({ target }), standard.jsonSchema.output({ target })]) {
      expect(JSON.stringify(shown)).toBe(JSON.stringify(findPersons.inputSchema));
      expect(shown).not.toBe(findPersons.inputSchema); // hosts modify it
    }
  },
);

test('A tool as a Standard Schema repairs the validated value', () => {
  expect(standard.validate(sent)).toEqual({ value: received });
});

test.each<[what: string, args: object, paths: (string | number)[][]]>([
  ['every issue with its path', { limit: -1, queries: [{ group: {} }] }, [['limit'], ['queries', 0, 'group']]],
  ['a missing property, as other libraries do', {}, [['queries']]],
  ['one within a list', { queries: [{}] }, [['queries', 0, 'group']]],
])('A tool as a Standard Schema names %s', (_what, args, paths) => {
  const found = standard.validate(args).issues?.map(({ path }) => path);
  expect(found).toEqual(expect.arrayContaining(paths));
  expect(found).toHaveLength(paths.length);
});

test('A tool as a Standard Schema repairs nothing with repairs off', () => {
  const strict = standardSchema(findPersons, { repairs: '-integers' })['~standard'];
  expect(strict.validate(sent).issues?.length).toBeGreaterThan(0);
});
