import { expect, test } from 'vitest';
import { lawRuns } from '../../test-support/law-runs.js';
import { measuredBy } from '../../test-support/measured.js';

/*
 * For any schema up to 1 MB and any arguments up to 20 MB, there is an answer within a few seconds and 300 MB. The heap
 * of the answering process is 300 MB, so its peak is bounded. Its time is its own processor time, relative to that of
 * JSON.stringify for 20 MB and for the same arguments, so neither a slow nor a busy machine fails the test.
 */
interface Cost {
  readonly what: string;
  readonly steps: number;
  readonly units: number;
}

/** The slowest known case takes seven units, which is about two seconds; on a busy machine eight. */
const texts = 12;

/** The steps of deciding and explaining together: see explainingSteps. */
const steps = 2 * 500_000;

test('The limits of steps and time hold for schemas and arguments made to break them', async () => {
  const costs = await measuredBy<Cost>(new URL('promise-costs.ts', import.meta.url));
  expect(costs.length).toBeGreaterThan(lawRuns(100, 5));
  expect(costs.filter((cost) => cost.steps > steps)).toEqual([]);
  expect(costs.filter(({ units }) => units > texts)).toEqual([]);
}, 600_000);
