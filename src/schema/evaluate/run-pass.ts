import type { SchemaNode } from '../keywords/keyword.js';
import { UNDETERMINED, type Verdict } from '../keywords/verdict.js';
import { watched } from '../patterns/watchdog.js';
import { type EvaluationPass, type Limits, NeedsWatchdog, Stopped } from './pass.js';

/**
 * Runs a pass over a whole instance, with as few watchdogs as possible. Most schemas have no pattern that could take
 * long, so the first pass has none. At the first risky pattern it starts again under a single watchdog, which is enough
 * for thousands of rows. If that one expires, each match gets its own, so that everything but the endless match is
 * decided.
 */
export function runPass(
  root: SchemaNode,
  instance: unknown,
  limits: Limits,
  start: () => EvaluationPass,
): { pass: EvaluationPass; verdict: Verdict } {
  const pass = start();
  try {
    if (limits.guard !== 'pass') return { pass, verdict: pass.apply(root, instance) };
    const ended = watched(() => pass.apply(root, instance), limits.patternMs);
    if (!ended) throw new NeedsWatchdog();
    return { pass, verdict: ended.result };
  } catch (error) {
    if (error instanceof NeedsWatchdog) {
      limits.guard = limits.guard === 'none' ? 'pass' : 'match';
      return runPass(root, instance, limits, start);
    }
    // The budget's depth leaves room on the stack, but a host may have used nearly all, which throws a RangeError.
    if (error instanceof Stopped || error instanceof RangeError) return { pass, verdict: UNDETERMINED };
    throw error;
  } finally {
    // Short passes are not worth a look at the clock.
    pass.charge(false);
  }
}
