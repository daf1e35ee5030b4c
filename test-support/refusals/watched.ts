import { afterEach, expect, vi } from 'vitest';
import { fits, WorkBudget } from '../../src/json/index.js';
import type { Violation } from '../../src/schema/index.js';
import type * as Summary from '../../src/schema/violations/summary.js';
import { untrueLines } from './untrue.js';

interface Watched {
  violations: number;
  /** Lines that were checked before: thousands of generated calls produce the same ones. */
  readonly known: Set<string>;
  readonly large: Set<unknown>;
  readonly untrue: Set<string>;
}

/**
 * Watches the refusals of all tests: each line must be true of the rejected value. It is loaded before every test file,
 * so generated arguments are watched, too, after repairs. Files in one process share the count, because the watched
 * module is loaded for the first of them.
 */
const shared = globalThis as { watchedRefusals?: Watched };
const watched = (shared.watchedRefusals ??= { violations: 0, known: new Set(), large: new Set(), untrue: new Set() });

vi.mock('../../src/schema/violations/summary.js', async (importOriginal) => {
  const original = await importOriginal<typeof Summary>();
  const { partsOf, RefusedValue } = await import('../../src/schema/violations/violation.js');
  const watch = (violation: Violation) => {
    const { value } = violation.received;
    // Every text shortens a large value, and a test may count how often one is read.
    if (watched.large.has(value)) return;
    if (!fits(value, largest)) return void watched.large.add(value);
    const parts = partsOf(violation);
    // A separate budget, because a test may count the steps of texts.
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

/** The number of watched violations, and the untrue lines, which are then forgotten. */
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
