import { describe, expect, test } from 'vitest';
import { reasonToSkip } from '../../../src/mcp/catalogue/notes.js';

const reasonFor = (definition: unknown, { mirrorsHeaders = false, taken = new Set<string>() } = {}) =>
  reasonToSkip(definition, { mirrorsHeaders, taken });
const withSchema = (inputSchema: unknown) => reasonFor({ name: 'a', inputSchema });
const parsed = (text: string) => JSON.parse(text) as unknown;

describe('skipped tools', () => {
  test.each([{}, { type: 'object' }, { type: ['null', 'object'] }])(
    'A tool with the schema %j is not skipped',
    (schema) => {
      expect(withSchema(schema)).toBeUndefined();
    },
  );

  test.each([
    ['lists', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('A tool is skipped if it nests more than 500 %s', (_, open, close) => {
    // The tool and its schema are two levels.
    const nested = (levels: number) =>
      withSchema(parsed(`{"a":${open.repeat(levels - 2)}null${close.repeat(levels - 2)}}`));
    expect(nested(500)).toBeUndefined();
    expect(nested(501)).toMatchObject({ code: 'too-deep' });
  });

  test.each([
    '{"properties":{"def":{"type":"string"},"type":{"type":"string"}}}',
    '{"properties":{"_def":{"type":"string"}}}',
    '{"properties":{"def":{}}}',
    '{"a":{"def":{"type":"string"},"type":"string"},"b":{"type":"string"}}',
    '{"a":{"def":{},"b":{}}}',
  ])('A tool is not skipped if its schema only looks like an object of a library: %s', (schema) => {
    expect(withSchema(parsed(schema))).toBeUndefined();
  });
});
