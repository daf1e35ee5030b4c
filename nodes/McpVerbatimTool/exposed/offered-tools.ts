import {
  acceptedSchema,
  type Catalogue,
  type ToolSearch,
  type FixedArguments,
  type ModelTool,
  modelTools,
  noticeTool,
  type NoticeTool,
  type Provider,
  type Session,
  startToolSearch,
} from '../../../src/internal.js';
import type { RunContext } from '../../connection/execution.js';
import { nameForModel } from '../../connection/session.js';
import { logListed } from '../../log.js';
import type { NodeOptions } from '../../options/read.js';
import { providersOf } from '../workflow-graph.js';
import { fixedArguments } from './fixed-arguments.js';
import { namesTaken, ownerOf, rememberNames } from './names.js';
import { absentFrom, type Chosen, chosenTools } from './selection.js';

/** What this node offers to an agent. */
export interface Offer {
  /** The tools that can be called, under names that are unique among the MCP Verbatim Tool nodes around it. */
  readonly tools: readonly ModelTool[];
  /** What the model is told: these tools, or those to find them with; and what only says something. */
  readonly told: readonly ModelTool[];
  readonly search?: ToolSearch | undefined;
  readonly notices: readonly NoticeTool[];
  /** By the tools' own names. */
  readonly fixed: ReadonlyMap<string, FixedArguments>;
  /** What the node's parameters name in vain: tools that the server does not have. */
  readonly absent: Absent;
  /** Tools that are called after the node, because another tool of the agent has their name. */
  readonly renamed: readonly ModelTool[];
}

export interface Absent extends Pick<Chosen, 'notSelected' | 'notLeftOut'> {
  readonly notAlways: readonly string[];
}

export function offerOf(
  context: RunContext,
  itemIndex: number,
  session: Pick<Session, 'serverInfo'>,
  catalogue: Catalogue,
  { prefix, providerSafe, offer: options }: Pick<NodeOptions, 'prefix' | 'providerSafe' | 'offer'>,
): Offer {
  const { chosen, ...unchosen } = chosenTools(context, itemIndex, catalogue);
  const fixed = fixedArguments(context, itemIndex, catalogue, options.fixed, unchosen.notSelected);
  const taken = namesTaken(context);
  const naming = { prefix, owner: ownerOf(context) };
  const tools = modelTools(chosen, { ...naming, taken, fixed: ({ name }) => Object.keys(fixed.get(name) ?? {}) });
  logListed(context, catalogue, tools.length);
  const { toolSearch: mode, always } = options;
  const server = nameForModel(session);
  const search = startToolSearch(tools, { ...naming, mode, always, server, taken });
  const { instructions = '' } = options.instructions ? catalogue : {};
  const others = [...taken, ...tools.map(({ name }) => name)];
  const notices =
    instructions.trim() === ''
      ? []
      : [
          noticeTool('server_instructions', `About the tools of ${server}: ${instructions}`, {
            ...naming,
            taken: others,
          }),
        ];
  const providers = providerSafe ? providersOf(context) : [];
  const told = [...(search?.exposed ?? tools), ...notices].map((tool) => adapted(tool, providers));
  rememberNames(
    context,
    [...tools, ...told].map((tool) => tool.name),
  );
  const absent = { ...unchosen, notAlways: search ? absentFrom(catalogue, always) : [] };
  const unprefixed = taken.length === 0 ? tools : modelTools(chosen, { prefix });
  const renamed = tools.filter(({ name }, index) => name !== unprefixed[index]?.name);
  return { tools, told, search, notices, fixed, absent, renamed };
}

/** The tool as its model's provider takes it: told in another form where the provider is known to refuse the original. */
function adapted(tool: ModelTool, providers: readonly Provider[]): ModelTool {
  const schema = acceptedSchema(tool.schema, ...providers);
  return schema === tool.schema ? tool : { ...tool, schema };
}
