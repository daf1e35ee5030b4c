import { NodeOperationError } from 'n8n-workflow';
import {
  type Catalogue,
  type CatalogueTool,
  type Discovery,
  type FixedArguments,
  fixedForTool,
  McpError,
  type McpErrorCode,
  type ModelTool,
  modelTools,
  noticeTool,
  type NoticeTool,
  type Provider,
  providerSafeSchema,
  type Session,
  startDiscovery,
} from '../../../src/index.js';
import { ExecutionMemory, type RunContext } from '../../connection/execution.js';
import { serverName } from '../../connection/session.js';
import { hintList, hintSetAside } from '../../hints.js';
import { logListed } from '../../log.js';
import type { NodeOptions } from '../../options/read.js';
import { refusals } from '../../providers.js';
import { enumerate } from '../../text.js';
import { providersOf } from '../workflow-graph.js';
import { namesTaken, rememberNames } from './names.js';
import { names, selectedTools } from './selection.js';

/** What this node offers to an agent. */
export interface Offer {
  /** The tools that can be called, under names that are unique among the MCP Verbatim Tool nodes around it. */
  readonly tools: readonly ModelTool[];
  /** What the model is told: these tools, or those to find them with; and what only says something. */
  readonly told: readonly ModelTool[];
  readonly discovery?: Discovery | undefined;
  readonly notices: readonly NoticeTool[];
  /** By the tools' own names. */
  readonly fixed: ReadonlyMap<string, FixedArguments>;
}

export function offerOf(
  context: RunContext,
  itemIndex: number,
  session: Pick<Session, 'serverInfo' | 'instructions'>,
  catalogue: Catalogue,
  { prefix, providerSafe, offer: options }: Pick<NodeOptions, 'prefix' | 'providerSafe' | 'offer'>,
): Offer {
  const chosen = chosenTools(context, itemIndex, catalogue);
  const fixed = fixedArguments(context, itemIndex, catalogue, options.fixed);
  const taken = namesTaken(context);
  const tools = modelTools(chosen, { prefix, taken, fixed: ({ name }) => Object.keys(fixed.get(name) ?? {}) });
  logListed(context, catalogue, tools.length);
  const { discovery: mode, pinned } = options;
  const server = serverName(session);
  const discovery = startDiscovery(tools, { mode, pinned, server, prefix, taken });
  const { instructions = '' } = options.instructions ? session : {};
  const others = [...taken, ...tools.map(({ name }) => name)];
  const notices =
    instructions.trim() === ''
      ? []
      : [noticeTool('server_instructions', `About the tools of ${server}: ${instructions}`, { prefix, taken: others })];
  const providers = providerSafe ? providersOf(context) : [];
  const told = [...(discovery?.told ?? tools), ...notices].map((tool) => adapted(tool, providers));
  rememberNames(
    context,
    [...tools, ...told].map((tool) => tool.name),
  );
  return { tools, told, discovery, notices, fixed };
}

/** What an agent is offered while the server is away: one tool, which says so. */
export function offerWithout(context: RunContext, { prefix }: Pick<NodeOptions, 'prefix'>, reason: string): Offer {
  const text =
    `The tools of this server are not available: ${reason} ` +
    'Do what you can without them, and say in your answer what you could not do.';
  const notice = noticeTool('server_unavailable', text, { prefix, taken: namesTaken(context) });
  rememberNames(context, [notice.name]);
  return { tools: [], told: [notice], notices: [notice], fixed: new Map() };
}

/** Whether the server is not there, or not in a state to answer; what is wrong with the credential is no such thing. */
export function isAway(error: unknown): error is McpError {
  return error instanceof McpError && awayCodes.has(error.code);
}

const awayCodes: ReadonlySet<McpErrorCode> = new Set([
  ...(['CONNECTION_FAILED', 'CONNECTION_LOST', 'SERVER_EXITED', 'HTTP_STATUS', 'TIMEOUT', 'SESSION_CLOSED'] as const),
]);

/** The tool as its model's provider takes it: told in another form where the provider is known to refuse the original. */
function adapted(tool: ModelTool, providers: readonly Provider[]): ModelTool {
  const isRefused = refusals({ inputSchema: tool.schema }, providers).length > 0;
  return isRefused ? { ...tool, schema: providers.reduce(providerSafeSchema, tool.schema) } : tool;
}

