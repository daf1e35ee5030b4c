import type { ISupplyDataFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { ModelTool } from '../../../src/internal.js';

/** What n8n's Agents take from a node: they read the schema and call it. */
export interface SingleTool {
  schema: object;
  invoke(args: unknown): Promise<string>;
}

/**
 * The one tool that is offered, for n8n's Agents, to which a node is a single tool. Where it is not one, the model is
 * told so as soon as it calls it: of an error before that, n8n tells nobody but its log.
 */
export function singleTool(
  context: ISupplyDataFunctions,
  offered: readonly ModelTool[],
  call: (tool: ModelTool, args: unknown) => Promise<string>,
): SingleTool {
  const [tool, ...more] = offered;
  if (tool !== undefined && more.length === 0) {
    return { schema: uncheckedSchema(described(tool)), invoke: async (args) => await call(tool, args) };
  }
  const refuse = async () => await Promise.reject(notOne(context, offered.length));
  return { schema: uncheckedSchema({ type: 'object', properties: {} }), invoke: refuse };
}

/**
 * The schema with the tool's description in front, which would reach the model in no other way: n8n's Agents describe a
 * node's tool by what stands in their own configuration, and their editor has no field for it.
 */
function described({ description, schema: { description: own, ...schema } }: ModelTool): object {
  return { description: typeof own === 'string' ? `${description}\n${own}` : description, ...schema };
}

/**
 * A schema as n8n's Agents tell it to a model unchanged, and check nothing with: the original decides when the tool is
 * called. A plain JSON Schema they would check with Ajv, before any repair; so this has the methods by which they
 * recognise Zod (@n8n/agents, utils/parse.js). What the providers' packages are handed is decided by Vercel's AI SDK,
 * which takes an object with its own mark for a JSON Schema as it stands (@ai-sdk/provider-utils, `asSchema`).
 */
function uncheckedSchema(told: object): object {
  const valid = (data: unknown) => ({ success: true, data });
  return {
    safeParse: valid,
    safeParseAsync: async (data: unknown) => await Promise.resolve(valid(data)),
    toJSONSchema: () => told,
    _def: {},
    [Symbol.for('vercel.ai.schema')]: true,
    jsonSchema: told,
    validate: (value: unknown) => ({ success: true, value }),
  };
}

function notOne(context: ISupplyDataFunctions, count: number): NodeOperationError {
  return new NodeOperationError(
    context.getNode(),
    `An n8n Agent uses a node as one tool, but this node offers ${count === 0 ? 'none' : count}. ` +
      'Set "Tools to Include" to "Selected", select exactly one tool, and add another node for each further tool.',
  );
}
