import type { IDataObject, ISupplyDataFunctions, SupplyData } from 'n8n-workflow';
import { NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';
import type { ModelTool } from '../../src/index.js';
import { isOutsideExecutions } from '../connection/outside-executions.js';
import { withSession } from '../connection/session.js';
import { errorForEditor, errorForModel } from '../errors.js';
import { hintOutcome } from '../hints.js';
import { hostPackages } from '../host/packages.js';
import { hostTool } from '../host/tool.js';
import { hostToolkit } from '../host/toolkit.js';
import type { NodeOptions } from '../options/read.js';
import { readOptions } from '../options/read.js';
import { type Answer, answerCall, answerJson } from './answer.js';
import { rethrowFailure } from './failure.js';
import { showOffer } from './offer.js';
import { tellingFor } from './message-node.js';
import { offeredTools } from './offered-tools.js';
import { singleTool } from './single-tool.js';
import { textAgentOf } from './surroundings.js';
import { textTool } from './text-tool.js';
import { hasToolArgument } from './tool-argument.js';

/** What an AI Agent gets: all tools in one toolkit. */
export async function supplyTools(context: ISupplyDataFunctions, itemIndex: number): Promise<SupplyData> {
  if (isOutsideExecutions(context)) return await supplyOneTool(context, itemIndex);
  try {
    rethrowFailure(context);
    const options = readOptions(context, itemIndex);
    const offered = await listOffered(context, itemIndex, options);
    await showOffer(context, offered);
    const telling = await tellingFor(context);
    const tools = offered.map((tool) => agentTool(context, itemIndex, tool, telling, options));
    return { response: hostToolkit(tools) };
  } catch (error) {
    const readable = subNodeError(context, error);
    const { index } = context.addInputData(NodeConnectionTypes.AiTool, [[{ json: {} }]]);
    context.addOutputData(NodeConnectionTypes.AiTool, index, readable);
    throw new NodeOperationError(context.getNode(), readable);
  }
}

/** What one of n8n's Agents gets, which live beside workflows: they ask for the schema, and again for each call. */
async function supplyOneTool(context: ISupplyDataFunctions, itemIndex: number): Promise<SupplyData> {
  try {
    const options = readOptions(context, itemIndex);
    const offered = await listOffered(context, itemIndex, options);
    const call = async (tool: ModelTool, args: unknown) =>
      (await answered(context, itemIndex, tool, args, options).catch(explain)).text;
    return { response: singleTool(context, offered, call) };
  } catch (error) {
    return explain(error);
  }

  function explain(error: unknown): never {
    throw errorForModel(context.getNode(), error);
  }
}

async function listOffered(
  context: ISupplyDataFunctions,
  itemIndex: number,
  options: NodeOptions,
): Promise<ModelTool[]> {
  const catalogue = await withSession(context, itemIndex, options.session, (session) =>
    session.listTools(options.call),
  );
  return await offeredTools(context, itemIndex, catalogue, options);
}

function agentTool(
  context: ISupplyDataFunctions,
  itemIndex: number,
  offered: ModelTool,
  telling: Awaited<ReturnType<typeof tellingFor>>,
  options: NodeOptions,
) {
  const { name, description, schema, tool } = offered;
  // Agents before version 3 call this; later ones have n8n run the node (see `execute`).
  const call = async (args: unknown) => await recordedCall(context, itemIndex, offered, args, options);
  const textAgent = textAgentOf(context);
  if (textAgent !== undefined) return textTool(offered, textAgent, call, hostPackages());
  return hostTool(
    { name, description, ...telling(schema), hasToolArgument: hasToolArgument(tool), call },
    hostPackages(),
  );
}

/** Calls the tool and shows the call in n8n's view of the execution. */
async function recordedCall(
  context: ISupplyDataFunctions,
  itemIndex: number,
  offered: ModelTool,
  args: unknown,
  options: NodeOptions,
): Promise<string> {
  const input = { tool: offered.name, arguments: args } as IDataObject; // JSON of the model
  const { index } = context.addInputData(NodeConnectionTypes.AiTool, [[{ json: input }]]);
  try {
    const answer = await answered(context, itemIndex, offered, args, options);
    context.addOutputData(NodeConnectionTypes.AiTool, index, [[{ json: answerJson(answer) }]]);
    return answer.text;
  } catch (error) {
    const readable = subNodeError(context, error);
    context.addOutputData(NodeConnectionTypes.AiTool, index, readable);
    throw new NodeOperationError(context.getNode(), readable);
  }
}

/** The answer to a call; a refusal only where the model is to read it. */
async function answered(
  context: ISupplyDataFunctions,
  itemIndex: number,
  { name, tool }: ModelTool,
  args: unknown,
  options: NodeOptions,
): Promise<Answer> {
  const answer = await withSession(context, itemIndex, options.session, (session) =>
    answerCall(session, tool, args, options),
  );
  if (answer.kind === 'result') await hintOutcome(context, name, answer.outcome);
  else if (options.invalidArguments === 'fail') throw answer.error;
  return answer;
}

/** Marked such that n8n shows it as it is, instead of an "Error in sub-node" without the description. */
function subNodeError(context: ISupplyDataFunctions, error: unknown): NodeOperationError {
  const readable = errorForEditor(context.getNode(), error);
  readable.functionality = 'configuration-node';
  return readable;
}
