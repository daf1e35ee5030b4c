import type { IDataObject, IExecuteFunctions, INodeExecutionData, IWorkflowSettings } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { InvalidArgumentsError, type ModelTool } from '../../../src/internal.js';
import { seeItem } from '../../host/agent-item.js';
import { withSession } from '../../connection/session.js';
import { errorForModel, nodeError } from '../../errors.js';
import { goesOnAfterErrors } from '../../host/engine.js';
import { hintLegacyOrder } from '../../hints.js';
import { errorItem } from '../../items.js';
import { type NodeOptions, readOptions } from '../../options/read.js';
import { enumerate } from '../../text.js';
import { isAway, offerWithout } from '../exposed/away.js';
import { approvedIn } from '../exposed/approved.js';
import { hintOffer } from '../exposed/hints.js';
import { renamedTool } from '../exposed/names.js';
import { type Offer, offerOf } from '../exposed/offered-tools.js';
import { type Answer, answerCall, answerItem, hasToolArgument, refusedCall } from './answer.js';
import { failNextTime } from './failure.js';
import { type RequestedCall, requestedCall } from './requested-call.js';

/** Serves the calls that n8n's engine makes for an agent: one item per call. */
export async function executeCalls(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
  const results: INodeExecutionData[] = [];
  if (isLegacyOrder(context)) hintLegacyOrder(context);
  for (const [itemIndex, item] of context.getInputData().entries()) {
    const requested = requestedCall(context, item);
    try {
      results.push(await executeCall(context, item, itemIndex, requested));
    } catch (error) {
      const readable = nodeError(context.getNode(), error, { itemIndex });
      // n8n tells the model of an error in a tool and lets the agent go on, so the agent is stopped when it asks again.
      if (context.continueOnFail()) {
        results.push(errorItem(readable, itemIndex));
        continue;
      }
      if (error instanceof InvalidArgumentsError) failNextTime(requested.agentRun, readable);
      throw errorForModel(context.getNode(), error, { itemIndex });
    }
  }
  return [results];
}

/** n8n 2.0 knows the settings, but has no `getWorkflowSettings`. One that does not say is taken for the present order. */
function isLegacyOrder(context: Partial<Pick<IExecuteFunctions, 'getWorkflowSettings'>>): boolean {
  const { workflow } = context as { workflow?: { settings?: IWorkflowSettings } }; // not in the public types
  const settings = context.getWorkflowSettings?.() ?? workflow?.settings;
  return settings !== undefined && settings.executionOrder !== 'v1';
}

async function executeCall(
  context: IExecuteFunctions,
  item: INodeExecutionData,
  itemIndex: number,
  requested: RequestedCall,
): Promise<INodeExecutionData> {
  // Expressions in parameters are about the agent's item. Over it the engine has laid the model's arguments, which must
  // not reach what is fixed; where the item cannot be told from them, such expressions have nothing to go by.
  seeItem(context, itemIndex, requested.ownItem ?? { ...item, json: {} });
  const options = readOptions(context, itemIndex);
  const answer = await answerRequested(context, itemIndex, requested, options).catch((error: unknown) =>
    answerWithout(context, requested, options, error),
  );
  if (answer.isRefusal && goesOnAfterErrors(context)) throw refusedCall(context, answer, itemIndex);
  return { ...(await answerItem(context, answer)), pairedItem: { item: itemIndex } };
}

/** What the model is told again while the server is away. */
function answerWithout(
  context: IExecuteFunctions,
  requested: RequestedCall,
  options: NodeOptions,
  error: unknown,
): Answer {
  if (options.offer.whenAway !== 'goOn' || !isAway(error)) throw error;
  const notice = offerWithout(context, options, error.title).notices.find(({ name }) => name === requested.name);
  if (!notice) throw error;
  return { text: notice.text, isError: true, isRefusal: false };
}

async function answerRequested(
  context: IExecuteFunctions,
  itemIndex: number,
  requested: RequestedCall,
  options: NodeOptions,
): Promise<Answer> {
  return await withSession(context, itemIndex, options.session, async (session, address) => {
    const listed = await session.listTools(options.call);
    const approved = approvedIn(context, itemIndex, listed, address, options.offer);
    const offer = offerOf(context, itemIndex, session, approved.catalogue, options);
    const call = resolveCall(context, itemIndex, requested, offer, options.prefix);
    // What was repaired comes first; n8n shows the hints in this order.
    return await answerCall(context, session, offer, call, call.args, options).finally(() =>
      hintOffer(context, approved, offer, options),
    );
  });
}

/** The offered tool that was called, and its arguments without what n8n's engine put among them. */
function resolveCall(
  context: IExecuteFunctions,
  itemIndex: number,
  call: RequestedCall,
  { tools, told }: Offer,
  prefix: string,
): { name: string; tool: ModelTool['tool']; args: object } {
  const offered = [...told, ...tools];
  const found =
    offered.find((tool) => tool.name === call.name) ??
    renamedTool(context, tools, call.name, prefix) ??
    onlyOneWithToolArgument(call, tools);
  if (found === undefined) throw unknownTool(context, itemIndex, call.name, told);
  const { name, tool } = found;
  const keepsTool = hasToolArgument(tool) && (call.namedBeside || call.name !== name);
  return { name, tool, args: keepsTool ? call.arguments : withoutRoutingKey(call.arguments) };
}

function withoutRoutingKey(args: IDataObject): IDataObject {
  return Object.fromEntries(Object.entries(args).filter(([key]) => key !== 'tool'));
}

/** After a human's review, n8n lets an argument called `tool` take the place of the tool's name. */
function onlyOneWithToolArgument(call: RequestedCall, offered: readonly ModelTool[]): ModelTool | undefined {
  const candidates = call.namedBeside ? [] : offered.filter(({ tool }) => hasToolArgument(tool));
  return candidates.length === 1 ? candidates[0] : undefined;
}

function unknownTool(
  context: IExecuteFunctions,
  itemIndex: number,
  name: string | undefined,
  offered: readonly ModelTool[],
): NodeOperationError {
  const names = enumerate(offered.map((tool) => tool.name)) || 'none';
  return name === undefined
    ? new NodeOperationError(context.getNode(), 'No tool was named', {
        description:
          'An AI Agent runs this node and names the tool to call. To call a tool yourself, use the MCP Verbatim node.',
        itemIndex,
      })
    : new NodeOperationError(context.getNode(), `There is no tool "${name}"`, {
        description: `This node offers: ${names}.`,
        itemIndex,
      });
}
