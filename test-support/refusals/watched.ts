import { afterEach, expect, vi } from 'vitest';
import { fits, WorkBudget } from '../../src/json/index.js';
import type { Violation } from '../../src/schema/index.js';
import type * as Summary from '../../src/schema/violations/summary.js';
import { untrueLines } from './untrue.js';

interface Watched {
  violations: number;
  /** Lines that were looked at before: thousands of generated calls come to the same ones. */
  readonly known: Set<string>;
  readonly large: Set<unknown>;
  readonly untrue: Set<string>;
}

/**
 * Watches the refusals that tests make: each line must be true of the value that was refused. Loaded before every test
 * file, so whatever a test generates is watched, with what repairs leave. Files that share a process share the count: the
 * watched module is loaded for the first of them.
 */
const shared = globalThis as { watchedRefusals?: Watched };
const watched = (shared.watchedRefusals ??= { violations: 0, known: new Set(), large: new Set(), untrue: new Set() });

vi.mock('../../src/schema/violations/summary.js', async (importOriginal) => {
  const original = await importOriginal<typeof Summary>();
  const { partsOf, RefusedValue } = await import('../../src/schema/violations/violation.js');
  const watch = (violation: Violation) => {
    const { value } = violation.received;
    // A large value is shortened in every text, and a test may count how often one is looked through.
    if (watched.large.has(value)) return;
    if (!fits(value, largest)) return void watched.large.add(value);
    const parts = partsOf(violation);
    // A budget of its own: a test may count what texts take.
    const texts = { ...parts.texts, budget: new WorkBudget({ steps: 100_000, ms: Infinity }), known: new Map() };
    const line = new RefusedValue({ ...parts, path: [], texts }).message;
    watched.violations++;
    if (watched.known.has(line)) return;
    if (watched.known.size > mostKnown) watched.known.clear();
    watched.known.add(line);
    for (const { why } of untrueLines(`- ${line}`, value).untrue) watched.untrue.add(`${line} (${why})`);
  };
  const summarizedViolations: typeof Summary.summarizedViolations = (violations) => {
    const summary = original.summarizedViolations(violations);
    summary.forEach(watch);
    return summary;
  };
  return { ...original, summarizedViolations };
});

const largest = 1_000;

const mostKnown = 10_000;

/** How many violations were watched, and the lines that were not true, which are forgotten. */
export function takeWatched(): { violations: number; untrue: readonly string[] } {
  const taken = { violations: watched.violations, untrue: [...watched.untrue] };
  watched.violations = 0;
  watched.untrue.clear();
  watched.large.clear();
  return taken;
}

afterEach(() => {
  expect(takeWatched().untrue, 'lines of refusals that are not true of the value that was refused').toEqual([]);
});
