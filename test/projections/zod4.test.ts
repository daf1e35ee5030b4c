import { createRequire } from 'node:module';
import type * as langchainFunctions from '@langchain/core/utils/function_calling';
import type * as langchainSchemas from '@langchain/core/utils/json_schema';
import type * as langchainTools from '@langchain/core/tools';
import { describe, expect, test } from 'vitest';
import type * as zod4 from 'zod4';
import { hostTool } from '../../nodes/host/tools.js';
import { modelSchema } from '../../src/projections/index.js';
import { plainSchema, schemaFacade, type Zod } from '../../src/projections/zod/index.js';
import { sampled } from '../../test-support/law-runs.js';
import { corpusTools } from '../../test-support/schemas/corpus.js';
import { integer, object, to } from '../../test-support/schemas/short.js';
import { sharedFolder } from '../../test-support/shared.js';

// Loaded as in a host: CommonJS, one copy of each.
const require = createRequire(import.meta.url);
const { z } = require('zod4') as typeof zod4;
const { DynamicStructuredTool } = require('@langchain/core/tools') as typeof langchainTools;
const { toJsonSchema } = require('@langchain/core/utils/json_schema') as typeof langchainSchemas;
const { convertToOpenAITool } = require('@langchain/core/utils/function_calling') as typeof langchainFunctions;

const asZod3 = z as unknown as Zod; // a host may pass either package
const facadeOf = (schema: object) => schemaFacade(schema, { z: asZod3 }) as unknown as zod4.ZodObject;

const plain = object({ a: integer, b: false }, { required: ['a'], not: { required: ['c'] } });
const tree = object(
  { node: to('node'), count: { ...to('count'), description: 'How many' } },
  { $defs: { node: { properties: { next: to('node') } }, count: integer } },
);
const withoutDialect = ({ $schema: _dialect, ...schema }: Record<string, unknown>) => schema;

describe('the facade for a host with Zod 4', () => {
  test('The facade for Zod 4 is an instance of its types, with a shape', () => {
    const facade = facadeOf(plain);
    expect(facade).toBeInstanceOf(z.ZodType);
    expect(facade).toBeInstanceOf(z.ZodObject);
    expect(Object.keys(facade.shape)).toEqual(['a', 'b']);
  });

  test('The facade for Zod 4 returns the original as Standard JSON Schema', () => {
    const { '~standard': standard } = facadeOf(tree);
    expect(standard.jsonSchema.input({ target: 'draft-07' })).toBe(tree);
  });

  test('The facade for Zod 4 converts to the original JSON Schema, also with a description or inside another type', () => {
    expect(withoutDialect(z.toJSONSchema(facadeOf(plain)))).toEqual(plain);
    expect(withoutDialect(z.toJSONSchema(facadeOf(plain).describe('x')))).toEqual({ ...plain, description: 'x' });
    const { properties } = z.toJSONSchema(z.object({ parameters: facadeOf(plain) }));
    expect(properties?.['parameters']).toEqual(plain);
  });

  test('The facade for Zod 4 has its references inlined, because they would lead elsewhere', () => {
    const { properties } = z.toJSONSchema(z.object({ parameters: facadeOf(tree) }));
    expect(properties?.['parameters']).toEqual(
      object({ node: { properties: { next: {} } }, count: { ...integer, description: 'How many' } }),
    );
    expect(JSON.stringify(tree)).toContain('$defs');
  });

  test('The facade for Zod 4 lets every value through, also when nested', async () => {
    const facade = facadeOf(plain);
    for (const value of [{ a: 'x', more: 1 }, 'text', null]) {
      expect(facade.parse(value)).toBe(value);
      expect(await facade.parseAsync(value)).toBe(value);
      expect(facade.describe('x').safeParse(value)).toEqual({ success: true, data: value });
      expect(z.object({ parameters: facade }).parse({ parameters: value })).toEqual({ parameters: value });
      expect(facade['~standard'].validate(value)).toEqual({ value });
    }
  });
});

test('A schema of Zod 4 made of the original reaches the model unchanged', () => {
  const schema = plainSchema(tree, asZod3);
  expect(schema).toBeInstanceOf(z.ZodType);
  expect(JSON.stringify(schema)).toBe(JSON.stringify(tree));
  expect(toJsonSchema(schema as Record<string, unknown>)).toBe(schema);
});

test('A tool of a host whose LangChain rewrites the facade has the original', async () => {
  const calls: unknown[] = [];
  const tool = hostTool(
    {
      name: 'find',
      description: 'Finds.',
      schema: tree,
      hasToolArgument: false,
      call: async (args) => {
        calls.push(args);
        return 'found';
      },
    },
    { z: asZod3, DynamicStructuredTool, toJsonSchema: (schema) => toJsonSchema(schema as Record<string, unknown>) },
  );
  expect(tool.schema).toBeInstanceOf(z.ZodType);
  expect(JSON.stringify(convertToOpenAITool(tool).function.parameters)).toBe(JSON.stringify(tree));
  expect(await tool.invoke({ count: '5', more: true })).toBe('found');
  expect(calls).toEqual([{ count: '5', more: true }]);
});

const corpus = sharedFolder('corpus');

test.skipIf(corpus === undefined)('Every recorded tool without references converts back to its own schema', () => {
  const tools = sampled(corpusTools(corpus!)).filter(
    ({ inputSchema }) => !JSON.stringify(inputSchema).includes('"$ref"'),
  );
  expect(tools.length).toBeGreaterThan(100);
  for (const { name, inputSchema } of tools) {
    const schema = modelSchema({ inputSchema: inputSchema as Record<string, unknown> });
    const ofDocument = ['$schema', '$id', '$defs', 'definitions'];
    const expected = Object.entries(schema).filter(([keyword]) => !ofDocument.includes(keyword));
    expect(withoutDialect(z.toJSONSchema(facadeOf(schema))), name).toEqual(Object.fromEntries(expected));
  }
});
