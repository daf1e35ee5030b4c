import type { IDataObject, ISupplyDataFunctions, SupplyData } from 'n8n-workflow';
import { NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';
import type { ApprovedCatalogue, ModelTool } from '../../../src/internal.js';
import { runAsking, seeAgentItem } from '../../host/agent-item.js';
import { isOutsideExecutions } from '../../connection/execution.js';
import { withSession } from '../../connection/session.js';
import { errorForEditor, errorForModel, nodeError } from '../../errors.js';
import { hostPackages } from '../../host/packages.js';
import { hostTool } from '../../host/tool.js';
import { hostToolkit } from '../../host/toolkit.js';
import { hintList } from '../../hints.js';
import { type NodeOptions, readOptions } from '../../options/read.js';
import { type Answer, answerCall, answerItem, hasToolArgument, refusedCall } from '../calls/answer.js';
import { rethrowFailure } from '../calls/failure.js';
import { isAway, offerWithout } from '../exposed/away.js';
import { approvedIn } from '../exposed/approved.js';
import { hintOffer } from '../exposed/hints.js';
import { type Offer, offerOf } from '../exposed/offered-tools.js';
import { showPreview } from '../exposed/preview.js';
import { askingNode, textAgentOf } from '../workflow-graph.js';
import { schemaForCaller } from './schema-for-caller.js';
import { singleTool } from './single-tool.js';
import { textTool } from './text-tool.js';

/** What an AI Agent gets: all tools in one toolkit. */
export async function supplyTools(context: ISupplyDataFunctions, itemIndex: number): Promise<SupplyData> {
  if (isOutsideExecutions(context)) return await supplyOneTool(context, itemIndex);
  try {
    rethrowFailure(runAsking(context));
    seeAgentItem(context, askingNode(context)?.name, itemIndex);
    const options = readOptions(context, itemIndex);
    const { approved, offer } = await listOffered(context, itemIndex, options);
    showPreview(context, offer);
    const schemaFor = schemaForCaller(context);
    const hint = () => approved && hintOffer(context, approved, offer, options);
    const call = async (tool: ModelTool, args: unknown) =>
      await recordedCall(context, itemIndex, offer, tool, args, options, hint);
    return { response: hostToolkit(offer.told.map((tool) => agentTool(context, tool, schemaFor, call))) };
  } catch (error) {
    const readable = subNodeError(context, error);
    const { index } = context.addInputData(NodeConnectionTypes.AiTool, [[{ json: {} }]]);
    context.addOutputData(NodeConnectionTypes.AiTool, index, readable);
    throw new NodeOperationError(context.getNode(), readable);
  }
}

/** What one of n8n's Agents gets, which live beside workflows: they ask for the schema, and again for each call. */
async function supplyOneTool(context: ISupplyDataFunctions, itemIndex: number): Promise<SupplyData> {
  const explain = (error: unknown): never => {
    throw errorForModel(context.getNode(), error);
  };
  try {
    const options = readOptions(context, itemIndex);
    const { offer } = await listOffered(context, itemIndex, options);
    const call = async (tool: ModelTool, args: unknown) =>
      (await answer(context, itemIndex, offer, tool, args, options).catch(explain)).text;
    return { response: singleTool(context, offer.told, call) };
  } catch (error) {
    return explain(error);
  }
}

/** Without a list where the server is away, and the agent is to go on. */
async function listOffered(
  context: ISupplyDataFunctions,
  itemIndex: number,
  options: NodeOptions,
): Promise<{ approved?: ApprovedCatalogue; offer: Offer }> {
  try {
    return await withSession(context, itemIndex, options.session, async (session, address) => {
      const listed = await session.listTools(options.call);
      const approved = approvedIn(context, itemIndex, listed, address, options.offer);
      return { approved, offer: offerOf(context, itemIndex, session, approved.catalogue, options) };
    });
  } catch (error) {
    if (options.offer.whenAway !== 'goOn' || !isAway(error)) throw nodeError(context.getNode(), error, { itemIndex });
    hintList(context, 'warning', 'The agent went on without this server', [error.message]);
    return { offer: offerWithout(context, options, error.title) };
  }
}

function agentTool(
  context: ISupplyDataFunctions,
  offered: ModelTool,
  schemaFor: ReturnType<typeof schemaForCaller>,
  callTool: (tool: ModelTool, args: unknown) => Promise<string>,
) {
  const { name, description, schema, tool } = offered;
  // Agents before version 3 call this; later ones have n8n run the node (see `executeCalls`).
  const call = async (args: unknown) => await callTool(offered, args);
  const textAgent = textAgentOf(context);
  if (textAgent !== undefined) return textTool(offered, textAgent, call, hostPackages(context));
  return hostTool(
    { name, description, ...schemaFor(schema), hasToolArgument: hasToolArgument(tool), call },
    hostPackages(context),
  );
}

/** Calls the tool and shows the call in n8n's view of the execution. */
async function recordedCall(
  context: ISupplyDataFunctions,
  itemIndex: number,
  offer: Offer,
  called: ModelTool,
  args: unknown,
  options: NodeOptions,
  hint: () => void,
): Promise<string> {
  const input = { tool: called.name, arguments: args } as IDataObject; // JSON of the model
  const { index } = context.addInputData(NodeConnectionTypes.AiTool, [[{ json: input }]]);
  try {
    // What was repaired comes first; n8n shows the hints in this order.
    const given = await answer(context, itemIndex, offer, called, args, options).finally(hint);
    const shown = given.isRefusal ? refusedCall(context, given, itemIndex) : [[await answerItem(context, given)]];
    context.addOutputData(NodeConnectionTypes.AiTool, index, shown);
    return given.text;
  } catch (error) {
    const readable = subNodeError(context, error);
    context.addOutputData(NodeConnectionTypes.AiTool, index, readable);
    throw new NodeOperationError(context.getNode(), readable);
  }
}

async function answer(
  context: ISupplyDataFunctions,
  itemIndex: number,
  offer: Offer,
  tool: ModelTool,
  args: unknown,
  options: NodeOptions,
): Promise<Answer> {
  return await withSession(context, itemIndex, options.session, (session) =>
    answerCall(context, session, offer, tool, args, options),
  );
}

/** Marked such that n8n shows it as it is, instead of an "Error in sub-node" without the description. */
function subNodeError(context: ISupplyDataFunctions, error: unknown): NodeOperationError {
  const readable = errorForEditor(context.getNode(), error);
  readable.functionality = 'configuration-node';
  return readable;
}
