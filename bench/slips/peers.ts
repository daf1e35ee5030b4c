/** Other packages with the same calls: each as its documentation says, in the version of the lockfile. */
import { Ajv, type AnySchemaObject } from 'ajv';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isObject } from '../../src/json/index.js';
import { requiredPackages } from '../../test-support/packages.js';
import type { Attempt, Contender } from './contender.js';

const folder = requiredPackages('bench/slips/peers');

export async function peers(): Promise<[string, Contender][]> {
  const { jsonrepair } = await load<{ jsonrepair: (text: string) => string }>('jsonrepair');
  const { LlmJson } = await load<{ LlmJson: { coerce: (input: unknown, parameters: unknown) => unknown } }>(
    '@typia/utils',
  );
  const mastra = await load<Mastra>('@mastra/core/tools');
  const zod = await load<{ z: { fromJSONSchema: (schema: unknown) => unknown } }>('zod');
  return [
    ["Ajv, coerceTypes: 'array'", (schema, args) => withAjv(schema, args)],
    ['jsonrepair, then Ajv', (schema, args) => withAjv(schema, withRepairedTexts(schema, args, jsonrepair))],
    ['typia, LlmJson.coerce', (schema, args) => sent(LlmJson.coerce(structuredClone(args), schema))],
    ['Mastra, createTool', (schema, args) => withMastra(mastra, zod.z.fromJSONSchema(schema), args)],
  ];
}

function sent(args: unknown): Attempt {
  return { arguments: args, sent: true };
}

function withAjv(schema: unknown, args: unknown): Attempt {
  const copy: unknown = structuredClone(args);
  // The recorded schemas are objects.
  const validate = new Ajv({ coerceTypes: 'array', strict: false, logger: false }).compile(schema as AnySchemaObject);
  return { arguments: copy, sent: validate(copy) === true };
}

/** Repairs and parses strings if the schema declares no string. */
function withRepairedTexts(schema: unknown, args: unknown, jsonrepair: (text: string) => string): unknown {
  const properties = isObject(schema) ? schema['properties'] : undefined;
  if (!isObject(args) || !isObject(properties)) return args;
  const entries = Object.entries(args).map(([name, value]) => {
    const declared = properties[name];
    if (typeof value !== 'string' || !isObject(declared) || declared['type'] === 'string')
      return [name, value] as const;
    try {
      return [name, JSON.parse(jsonrepair(value)) as unknown] as const;
    } catch {
      return [name, value] as const;
    }
  });
  return Object.fromEntries(entries);
}

interface Mastra {
  createTool(options: object): { execute(args: unknown, context: object): Promise<unknown> };
}

async function withMastra({ createTool }: Mastra, inputSchema: unknown, args: unknown): Promise<Attempt> {
  let received: Attempt = { arguments: args, sent: false };
  const execute = (input: unknown) => {
    received = sent(input);
    return Promise.resolve({});
  };
  const tool = createTool({ id: 'tool', description: 'A recorded tool', inputSchema, execute });
  await tool.execute(structuredClone(args), {});
  return received;
}

async function load<Module>(name: string): Promise<Module> {
  const resolve = createRequire(join(folder, 'package.json'));
  // The exports of a package from the lockfile match its documentation.
  return (await import(pathToFileURL(resolve.resolve(name)).href)) as Module;
}
