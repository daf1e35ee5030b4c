import { describe, expect, test } from 'vitest';
import { standardSchema } from '../../src/projections/index.js';
import { findPersons, received, sent } from '../langchain/tools.js';

const { '~standard': standard } = standardSchema(findPersons);

describe('a tool as a Standard Schema', () => {
  test.each(['draft-07', 'draft-2020-12', 'openapi-3.0'])(
    'is the JSON Schema that the server wrote, for the target %s too',
    (target) => {
      expect(standard.jsonSchema.input({ target })).toBe(findPersons.inputSchema);
      expect(standard.jsonSchema.output({ target })).toBe(findPersons.inputSchema);
    },
  );

  test('repairs what it validates', () => {
    expect(standard.validate(sent)).toEqual({ value: received });
  });

  test('names every issue with its path', () => {
    const result = standard.validate({ limit: -1, queries: [{ group: {} }] });
    expect(result.issues?.map(({ path }) => path?.map(String).join('.')).sort()).toEqual(['limit', 'queries.0.group']);
  });

  test.each([
    ['a missing property', {}, ['queries']],
    ['a missing property within a list', { queries: [{}] }, ['queries', 0, 'group']],
  ])('points to %s, as other libraries do', (_what, args, path) => {
    const result = standard.validate(args);
    expect(result.issues?.map((issue) => issue.path?.slice(0, path.length))).toContainEqual(path);
  });

  test('repairs nothing when asked so', () => {
    const strict = standardSchema(findPersons, { repairs: { integers: false } })['~standard'];
    expect(strict.validate(sent).issues?.length).toBeGreaterThan(0);
  });
});