/**
 * The values of the fixed arguments, by tool. Text that was typed is read as what the tool takes.
 *
 * @throws NodeOperationError where there is no such tool, FixedArgumentsError where a tool has no such argument
 */
function fixedArguments(
  context: RunContext,
  itemIndex: number,
  catalogue: Catalogue,
  fixed: NodeOptions['offer']['fixed'],
): Map<string, FixedArguments> {
  const read = new Map<string, FixedArguments>();
  for (const [name, values] of fixed) {
    const tool = catalogue.find(name);
    if (!tool) {
      const description = `"Fixed Arguments" names it. The server offers: ${offeredNames(catalogue)}.`;
      throw new NodeOperationError(context.getNode(), `There is no tool "${name}"`, { description, itemIndex });
    }
    read.set(name, fixedForTool(tool, Object.fromEntries(values)));
  }
  return read;
}

const warned = new ExecutionMemory<true>();

/**
 * Says on the node, once in an execution, which tools cannot be called, which the provider of the model refuses, and what
 * the model is not told.
 */
export function hintOffer(
  context: RunContext,
  catalogue: Catalogue,
  { tools, told, fixed, discovery }: Offer,
  { providerSafe }: Pick<NodeOptions, 'providerSafe'>,
): void {
  if (warned.get(context)) return;
  warned.set(context, true);
  hintSetAside(context, catalogue);
  if (!providerSafe) hintProviders(context, told, providersOf(context));
  const changed = told.filter(({ name, schema }) => tools.some((tool) => tool.name === name && tool.schema !== schema));
  const names = changed.map(({ name }) => `"${name}"`);
  if (names.length > 0) hintList(context, 'info', "Told in a form that the model's provider accepts", names);
  const hidden = [...fixed].map(([tool, values]) => `${Object.keys(values).join(', ')} of "${tool}"`);
  if (hidden.length > 0) hintList(context, 'info', 'Fixed, and not told to the model', hidden);
  if (discovery) hintList(context, 'info', 'On demand', [`the model searches ${tools.length} tools`]);
}

/**
 * The tool that is offered under a longer name where another node has told its name first. Who was first is known to
 * the process that asked the nodes; an execution that waited, say for a human's review, may go on in another one.
 */
export function renamedTool(
  offered: readonly ModelTool[],
  name: string | undefined,
  prefix: string,
): ModelTool | undefined {
  const tools = offered.map(({ tool }) => tool);
  return modelTools(tools, { prefix, taken: offered.map((tool) => tool.name) }).find((tool) => tool.name === name);
}

function chosenTools(context: RunContext, itemIndex: number, catalogue: Catalogue): readonly CatalogueTool[] {
  const include = context.getNodeParameter('include', itemIndex, 'all');
  const includeTools = context.getNodeParameter('includeTools', itemIndex, []);
  const excludeTools = context.getNodeParameter('excludeTools', itemIndex, []);
  if (include === 'selected') refuseMissing(context, itemIndex, catalogue, names(includeTools));
  return selectedTools(catalogue, { include, includeTools, excludeTools });
}

/** A selected tool that the server no longer offers would otherwise be missed in silence. */
function refuseMissing(context: RunContext, itemIndex: number, catalogue: Catalogue, wanted: string[]): void {
  const missing = wanted.filter((name) => catalogue.find(name) === undefined);
  if (wanted.length > 0 && missing.length === 0) return;
  const [message, description] =
    wanted.length === 0
      ? ['No tool is selected', 'Select at least one tool under "Tools to Include", or include all.']
      : [
          `The server does not offer ${missing.map((name) => `"${name}"`).join(', ')}`,
          `It offers: ${offeredNames(catalogue)}.`,
        ];
  throw new NodeOperationError(context.getNode(), message, { description, itemIndex });
}

function offeredNames({ tools }: Catalogue): string {
  return enumerate(tools.map((tool) => tool.name)) || 'nothing that can be called';
}

/** Names the tools that the model's provider is known to refuse or to leave out. */
function hintProviders(context: RunContext, offered: readonly ModelTool[], providers: readonly Provider[]): void {
  const refused = offered.flatMap(({ name, schema }) =>
    refusals({ inputSchema: schema }, providers).map(({ message }) => `"${name}": ${message}`),
  );
  const advice = 'The option "Adapt Schemas to the Model" shows such schemas in a form that the provider accepts';
  if (refused.length > 0) hintList(context, 'warning', advice, refused);
}
