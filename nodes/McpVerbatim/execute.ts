import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { Session } from '../../src/index.js';
import { withSession } from '../connection/session.js';
import { errorForEditor, errorForModel, nodeError } from '../errors.js';
import { type NodeOptions, readOptions } from '../options/read.js';
import { getPrompt } from './prompt/get.js';
import { listPrompts } from './prompt/list.js';
import { listResources, listResourceTemplates } from './resource/list.js';
import { readResource } from './resource/read.js';
import { callToolOnce } from './tool/call.js';
import { listTools } from './tool/list.js';

/** What an operation needs to answer one input item. */
export interface OperationInput {
  context: IExecuteFunctions;
  session: Session;
  itemIndex: number;
  options: NodeOptions;
}

/** An operation answers one input item with any number of items; item linking is added here, for all of them. */
export type Operation = (input: OperationInput) => Promise<INodeExecutionData[]>;

const operations: Record<string, Operation> = {
  'tool/list': listTools,
  'tool/call': callToolOnce,
  'resource/list': listResources,
  'resource/listTemplates': listResourceTemplates,
  'resource/read': readResource,
  'prompt/list': listPrompts,
  'prompt/get': getPrompt,
};

export async function executeOperation(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
  const results: INodeExecutionData[] = [];
  for (const itemIndex of context.getInputData().keys()) {
    try {
      results.push(...(await answerItem(context, itemIndex)));
    } catch (error) {
      const readable = nodeError(context.getNode(), error, { itemIndex });
      if (context.continueOnFail()) results.push(errorItem(readable, itemIndex));
      else if (isTool(context)) throw errorForModel(context.getNode(), error, { itemIndex });
      else throw errorForEditor(context.getNode(), readable);
    }
  }
  return [results];
}

/** Whether this is the tool that n8n derives from the node: it has the node's type with "Tool" appended. */
function isTool(context: IExecuteFunctions): boolean {
  return context.getNode().type.endsWith('Tool');
}

async function answerItem(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const name = `${context.getNodeParameter('resource', itemIndex)}/${context.getNodeParameter('operation', itemIndex)}`;
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (operation === undefined) {
    throw new NodeOperationError(context.getNode(), `There is no operation "${name}"`, { itemIndex });
  }
  const options = readOptions(context, itemIndex);
  const items = await withSession(context, itemIndex, options.session, (session) =>
    operation({ context, session, itemIndex, options }),
  );
  return items.map((item) => ({ ...item, pairedItem: { item: itemIndex } }));
}

/**
 * An item that tells of an error. n8n sends it to the error output, where there is one, because it has no other keys
 * than these two; were the error itself attached, n8n would drop the description.
 */
function errorItem({ message, description }: NodeOperationError, itemIndex: number): INodeExecutionData {
  const json = { error: message, ...(description ? { message: description } : {}) };
  return { json, pairedItem: { item: itemIndex } };
}
