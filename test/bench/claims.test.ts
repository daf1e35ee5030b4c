import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callOutcome, caseServers, good } from '../../bench/calls.js';
import { cases } from '../../bench/cases.js';
import { type Driver, peerIn, peerNames, startDriver } from '../../bench/peer.js';
import { oddServers, robustness } from '../../bench/robustness.js';
import { fetchedPackages } from '../../test-support/packages.js';
import { startReplayServer, type ReplayServer } from '../../test-support/servers/replay.js';

const folder = fetchedPackages('bench/peers');

/** Bounds a hang. It includes the peer's start and measures no speed. */
const patienceMs = 60_000;

/**
 * Measures the calls and the robustness of docs/benchmarks.md again. The peers take 0.9 GB: `npm run fetch:packages`
 * installs them.
 */
describe.skipIf(folder === undefined)('the claims of docs/benchmarks.md (peers: npm run fetch:packages)', () => {
  let server: ReplayServer;
  /** One process for all peers, so that shared packages are loaded once. */
  let driver: Driver;

  beforeAll(async () => {
    server = await startReplayServer({ ...caseServers(cases), ...oddServers() });
    driver = startDriver(folder!, patienceMs);
  });
  afterAll(async () => {
    driver.close();
    await server.close();
  });

  test('Every measured call arrives, or is refused, as it should be', async () => {
    const peer = peerIn(driver, 'mcp-verbatim');
    const wrong: string[] = [];
    for (const [index, each] of cases.entries()) {
      const outcome = await callOutcome(peer, each, index, server);
      if (!good.includes(outcome)) wrong.push(`${each.name}: ${outcome}`);
    }
    expect(wrong).toEqual([]);
  });

  test('An odd tool takes no others down, and a hostile schema or list does not hang', async () => {
    const rows = await robustness(peerIn(driver, 'mcp-verbatim'), server);
    expect(rows.filter(({ fine }) => !fine)).toEqual([]);
  });

  test.each(peerNames.filter((name) => name !== 'mcp-verbatim'))(
    '%s still does not repair an integer sent as a string',
    async (name) => {
      const index = cases.findIndex(({ name }) => name === 'integer as string');
      const outcome = await callOutcome(peerIn(driver, name), cases[index]!, index, server);
      expect(['wrongly', 'passed on']).toContain(outcome);
    },
  );
});
