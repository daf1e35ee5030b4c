import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { toTheEnd } from '../host/execution.js';
import { withSession } from '../connection/session.js';
import { errorForEditor, errorForModel, nodeError, SetupError } from '../errors.js';
import { linkToAgentItem } from '../host/agent-item.js';
import { errorItem } from '../items.js';
import { readOptions } from '../options/read.js';
import type { Operation } from './operation.js';
import { getPrompt, listPrompts } from './prompt/operations.js';
import { listResources, listResourceTemplates, readResource } from './resource/operations.js';
import { callToolOnce } from './tool/call.js';
import { listTools } from './tool/list.js';

const operations: Readonly<Partial<Record<string, Operation>>> = {
  'tool/list': listTools,
  'tool/call': callToolOnce,
  'resource/list': listResources,
  'resource/listTemplates': listResourceTemplates,
  'resource/read': readResource,
  'prompt/list': listPrompts,
  'prompt/get': getPrompt,
};

export async function executeOperations(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
  return await toTheEnd(context, answerItems);
}

async function answerItems(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
  const results: INodeExecutionData[] = [];
  if (isTool(context)) linkToAgentItem(context);
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
  const operation = operations[name];
  if (!operation) throw new SetupError(`There is no operation "${name}"`, 'Choose the operation in the panel.');
  const options = readOptions(context, itemIndex);
  const items = await withSession(context, itemIndex, options.session, (session) =>
    operation({ context, session, itemIndex, options }),
  );
  return items.map((item) => ({ ...item, pairedItem: { item: itemIndex } }));
}
