import { createRequire } from 'node:module';
import type * as langchainFunctions from '@langchain/core/utils/function_calling';
import type * as langchainTools from '@langchain/core/tools';
import { describe, expect, test } from 'vitest';
import type * as zod from 'zod';
import { schemaFacade } from '../../src/projections/zod/index.js';
import { type HostPackages, hostTool } from '../../nodes/host/tools.js';

// Loaded as in n8n: CommonJS, one copy of each.
const require = createRequire(import.meta.url);
const { z } = require('zod') as typeof zod;
const { DynamicStructuredTool } = require('@langchain/core/tools') as typeof langchainTools;
// Zod 3's own types do not fit LangChain's under `exactOptionalPropertyTypes`.
const { toJsonSchema } = require('@langchain/core/utils/json_schema') as { toJsonSchema: (schema: unknown) => unknown };
const { convertToOpenAITool } = require('@langchain/core/utils/function_calling') as typeof langchainFunctions;
const { jsonSchemaToZod } = require('@n8n/json-schema-to-zod') as { jsonSchemaToZod: (schema: object) => unknown };

const host: HostPackages = { z, DynamicStructuredTool, toJsonSchema };
const hosts = [
  ['of today', host],
  ['that does not know Standard JSON Schema', { ...host, toJsonSchema: (given: unknown) => given }],
] as const;

/** Schemas that n8n's conversion to Zod and back changes or breaks. */
const schemas: Array<[what: string, schema: object]> = [
  ['references', { type: 'object', properties: { a: { $ref: '#/$defs/a' }, b: { $ref: '#' } }, $defs: { a: {} } }],
  [
    'pattern properties only',
    { type: 'object', patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false },
  ],
  ['alternatives at the root', { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] }],
  ['an enumeration of several types', { type: 'object', properties: { a: { enum: ['a', 3, null] } } }],
  ['a pattern that is no RegExp', { type: 'object', properties: { a: { type: 'string', pattern: '(' } } }],
  ['no properties', { type: 'object' }],
  [
    'type lists, formats, defaults',
    { type: 'object', properties: { n: { type: ['null'], format: 'a', default: 10 } } },
  ],
  ['a dialect and unknown keywords', { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', 'x-a': 1 }],
  [
    'members that Zod types have as well, behind others',
    { type: 'object', properties: {}, description: 'What it is for.', default: {}, catch: 1 },
  ],
];

describe.each(hosts)('on a host %s', (_when, packages) => {
  test.each(schemas)(
    'With %s, the model is sent the original text, even after n8n has read the schema',
    (_what, schema) => {
      const tool = normalizedByN8n(hostTool(description({ ...schema }), packages));
      expect(JSON.stringify(convertToOpenAITool(tool).function.parameters)).toBe(JSON.stringify(schema));
    },
  );

  test('A call by an agent that runs tools itself has the arguments as the model sent them', async () => {
    const schema = { type: 'object', properties: { a: { type: 'integer' } }, additionalProperties: false };
    const call = async (args: unknown) => JSON.stringify(args);
    const tool = normalizedByN8n(hostTool({ ...description(schema), call }, packages));
    expect(await tool.invoke({ a: '1', 'x-trace': [] })).toBe('{"a":"1","x-trace":[]}');
  });
});

describe('the facade as a Zod type', () => {
  const schema = { type: 'object', properties: { limit: { type: 'integer' } }, required: ['limit'] };
  const sent = { limit: 'abc', 'x-trace': 1 };

  test.each([
    ['parse', (facade: zod.ZodTypeAny): unknown => facade.parse(sent)],
    ['safeParseAsync', async (facade: zod.ZodTypeAny): Promise<unknown> => (await facade.safeParseAsync(sent)).data],
    ['a description', (facade: zod.ZodTypeAny): unknown => facade.describe('of the arguments').parse(sent)],
    ['an object around it', (facade: zod.ZodTypeAny): unknown => z.object({ of: facade }).parse({ of: sent })['of']],
  ])('The facade lets every value through %s as it is', async (_way, parse) => {
    expect(await parse(schemaFacade(schema, host))).toBe(sent);
  });

  test('The facade stays a facade when it is described repeatedly', () => {
    const described = schemaFacade(schema, host).describe('of the arguments').describe('of the tool');
    expect(toJsonSchema(described)).toBe(schema);
    expect(described.description).toBe('of the tool');
  });
});

function description(schema: object) {
  return { name: 'tool', description: '', schema, hasToolArgument: false, call: async () => '' };
}

/** Repeats n8n's `getConnectedTools`, which converts every schema that is not of its own Zod. */
function normalizedByN8n(tool: langchainTools.DynamicStructuredTool): langchainTools.DynamicStructuredTool {
  const open: { schema: unknown } = tool;
  if (open.schema && !(open.schema instanceof z.ZodType)) open.schema = jsonSchemaToZod(open.schema);
  return tool;
}
