import { peerPackage } from './packages.js';
import type { Measured } from './report.js';
import { ms, plural } from './table.js';
import type { Cell } from './timing.js';
import { ours, reused, theirs } from './ways.js';

/** The figures in favour of others, a sentence each. */
export function better({ timing, rows, packages: { own, peer }, starts }: Measured): string[] {
  const found = [
    ...([theirs, reused] as const).flatMap((way) => [
      ...timing.cells
        .filter(({ ratio }) => ratio[way] < 1)
        .map((cell) => `${way} needs ${cell.ratio[way].toFixed(2)} of the time for ${conversationOf(cell)}.`),
      ...timing.cells
        .filter(({ requests }) => requests[way] < requests[ours])
        .map((cell) => `${way} makes fewer requests for ${conversationOf(cell)}.`),
    ]),
    ...rows
      .filter(({ fates }) => fates[theirs] === 'right' && fates[ours] !== 'right')
      .map(({ name }) => `${theirs} does better at “${name}”.`),
    ...rows
      .filter(({ fates }) => fates[theirs] === 'as sent' && fates[ours] === 'told')
      .map(
        ({ name }) =>
          `“${name}”: ${theirs} leaves it to the server, which succeeds with a server more lenient than its schema; ${ours} has the model try again.`,
      ),
    ...loading(own.requires, peer.requires),
    ...(peer.size.megabytes < own.size.megabytes ? [`${peerPackage} is smaller.`] : []),
    ...(starts.added.peer < starts.added.own
      ? [`${peerPackage} adds ${ms(starts.added.own - starts.added.peer)} less to the start of n8n.`]
      : []),
  ];
  return [
    ...(found.length > 0 ? found : ['In none of these figures.']),
    `${theirs} is there already: it needs no installation.`,
  ];
}

function conversationOf({ tools, calls }: Cell): string {
  return `${plural(calls, 'call')} with ${plural(tools, 'tool')}`;
}

function loading(own: Map<string, number>, peer: Map<string, number>): string[] {
  const slowest = (times: Map<string, number>) => Math.max(...times.values());
  return slowest(peer) < slowest(own)
    ? [`The node of ${peerPackage} loads in ${(slowest(peer) / slowest(own)).toFixed(2)} of the time.`]
    : [];
}
