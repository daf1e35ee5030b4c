import { nodeNameToToolName } from 'n8n-workflow';
import type { McpErrorCode, ModelTool, NoticeTool, RequestFailure, Session } from '../../../src/internal.js';
import type { ToolPolicy, ToolServer, ToolSet, ToolView } from '../../../src/internal.js';
import { isRequestFailure, modelTools, noticeTool, overSession, sentSchema, toolSet } from '../../../src/internal.js';
import { logListed } from '../../call.js';
import { nameForModel, type Server, withSession } from '../../connection/session.js';
import { executionMemory, type RunContext } from '../../host/execution.js';
import type { NodeOptions } from '../../options/read.js';
import { agentsOf, modelsOf, namesOfOthers, toolNodesOf } from '../workflow-graph.js';
import { approvalFrom } from './approved.js';
import { readSelection, refuseEmpty, toolSelection } from './selection.js';

export interface ExposedTools {
  readonly options: NodeOptions;
  /** Every tool, including those that the model has to search for. */
  readonly tools: readonly ModelTool[];
  readonly sent: readonly ModelTool[];
  /** Names of tools whose arguments the model is not shown: see `cutSchema`. */
  readonly cut: readonly string[];
  readonly notices: readonly NoticeTool[];
  readonly view: ToolView<NodeServer>;
  readonly set: ToolSet<Session, undefined, NodeServer>;
  readonly server: NodeServer;
  readonly unreachable?: RequestFailure;
}

/** The server of a node. Title, address and log are set by the first connection. */
interface NodeServer extends ToolServer<Session, undefined> {
  title: string;
  address: Server['address'] | undefined;
  log: Server['log'];
}

/** The tools of a node. If the server is unreachable and the agent goes on, this is one tool that says so. */
export async function exposedTools(
  context: RunContext,
  itemIndex: number,
  options: NodeOptions,
): Promise<ExposedTools> {
  const selection = readSelection((name, fallback) => context.getNodeParameter(name, itemIndex, fallback));
  refuseEmpty(selection);
  const { prefix, toolSearch, always, instructions, providerSafe, goesOn, ...exposure } = options.exposed;
  const naming = namingOf(context);
  const server = nodeServer(context, itemIndex, options, {
    approved: approvalFrom(exposure.approved),
    whenChanged: exposure.whenChanged,
    exposesInstructions: instructions,
    selection: toolSelection(selection),
    fixed: exposure.fixed,
    // They were chosen from a list, which may have changed.
    mayExcludeUnknown: true,
  });
  const set = toolSet<Session, undefined, NodeServer>([server], { ...naming, toolSearch, always });
  const view = await set.list(options.call);
  const [{ error, admission } = {}] = view.servers;
  const about = { options, view, set, server };
  if (error !== undefined) {
    const isUnreachable = isRequestFailure(error) && unreachableCodes.has(error.code);
    if (!goesOn || !isUnreachable) throw error as Error; // thrown by a list
    const text =
      `The tools of this server are not available: ${error.title} ` +
      'Do what you can without them, and say in your answer what you could not do.';
    const notices = [noticeTool('server_unavailable', text, { ...naming, prefix })];
    rememberNames(context, [], notices);
    return { ...about, tools: [], sent: notices, cut: [], notices, unreachable: error };
  }
  if (admission?.problem) throw admission.problem;
  const tools = view.tools.map(({ tool }) => tool);
  if (admission) logListed(context, server, admission.catalogue, tools.length);
  const text = instructions ? (admission?.catalogue.instructions ?? '').trim() : '';
  const taken = [...naming.taken, ...tools.map((tool) => tool.name)];
  const whole = `About the tools of ${server.title}: ${text}`;
  const notices = text === '' ? [] : [noticeTool('server_instructions', whole, { ...naming, prefix, taken })];
  const { providers, api } = modelsOf(context);
  const cut: string[] = [];
  const sent = [...view.sent, ...notices].map((tool) => {
    const { schema, isCut, argumentsFromModel } = sentSchema(tool.schema, providerSafe ? providers : [], api);
    if (isCut) cut.push(tool.name);
    return schema === tool.schema ? tool : { ...tool, schema, ...(argumentsFromModel && { argumentsFromModel }) };
  });
  rememberNames(context, tools, sent);
  return { ...about, tools, sent, cut, notices };
}

function nodeServer(context: RunContext, itemIndex: number, options: NodeOptions, policy: ToolPolicy): NodeServer {
  const server: NodeServer = {
    name: '',
    title: '',
    address: undefined,
    policy,
    prefix: options.exposed.prefix,
    log: () => {},
    async use(work) {
      return await withSession(context, itemIndex, options.session, async (session, { address, log }) => {
        Object.assign(server, { title: nameForModel(session), address, log });
        return await work(session);
      });
    },
    ...overSession,
  };
  return server;
}

/** A refused credential does not count: going on would hide an error that somebody has to fix. */
const unreachableCodes: ReadonlySet<McpErrorCode> = new Set<McpErrorCode>([
  'CONNECTION_FAILED',
  'CONNECTION_LOST',
  'SERVER_EXITED',
  'HTTP_STATUS',
  'TIMEOUT',
  'SESSION_CLOSED',
]);

/** The names of the tools of each node that was asked, and the number that the model is sent. */
const used = executionMemory(() => new Map<string, { readonly names: readonly string[]; readonly sent: number }>());

/** In the order in which n8n asks them, which is the same in every execution. */
function nodesBefore(context: RunContext, agent: string) {
  const nodes = toolNodesOf(context, agent);
  return nodes.slice(0, nodes.indexOf(context.getNode().name)).flatMap((node) => used(context).get(node) ?? []);
}

/** If nodes have equal tool names, the node that n8n asks first keeps them, in every execution. */
function namingOf(context: RunContext) {
  const agents = agentsOf(context);
  const namesBefore = agents.flatMap((agent) => nodesBefore(context, agent).flatMap(({ names }) => names));
  const owner = nodeNameToToolName(context.getNode().name);
  return { taken: [...namesOfOthers(context, agents), ...namesBefore], owner };
}

function rememberNames(context: RunContext, tools: readonly ModelTool[], sent: readonly ModelTool[]): void {
  const names = [...tools, ...sent].map(({ name }) => name);
  used(context).set(context.getNode().name, { names, sent: sent.length });
}

/** The tools that an agent's model gets, as far as its nodes were asked: of this node, and of others. */
export function toolsSoFar(context: RunContext, { sent }: ExposedTools): number {
  const others = agentsOf(context).map((agent) => {
    const single = namesOfOthers(context, [agent]).length - 1; // one is reserved
    return nodesBefore(context, agent).reduce((sum, node) => sum + node.sent, single);
  });
  return sent.length + Math.max(0, ...others);
}

/**
 * Finds a tool by the longer name that it has if another node was asked first. An execution that waited, say for a human
 * review, may go on in a process that did not ask the nodes.
 */
export function renamedTool(
  context: RunContext,
  exposed: readonly ModelTool[],
  name: string | undefined,
  prefix: string,
): ModelTool | undefined {
  const tools = exposed.map(({ tool }) => tool);
  const naming = { prefix, taken: exposed.map((tool) => tool.name), owner: namingOf(context).owner };
  return modelTools(tools, naming).find((tool) => tool.name === name);
}
