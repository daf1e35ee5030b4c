import type { CorpusServer } from '../test-support/servers/corpus.js';
import { publishedNames } from '../test/conformance/mcp/published-servers.mjs';
import { startReplayServer } from '../test-support/servers/replay.js';
import { caseServers, callOutcome } from './calls.js';
import type { Outcome } from './calls.js';
import { cases } from './cases.js';
import { assertCalls, controlServer } from './control.js';
import { converters } from './converters.js';
import { converterFidelity, fidelityOf, observedFidelity } from './fidelity.js';
import type { ByServer, Fidelity } from './fidelity.js';
import { peerNames, startPeer } from './peer.js';
import { oddServers, robustness } from './robustness.js';
import type { RobustnessRow } from './robustness.js';
import { installedSize } from './size.js';
import type { Size } from './size.js';
import { costServer, times } from './times.js';
import type { Place, Times, Way } from './times.js';

export interface Measured {
  fidelity: Map<string, Fidelity>;
  /** The same over those servers that anybody can record. */
  recordable: Map<string, Fidelity>;
  calls: Map<string, Outcome[]>;
  robustness: Map<string, RobustnessRow[]>;
  times: { way: Way; place: Place; times: Map<string, Times> }[];
  sizes: Map<string, Size>;
}

/**
 * Everything, in one run.
 *
 * @param corpus recorded servers
 * @param say gets progress messages
 * @throws CannotMeasureError if a peer does not answer here, or a server is not asked
 */
export async function measure(
  folder: string,
  corpus: readonly CorpusServer[],
  say: (text: string) => void,
): Promise<Measured> {
  const server = await startReplayServer({
    ...Object.fromEntries(corpus.map(({ name, toolsListLines }) => [name, toolsListLines])),
    ...caseServers(cases),
    ...oddServers(),
    ...costServer(),
    ...controlServer,
  });
  const peers = peerNames.map((name) => startPeer(name, folder));
  const measured: Measured = {
    fidelity: new Map(),
    recordable: new Map(),
    calls: new Map(),
    robustness: new Map(),
    times: [],
    sizes: new Map(),
  };
  const keep = (name: string, found: ByServer) => {
    measured.fidelity.set(name, fidelityOf(found));
    measured.recordable.set(
      name,
      fidelityOf(found, (each) => publishedNames.includes(each.package)),
    );
  };
  try {
    for (const peer of peers) {
      say(`${peer.name}: calls`);
      await assertCalls(peer, server);
      const outcomes: Outcome[] = [];
      for (const [index, each] of cases.entries()) outcomes.push(await callOutcome(peer, each, index, server));
      measured.calls.set(peer.name, outcomes);
      say(`${peer.name}: robustness`);
      measured.robustness.set(peer.name, await robustness(peer, server));
      say(`${peer.name}: fidelity`);
      keep(peer.name, await observedFidelity(peer.name, peer.ask, corpus, server));
    }
    for (const [name, convert] of Object.entries(converters(folder))) {
      say(`${name}: fidelity`);
      keep(name, converterFidelity(convert, corpus));
    }
    for (const way of ['framework', 'alone'] as const)
      for (const place of ['own', 'shared'] as const) {
        say(`times: ${way}, ${place} process`);
        measured.times.push({ way, place, times: await times(folder, server, { way, place }) });
      }
    for (const name of peerNames) measured.sizes.set(name, installedSize(name, folder));
  } finally {
    for (const peer of peers) peer.close();
    await server.close();
  }
  return measured;
}
