import type { CatalogueTool, CallSettings, Progress, ToolOutcome } from '../../internal.js';
import type { McpToolsOptions } from '../options.js';
import type { ToolRunnableConfig } from '@langchain/core/tools';
import { callAfter, outcomeAfter } from './hooks.js';
import { answered, type Outcome } from './outcome.js';

/** One run of a tool. */
export interface ToolRun {
  readonly config: ToolRunnableConfig;
  /** LangChain's `timeout` of this run, in milliseconds: all the time that it may take. */
  readonly timeout?: number | undefined;
}

export interface Target {
  server: string;
  tool: CatalogueTool;
  call: (args: unknown, settings: CallSettings, run: ToolRun) => Promise<ToolOutcome>;
}

/** Runs the first hook, the call and the second hook. Each of them may end the call. */
export async function performCall(
  { server, tool, call }: Target,
  input: unknown,
  options: McpToolsOptions,
  run: ToolRun & { onProgress: (progress: Progress) => void },
): Promise<Outcome> {
  const { config, timeout, onProgress } = run;
  const { repairs: repairChoice, assertFormats, whenUndetermined, outputSchema } = options;
  const wanted = await callAfter(options.before, { server, tool, arguments: input, config });
  const settings = {
    idleTimeoutMs: timeout ?? wanted.idleTimeoutMs ?? options.timeouts?.[tool.name] ?? options.idleTimeoutMs,
    maxDurationMs: timeout ?? options.maxDurationMs,
    onProgress,
    signal: config.signal,
    headers: wanted.headers,
    meta: wanted.meta,
    ...{ repairs: repairChoice, assertFormats, whenUndetermined, outputSchema },
  };
  const outcome = await call(wanted.arguments, settings, { config, timeout });
  const { arguments: sent, result, repairs } = outcome;
  const replaced = await options.after?.({ server, tool, arguments: sent, repairs, result, config });
  return outcomeAfter(answered(outcome, options), replaced);
}
