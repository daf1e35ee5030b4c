import type { ToolRunnableConfig } from '@langchain/core/tools';
import type { CatalogueTool, FixedArguments, Progress, Session } from '../../internal.js';
import { callTool, CancelledError, Deadline, TimeoutError } from '../../internal.js';
import type { Fixed, McpToolsOptions } from '../options.js';
import { isByInterrupt, pausing } from './by-interrupt.js';
import { callAfter, outcomeAfter } from './hooks.js';
import { answered, type Outcome } from './outcome.js';

export interface Target {
  server: string;
  tool: CatalogueTool;
  session: () => Promise<Session>;
}

interface Invocation {
  config: ToolRunnableConfig;
  /** LangChain's `timeout` of this invocation, in milliseconds: all the time that it may take. */
  timeout?: number | undefined;
  onProgress: (progress: Progress) => void;
}

/** Hook, repair, check, call, hook: in this order, each a place where the call can end. */
export async function performCall(
  target: Target,
  input: unknown,
  options: McpToolsOptions,
  { config, timeout, onProgress }: Invocation,
): Promise<Outcome> {
  const { server, tool } = target;
  const { repairs: repairChoice, assertFormats, whenUndetermined, outputSchema, elicit } = options;
  const wanted = await callAfter(options.before, { server, tool, arguments: input, config });
  const fixed = await fixedArguments(options.fixed, tool, config);
  const session = await opened(target, config.signal, timeout);
  const caller = isByInterrupt(elicit) ? pausing(session, server, elicit) : session;
  const outcome = await callTool(caller, tool, wanted.arguments, {
    ...{ fixed, repairs: repairChoice, assertFormats, whenUndetermined, outputSchema },
    idleTimeoutMs: timeout ?? options.idleTimeoutMs,
    maxDurationMs: timeout ?? options.maxDurationMs,
    onProgress,
    signal: config.signal,
    headers: wanted.headers,
    meta: wanted.meta,
  });
  const { arguments: sent, result, repairs } = outcome;
  const replaced = await options.after?.({ server, tool, arguments: sent, repairs, result, config });
  return outcomeAfter(answered(outcome, options), replaced);
}

async function fixedArguments(
  fixed: Fixed = {},
  { name: tool }: CatalogueTool,
  config: ToolRunnableConfig,
): Promise<FixedArguments> {
  const own = Object.entries((Object.hasOwn(fixed, tool) ? fixed[tool] : undefined) ?? {});
  const values = own.map(async ([name, value]) => [name, typeof value === 'function' ? await value(config) : value]);
  return Object.fromEntries(await Promise.all(values)) as FixedArguments; // whatever they are, they are checked
}

/** The session, opened again where it was lost: as long as this call may wait for it, which others may wait for as well. */
async function opened(
  { session }: Target,
  signal: AbortSignal | undefined,
  timeout: number | undefined,
): Promise<Session> {
  if (timeout === undefined && !signal) return session();
  const deadline = new Deadline(timeout ?? Infinity, signal);
  try {
    return await deadline.wait(session());
  } catch (error) {
    if (signal?.aborted) throw new CancelledError('The attempt to connect was cancelled by the caller.');
    if (deadline.isOver && timeout !== undefined)
      throw new TimeoutError(`The attempt to connect took longer than ${timeout} ms.`, timeout);
    throw error;
  } finally {
    deadline.clear();
  }
}
