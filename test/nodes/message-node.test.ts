import { createRequire } from 'node:module';
import { DynamicStructuredTool } from '@langchain/core/tools';
import type { ISupplyDataFunctions } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';
import type * as zod from 'zod';
import type * as converter from 'zod-to-json-schema';
import { hostTool } from '../../nodes/host/tools.js';
import { schemaForCaller } from '../../nodes/McpVerbatimTool/supply.js';
import { modelSchema, withoutStrictMode } from '../../src/internal.js';
import { walkSchemas } from '../../src/json/index.js';
import { corpusTools } from '../../test-support/schemas/corpus.js';
import { corpusIsComplete, sharedFolder } from '../../test-support/shared.js';

const require = createRequire(import.meta.url);
const { z } = require('zod') as typeof zod;
const { zodToJsonSchema } = require('zod-to-json-schema') as typeof converter;

type Schema = Record<string, unknown>;

const nodes = {
  openAi1: { type: '@n8n/n8n-nodes-langchain.openAi', typeVersion: 1.8 },
  openAi2: { type: '@n8n/n8n-nodes-langchain.openAi', typeVersion: 2 },
  anthropic: { type: '@n8n/n8n-nodes-langchain.anthropic', typeVersion: 1 },
  gemini: { type: '@n8n/n8n-nodes-langchain.googleGemini', typeVersion: 1.1 },
};

/** Converts a schema like n8n's nodes. */
async function tellingTo(node: keyof typeof nodes): Promise<(schema: Schema) => Schema> {
  const context = {
    parentNode: nodes[node],
    getNode: () => ({ name: 'Tools' }),
    workflow: { getChildNodes: () => ['Message a model'], getNode: () => nodes[node] },
  };
  const telling = schemaForCaller(context as unknown as ISupplyDataFunctions); // the only members that it reads
  return (wire) => {
    const tool = { name: 'it', description: '', hasToolArgument: false, call: () => Promise.resolve('') };
    const { schema } = hostTool({ ...tool, ...telling(wire) }, { z, DynamicStructuredTool });
    return zodToJsonSchema(schema as Parameters<typeof zodToJsonSchema>[0]);
  };
}

/** The condition under which n8n's OpenAI node 2.x asks for the strict mode (vendors/OpenAi/helpers/utils.js). */
function asksForStrictMode({ properties, required }: Schema): boolean {
  return Array.isArray(required) && Object.keys(properties as object).every((name) => required.includes(name));
}

describe("OpenAI's strict mode", () => {
  const text = { type: 'string', description: 'A text' };
  const schemaOf = (a: unknown, more: object = {}) => ({
    type: 'object',
    properties: { a, b: text },
    required: ['b', 'a'],
    ...more,
  });

  test.each<[what: string, schema: Schema]>([
    ['plain parameters', schemaOf({ type: 'array', items: { type: 'integer' } })],
    ['plain parameters and nothing else', schemaOf({ type: 'string', enum: ['x'] }, { additionalProperties: false })],
  ])("OpenAI's strict mode is left to n8n if it accepts the schema: %s", async (_what, schema) => {
    expect(asksForStrictMode((await tellingTo('openAi2'))(schema))).toBe(true);
  });

  test.each<[what: string, schema: Schema]>([
    ['an open object', schemaOf({ type: 'object', properties: {} })],
    ['a default', schemaOf({ type: 'string', default: 'x' })],
    ['a reference', schemaOf({ $ref: '#/properties/b' })],
    ['more parameters', schemaOf(text, { additionalProperties: true })],
    ['a type that is none', schemaOf({ type: { toString: 1 } })],
  ])("OpenAI's strict mode is not requested if it would reject the request: %s", async (_what, schema) => {
    const told = (await tellingTo('openAi2'))(schema);
    expect(asksForStrictMode(told)).toBe(false);
    expect(told).toMatchObject({ required: ['a'], description: '"b" is required, too.' });
    expect((await tellingTo('openAi1'))(schema)['required']).toEqual(['a', 'b']);
  });

  test.each([{ type: 'object' }, { properties: { a: text } }, { properties: null, required: ['a'] }])(
    "A schema without required parameters is not changed because of OpenAI's strict mode: %j",
    (schema) => {
      expect(withoutStrictMode(schema)).toBe(schema);
    },
  );

  test("OpenAI's strict mode leaves tools with an optional parameter as they are", async () => {
    const schema = schemaOf({ type: 'string', default: 'x' }, { required: ['b'], description: 'Finds.' });
    expect((await tellingTo('openAi2'))(schema)).toEqual((await tellingTo('anthropic'))(schema));
  });
});

test('Objects are not changed for Gemini, which rejects additionalProperties', async () => {
  const a = { type: 'object', properties: { b: { type: 'string' } } };
  const schema = { type: 'object', properties: { a } };
  expect((await tellingTo('gemini'))(schema)['properties']).toEqual({ a: { anyOf: [a] } });
  expect((await tellingTo('anthropic'))(schema)).toMatchObject({ properties: { a: { additionalProperties: {} } } });
});

const folder = sharedFolder('corpus');

describe.skipIf(!folder)('the tools of real servers', () => {
  const schemas = (folder ? corpusTools(folder) : []).map(({ inputSchema }) =>
    modelSchema({ inputSchema: inputSchema as Schema }),
  );

  test("OpenAI's strict mode is requested for 754 recorded tools, whose schemas are all plain", async () => {
    const tell = await tellingTo('openAi2');
    const strict = schemas.map((schema) => tell(schema)).filter(asksForStrictMode);
    if (corpusIsComplete()) expect(strict).toHaveLength(754);
    const keywords = new Set(
      strict.flatMap((schema) => [...walkSchemas(schema)].flatMap(({ schema: part }) => Object.keys(part))),
    );
    const plain = '$schema additionalProperties anyOf description enum items properties required type'.split(' ');
    expect(plain).toEqual(corpusIsComplete() ? [...keywords].sort() : expect.arrayContaining([...keywords]));
    expect(keywords).toContain('properties');
  });
});
