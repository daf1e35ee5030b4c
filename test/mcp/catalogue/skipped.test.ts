import { describe, expect, test } from 'vitest';
import { reasonToSkip } from '../../../src/mcp/catalogue/notes.js';

const reasonFor = (definition: unknown, { mirrorsHeaders = false, taken = new Set<string>() } = {}) =>
  reasonToSkip(definition, { mirrorsHeaders, taken });
const withSchema = (inputSchema: unknown) => reasonFor({ name: 'a', inputSchema });
const parsed = (text: string) => JSON.parse(text) as unknown;

describe('skipped tools', () => {
  test.each<[string, unknown, string]>([
    ['null', null, 'The entry is null, not a tool object.'],
    ['a list', [], 'The entry is an array, not a tool object.'],
    ['a text', 'a', 'The entry is a string, not a tool object.'],
    ['without a name', {}, "The tool's name is missing; it must be a string."],
    ['with a number for its name', { name: 1 }, "The tool's name is a number; it must be a string."],
    ['with an empty name', { name: ' ' }, 'The name of the tool is empty.'],
    ['without a schema', { name: 'a' }, 'The tool has no inputSchema.'],
    ['with null for its schema', { name: 'a', inputSchema: null }, 'The inputSchema is null; it must be'],
    ['with true for its schema', { name: 'a', inputSchema: true }, 'The inputSchema is a boolean; it must be'],
  ])('A tool is skipped if it is %s', (_, definition, message) => {
    const reason = reasonFor(definition);
    expect(reason?.message).toContain(message);
    expect(reason).not.toHaveProperty('schemaLocation');
  });

  test.each(['string', 'null', [], ['string', 'null'], 1])(
    'A tool is skipped if its arguments have to be of type %j',
    (type) => {
      const message = `The inputSchema is of type ${JSON.stringify(type)}; arguments are always an object.`;
      expect(withSchema({ type })).toEqual({ code: 'root-type', message, schemaLocation: '#/type' });
    },
  );

  test('The reason for skipping a tool shows no more of a long type than fits a line', () => {
    expect(withSchema({ type: 'x'.repeat(1000) })?.message).toHaveLength(160);
  });

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
    ['of Zod 3', '{"_def":{"typeName":"ZodObject"}}'],
    ['of Zod 4', '{"def":{"type":"object","shape":{}},"type":"object"}'],
    ['of any library of Standard Schema', '{"~standard":{"version":1,"vendor":"arktype"}}'],
    ['without its object', '{"a":{"_def":{"typeName":"ZodString"}},"b":{"def":{"type":"string"},"type":"string"}}'],
  ])('A tool is skipped if its schema is an object %s', (_, schema) => {
    expect(withSchema(parsed(schema))).toMatchObject({ code: 'input-schema-is-zod' });
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
