import { type Context, createContext, Script } from 'node:vm';

/** The wall-clock time that patterns may still take in one evaluation. */
export interface PatternClock {
  remainingMs: number;
}

/** Does work that is known to end soon, and takes its time off the clock; undefined where none is left. */
export function timed(work: () => boolean, clock: PatternClock): boolean | undefined {
  if (clock.remainingMs <= 0) return undefined;
  const started = performance.now();
  try {
    return work();
  } finally {
    clock.remainingMs -= performance.now() - started;
  }
}

/**
 * Does work that may never end under V8's own watchdog, which stops it in the middle of a regular expression. Costs
 * some 0.05 ms.
 *
 * @returns undefined where the time ran out, or the matcher's memory did
 */
export function watched(work: () => boolean, clock: PatternClock): boolean | undefined {
  const timeout = Math.ceil(clock.remainingMs);
  if (timeout <= 0) return undefined;
  const context = sharedContext();
  context['work'] = work;
  try {
    return timed(() => script().runInContext(context, { timeout }) === true, clock);
  } catch (error) {
    // The watchdog keeps its own time and may be a little early.
    if (isTimeout(error)) clock.remainingMs = Math.min(clock.remainingMs, 0);
    return undefined;
  } finally {
    context['work'] = undefined;
  }
}

let compiled: Script | undefined;
let context: Context | undefined;

/** The only code that runs there. */
function script(): Script {
  return (compiled ??= new Script('work()'));
}

function sharedContext(): Context {
  return (context ??= createContext({}));
}

function isTimeout(error: unknown): boolean {
  // Not by its class: it comes from another realm.
  return (
    typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
