import { isDeepStrictEqual } from 'node:util';
import type { ReplayServer } from '../test-support/servers/replay.js';
import type { Case } from './cases.js';
import { asked } from './control.js';
import type { CallAnswer, Peer } from './peer.js';

/**
 * - right: the server received what it had to
 * - refused: rightly, and the text names every field at fault
 * - vaguely: refused rightly, but the text does not say where
 * - wrongly: refused, or not offered, although the arguments were right or could be repaired
 * - passed on: wrong arguments sent as they were, for the server to refuse
 * - changed: the server received something else than it had to
 */
export type Outcome = 'right' | 'refused' | 'vaguely' | 'wrongly' | 'passed on' | 'changed';

export const good: readonly Outcome[] = ['right', 'refused'];

/** Serves each case as a server of its own, so that one that cannot be listed does not spoil the others. */
export function caseServers(cases: readonly Case[]): Record<string, string[]> {
  const page = ({ schema }: Case) =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: 0,
      result: { tools: [{ name: 'tool', description: 'A tool.', inputSchema: schema }] },
    });
  return Object.fromEntries(cases.map((each, index) => [`case-${index}`, [page(each)]]));
}

export async function callOutcome(peer: Peer, each: Case, index: number, server: ReplayServer): Promise<Outcome> {
  const name = `case-${index}`;
  const before = server.requests(name).length;
  const answered = await asked(peer.name, server, name, () => peer.call(server.url(name), 'tool', each.args));
  const answer: CallAnswer = answered instanceof Error ? { offered: true, error: answered.message } : answered;
  const sent = server
    .requests(name)
    .slice(before)
    .find(({ method }) => method === 'tools/call');
  if (sent) return judgeSent(each, sent.params?.['arguments'] ?? {});
  if ('arrives' in each) return 'wrongly';
  const text = answer.offered ? (answer.error ?? answer.text ?? '') : '';
  if (!answer.offered) return 'wrongly';
  return (each.names ?? []).every((field) => text.includes(field)) ? 'refused' : 'vaguely';
}

function judgeSent(each: Case, received: unknown): Outcome {
  if ('arrives' in each && isDeepStrictEqual(received, each.arrives)) return 'right';
  return isDeepStrictEqual(received, each.args) ? 'passed on' : 'changed';
}
