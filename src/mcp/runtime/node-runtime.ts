import { AsyncResource } from 'node:async_hooks';
import { setMaxListeners } from 'node:events';

/** Calls may share a signal: Node takes more than ten that listen to one for a leak, and says so on stderr. */
export function shareable<S extends object | undefined>(signal: S): S {
  if (signal instanceof EventTarget) setMaxListeners(0, signal);
  return signal;
}

/** A function that runs work in the present context of `AsyncLocalStorage`. */
export function contextOfNow(): <T>(work: () => T) => T {
  const context = new AsyncResource('mcp-verbatim:elicit');
  return (work) => context.runInAsyncScope(work);
}

export function anySignal(signals: AbortSignal[]): AbortSignal {
  return AbortSignal.any(signals);
}

/** After the events that have come already. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

/** Node's own switch for the output of its modules, and of packages that follow it. */
const isDebugging = /(^|,)\s*mcp-verbatim\s*(,|$)/i.test(process.env['NODE_DEBUG'] ?? '');

// eslint-disable-next-line no-console
const writeDebug = (line: string) => console.error(`MCP-VERBATIM ${line}`);

/** Writes to stderr; undefined without `NODE_DEBUG=mcp-verbatim`. */
export const debugLog = isDebugging ? writeDebug : undefined;

/** A warning about how the program is written. */
export function warnProgram(warning: string, code: string): void {
  process.emitWarning(warning, { type: 'McpVerbatimWarning', code });
}
