import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { withSession } from '../connection/session.js';
import { errorForEditor, errorForModel, nodeError, SetupError } from '../errors.js';
import { linkToAgentItem } from '../host/agent-item.js';
import { toTheEnd } from '../host/execution.js';
import { errorItem } from '../items.js';
import { readOptions } from '../options/read.js';
import type { Operation } from './operation.js';
import { getPrompt, listPrompts, listResources, listResourceTemplates, readResource } from './resources-and-prompts.js';
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

export async function executeOperations(given: IExecuteFunctions): Promise<INodeExecutionData[][]> {
  return await toTheEnd(given, async (context) => {
    // The tool that n8n derives from the node has the node's type with "Tool" appended.
    const isTool = context.getNode().type.endsWith('Tool');
    if (isTool) linkToAgentItem(context);
    const results: INodeExecutionData[] = [];
    for (const itemIndex of context.getInputData().keys()) {
      try {
        results.push(...(await answerItem(context, itemIndex)));
      } catch (error) {
        const readable = nodeError(context.getNode(), error, { itemIndex });
        if (context.continueOnFail()) results.push(errorItem(readable, itemIndex));
        else if (isTool) throw errorForModel(context.getNode(), error, { itemIndex });
        else throw errorForEditor(context.getNode(), readable);
      }
    }
    return [results];
  });
}

async function answerItem(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
  const name = `${context.getNodeParameter('resource', itemIndex)}/${context.getNodeParameter('operation', itemIndex)}`;
  const operation = operations[name];
  if (!operation) throw new SetupError(`There is no operation "${name}"`, 'Choose the operation in the panel.');
  const options = readOptions(context, itemIndex);
  const items = await withSession(context, itemIndex, options.session, (session, server) =>
    operation({ context, session, server, itemIndex, options }),
  );
  return items.map((item) => ({ ...item, pairedItem: { item: itemIndex } }));
}
