import type { ToolRunnableConfig } from '@langchain/core/tools';
import { callTool, checkArguments } from '../index.js';
import type { CallOptions, CatalogueTool, Session, ToolOptions, ToolOutcome } from '../index.js';
import { needsApproval } from './approval.js';
import type { Approval } from './approval.js';
import type { Media } from './content.js';
import type { ToolHooks } from './hooks.js';
import { answered, declined } from './outcome.js';
import type { Outcome } from './outcome.js';

/** How a tool is called, apart from what happens to its errors. */
export interface CallBehaviour
  extends
    ToolOptions,
    ToolHooks,
    Pick<CallOptions, 'timeoutMs' | 'resetTimeoutOnProgress' | 'totalTimeoutMs' | 'onProgress'> {
  /** Calls that a human is asked about. Default: none. */
  approval?: Approval;
  /** What becomes of images, sounds and files. Default: 'blocks'. */
  media?: Media;
}

export interface Target {
  server: string;
  tool: CatalogueTool;
  session: () => Promise<Session>;
}

/** Hook, approval, repair, check, call, hook: in this order, each a place where the call can end. */
export async function performCall(
  target: Target,
  input: unknown,
  behaviour: CallBehaviour,
  config: ToolRunnableConfig,
): Promise<Outcome> {
  const { server, tool } = target;
  const replaced = await behaviour.before?.({ server, tool, arguments: input, config });
  const approval = await approve(target, replaced ? replaced.arguments : input, behaviour);
  if (!approval.approved) return declined(tool.name, approval.reason);

  const session = await target.session();
  const outcome = await callTool(session, tool, approval.arguments, callOptions(behaviour, config));
  return withHook(target, withRepairs(outcome, approval.repairs), behaviour, config);
}

/** What concerns the call itself; the rest of `behaviour` is this module's. */
function callOptions(behaviour: CallBehaviour, { signal }: ToolRunnableConfig): ToolOptions & CallOptions {
  const own: (keyof CallBehaviour)[] = ['before', 'after', 'approval', 'media'];
  const options = Object.fromEntries(Object.entries(behaviour).filter(([name]) => !own.some((each) => each === name)));
  return { ...options, ...(signal && { signal }) };
}

type Approved = { approved: true; arguments: unknown; repairs: ToolOutcome['repairs'] };

/** Asks where the rule says so, and only about arguments that the server would really receive. */
async function approve(
  { server, tool }: Target,
  input: unknown,
  behaviour: CallBehaviour,
): Promise<Approved | { approved: false; reason?: string }> {
  const { approval } = behaviour;
  if (!approval || !needsApproval(approval.when ?? 'destructive', tool, server)) {
    return { approved: true, arguments: input, repairs: [] };
  }
  const checked = checkArguments(tool, input, behaviour);
  // What resumes an interrupted run comes from outside and may be anything, so it is not what its type says.
  const answer: unknown = await approval.ask({ server, tool, arguments: checked.arguments, repairs: checked.repairs });
  const said: { approved?: unknown; reason?: unknown; arguments?: unknown } =
    typeof answer === 'object' && answer !== null ? answer : { approved: answer };
  if (said.approved !== true)
    return { approved: false, ...(typeof said.reason === 'string' && { reason: said.reason }) };
  if (said.arguments !== undefined) return { approved: true, arguments: said.arguments, repairs: [] };
  return { approved: true, arguments: checked.arguments, repairs: checked.repairs };
}

/** What was repaired for the human to see is part of what was repaired. */
function withRepairs(outcome: ToolOutcome, earlier: ToolOutcome['repairs']): ToolOutcome {
  return earlier.length === 0 ? outcome : { ...outcome, repairs: [...earlier, ...outcome.repairs] };
}

async function withHook(
  { server, tool }: Target,
  outcome: ToolOutcome,
  { after, media }: CallBehaviour,
  config: ToolRunnableConfig,
): Promise<Outcome> {
  const { result, arguments: sent, repairs } = outcome;
  const output = await after?.({ server, tool, arguments: sent, repairs, result, config });
  const ended = answered(outcome, media);
  return output === undefined ? ended : { ...ended, output };
}
