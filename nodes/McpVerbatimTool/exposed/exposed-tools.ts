import { nodeNameToToolName } from 'n8n-workflow';
import {
  absentNames,
  acceptedSchema,
  type ApprovedCatalogue,
  type Catalogue,
  exposedTools as exposedBelow,
  type ExposedTools as ExposedBelow,
  type FixedArguments,
  fixedForTool,
  McpError,
  type McpErrorCode,
  type ModelTool,
  modelTools,
  noticeTool,
  type NoticeTool,
} from '../../../src/internal.js';
import { logListed } from '../../call.js';
import { nameForModel, withSession } from '../../connection/session.js';
import { SetupError } from '../../errors.js';
import { executionMemory, type RunContext } from '../../host/execution.js';
import type { ExposedOptions, NodeOptions } from '../../options/read.js';
import { agentsOf, namesOfOthers, providersOf } from '../workflow-graph.js';
import { approvedIn } from './approved.js';
import { isUnapproved, readSelection, refuseEmpty, toolNames, toolSelection } from './selection.js';

export interface ExposedTools extends Partial<Pick<ExposedBelow, 'search'>> {
  readonly options: NodeOptions;
  readonly tools: readonly ModelTool[];
  readonly sent: readonly ModelTool[];
  readonly notices: readonly NoticeTool[];
  readonly fixed: ReadonlyMap<string, FixedArguments>;
  readonly listed?: ApprovedCatalogue & {
    readonly absent: Readonly<Record<string, readonly string[]>>;
    readonly renamed: readonly ModelTool[];
  };
  readonly unreachable?: McpError;
}

/** If the server is unreachable and the agent is to go on, one tool that says so. */
export async function exposedTools(
  context: RunContext,
  itemIndex: number,
  options: NodeOptions,
): Promise<ExposedTools> {
  const selection = readSelection((name, fallback) => context.getNodeParameter(name, itemIndex, fallback));
  const { prefix, toolSearch, always, instructions, providerSafe, goesOn } = options.exposed;
  const naming = namingOf(context);
  return await withSession(context, itemIndex, options.session, async (session, at) => {
    const approved = approvedIn(await session.listTools(options.call), at.address, selection, options.exposed);
    const { catalogue } = approved;
    refuseEmpty(selection, catalogue);
    const absent = absentNames([catalogue], selection.named);
    const notSelected = selection.include === 'selected' ? absent : [];
    const fixed = fixedIn(catalogue, options.exposed, notSelected);
    const name = nameForModel(session);
    const server = { name, tools: catalogue.tools, selection: toolSelection(selection), prefix };
    const exposed = exposedBelow([{ ...server, fixed: Object.fromEntries(fixed) }], { ...naming, toolSearch, always });
    const tools = exposed.byServer.flat();
    logListed(context, at, catalogue, tools.length);
    const text = instructions ? (catalogue.instructions ?? '').trim() : '';
    const taken = [...naming.taken, ...tools.map((tool) => tool.name)];
    const about = `About the tools of ${name}: ${text}`;
    const notices = text === '' ? [] : [noticeTool('server_instructions', about, { ...naming, prefix, taken })];
    const providers = providerSafe ? providersOf(context) : [];
    const sent = [...exposed.sent, ...notices].map((tool) => {
      const schema = acceptedSchema(tool.schema, ...providers);
      return schema === tool.schema ? tool : { ...tool, schema };
    });
    rememberNames(context, [...tools, ...sent]);
    const alone = exposedBelow([server]).sent;
    const listed = {
      ...approved,
      renamed: tools.filter((tool, index) => tool.name !== alone[index]?.name),
      absent: {
        Selected: notSelected,
        'To be left out': selection.include === 'except' ? absent : [],
        'Always exposed': exposed.search ? absentNames([catalogue], always) : [],
      },
    };
    return { options, tools, sent, search: exposed.search, notices, fixed, listed };
  }).catch((error: unknown) => {
    if (!goesOn || !isUnreachable(error)) throw error;
    const text =
      `The tools of this server are not available: ${error.title} ` +
      'Do what you can without them, and say in your answer what you could not do.';
    const notices = [noticeTool('server_unavailable', text, { ...naming, prefix })];
    rememberNames(context, notices);
    return { options, tools: [], sent: notices, notices, fixed: new Map(), unreachable: error };
  });
}

/** @param notSelected selected tools that the server does not have: none is exposed in their place */
function fixedIn(
  catalogue: Catalogue,
  { fixed }: ExposedOptions,
  notSelected: readonly string[],
): Map<string, FixedArguments> {
  const read = new Map<string, FixedArguments>();
  for (const [name, values] of fixed) {
    if (isUnapproved(catalogue, name) || notSelected.includes(name)) continue;
    const tool = catalogue.find(name);
    if (!tool)
      throw new SetupError(
        `There is no tool "${name}"`,
        `"Fixed Arguments" names it. The server has: ${toolNames(catalogue)}.`,
      );
    read.set(name, fixedForTool(tool, Object.fromEntries(values)));
  }
  return read;
}

/** A refused credential is no such case: going on would hide what somebody has to mend. */
function isUnreachable(error: unknown): error is McpError {
  return error instanceof McpError && unreachableCodes.has(error.code);
}

const unreachableCodes: ReadonlySet<McpErrorCode> = new Set<McpErrorCode>([
  'CONNECTION_FAILED',
  'CONNECTION_LOST',
  'SERVER_EXITED',
  'HTTP_STATUS',
  'TIMEOUT',
  'SESSION_CLOSED',
]);

/** By node, in the order in which the nodes were first asked: the agents that it is attached to, and its tools' names. */
const used = executionMemory(() => new Map<string, { agents: readonly string[]; names: readonly string[] }>());

/** The order never changes within an execution, and so neither do the names. */
function namingOf(context: RunContext) {
  const agents = agentsOf(context);
  const taken = namesOfOthers(context, agents);
  const { name } = context.getNode();
  for (const [node, others] of used(context)) {
    if (node === name) break;
    if (others.agents.some((agent) => agents.includes(agent))) taken.push(...others.names);
  }
  return { taken, owner: nodeNameToToolName(name) };
}

function rememberNames(context: RunContext, tools: readonly ModelTool[]): void {
  used(context).set(context.getNode().name, { agents: agentsOf(context), names: tools.map(({ name }) => name) });
}

/**
 * The tool that has a longer name where another node was asked first. That is known to the process that asked the nodes;
 * an execution that waited, say for a human's review, may go on in another one.
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
