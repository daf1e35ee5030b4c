import type { ModelTool } from '../../../src/internal.js';

/** What n8n's Agents take from a node: they read the schema and call it. */
export interface SingleTool {
  schema: object;
  invoke(args: unknown): Promise<string>;
}

/**
 * The one exposed tool, for n8n's Agents, to which a node is a single tool. Where it is not one, the model reads so as
 * soon as it calls it: an error before that appears in n8n's log alone.
 */
export function singleTool(
  exposed: readonly ModelTool[],
  call: (tool: ModelTool, args: unknown) => Promise<string>,
): SingleTool {
  const [tool, ...more] = exposed;
  if (tool !== undefined && more.length === 0)
    return { schema: uncheckedSchema(described(tool)), invoke: async (args) => await call(tool, args) };
  const count = exposed.length === 0 ? 'none' : exposed.length;
  const notOne = new Error(
    `An n8n Agent uses a node as one tool, but this node has ${count}. ` +
      'Set "Tools to Include" to "Selected", select exactly one tool, and add another node for each further tool.',
  );
  const invoke = async () => await Promise.reject(notOne);
  return { schema: uncheckedSchema({ type: 'object', properties: {} }), invoke };
}

/**
 * The schema with the tool's description in front, which would reach the model in no other way: n8n's Agents describe a
 * node's tool by what stands in their own configuration, and their editor has no field for it.
 */
function described({ description, schema: { description: own, ...schema } }: ModelTool): object {
  return { description: typeof own === 'string' ? `${description}\n${own}` : description, ...schema };
}

/**
 * A schema that n8n's Agents send to a model unchanged, and check nothing with: the original decides when the tool is
 * called. A plain JSON Schema they would check with Ajv, before any repair; so this has the methods by which they
 * recognise Zod (@n8n/agents, utils/parse.js). Vercel's AI SDK decides what the providers' packages
 * get. It takes an object with its own mark for a JSON Schema as it stands (@ai-sdk/provider-utils, `asSchema`).
 */
function uncheckedSchema(sent: object): object {
  const valid = (data: unknown) => ({ success: true, data });
  return {
    safeParse: valid,
    safeParseAsync: async (data: unknown) => await Promise.resolve(valid(data)),
    toJSONSchema: () => sent,
    _def: {},
    [Symbol.for('vercel.ai.schema')]: true,
    jsonSchema: sent,
    validate: (value: unknown) => ({ success: true, value }),
  };
}
