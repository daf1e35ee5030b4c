import { type Context, createContext, Script } from 'node:vm';

/** Node, Bun and Deno can stop a regular expression; workerd has `node:vm` in name only. */
export function canWatch(): boolean {
  try {
    return (known ??= new Script('1').runInContext((sharedContext ??= createContext({}))) === 1);
  } catch {
    return (known = false);
  }
}

let known: boolean | undefined;

/**
 * Does work under V8's watchdog (armed in 50 to 240 µs); undefined if time or stack ran out, or there is no watchdog.
 */
export function watched<T>(work: () => T, ms: number): { readonly result: T } | undefined {
  if (!canWatch()) return undefined;
  const timeout = Math.min(Math.ceil(ms), longestMs);
  const context = (sharedContext ??= createContext({}));
  context['work'] = work;
  try {
    // The script does nothing but call the work, whose result this is.
    return { result: (script ??= new Script('work()')).runInContext(context, { timeout }) as T };
  } catch (error) {
    // That no time is left is a RangeError as well: of `timeout`.
    if (error instanceof RangeError || isTimeout(error)) return undefined;
    throw error;
  } finally {
    // It holds on to the arguments.
    context['work'] = undefined;
  }
}

/** V8 keeps timeouts in 32 bits. */
const longestMs = 2 ** 32 - 1;

let script: Script | undefined;
let sharedContext: Context | undefined;

function isTimeout(error: unknown): boolean {
  // Not by its class: it comes from another realm.
  return (error as { code?: unknown } | null | undefined)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'; // anything can be thrown
}
