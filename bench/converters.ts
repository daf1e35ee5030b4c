import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import { DynamicStructuredTool } from '@langchain/core/tools';
import { jsonSchemaToZod as n8nConverter } from '@n8n/json-schema-to-zod';
import { jsonSchemaToZod } from 'json-schema-to-zod';
import * as zod from 'zod';
import { zodToJsonSchema } from 'zod-to-json-schema';
import { isObject } from '../src/json/index.js';

export type Convert = (schema: unknown) => unknown;

/** The round trips through Zod that others build on, without a client around them. */
export function converters(peersFolder: string): Record<string, Convert> {
  // zod 4 stands beside the peers; the project itself has n8n's version, zod 3.
  const zod4 = createRequire(join(peersFolder, 'package.json'))('zod') as {
    fromJSONSchema(schema: unknown): unknown;
    toJSONSchema(schema: unknown, options: object): unknown;
  };
  return {
    'n8n built-in MCP Client Tool': asN8n,
    'json-schema-to-zod + zod-to-json-schema': (schema) =>
      withoutNewDialect(zodToJsonSchema(run(jsonSchemaToZod(schema as never))), schema),
    'Zod 4 fromJSONSchema + toJSONSchema': (schema) =>
      withoutNewDialect(zod4.toJSONSchema(zod4.fromJSONSchema(schema), { io: 'input' }), schema),
  };
}

/**
 * The conversion of n8n 2.41 (McpClientTool, mcpToolToDynamicTool): to Zod, wrapped if that is not an object, and back
 * by LangChain.
 */
function asN8n(schema: unknown): unknown {
  const converted = n8nConverter(schema as never);
  const object = converted instanceof zod.ZodObject ? converted : zod.z.object({ value: converted });
  const tool = new DynamicStructuredTool({
    name: 'tool',
    description: '',
    schema: object as never,
    func: async () => '',
  });
  return convertToOpenAITool(tool).function.parameters;
}

/** The converter prints a program, to be saved and run; the schemas here are our own data. */
function run(program: string): zod.ZodType {
  const made = runInThisContext(`(z) => ${program}`) as (z: typeof zod.z) => zod.ZodType;
  return made(zod.z);
}

/** Both add `$schema`. If the server wrote none, it is removed here, in their favour. */
function withoutNewDialect(converted: unknown, original: unknown): unknown {
  if (!isObject(converted) || (isObject(original) && '$schema' in original)) return converted;
  return Object.fromEntries(Object.entries(converted).filter(([key]) => key !== '$schema'));
}
