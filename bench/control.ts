import type { ReplayServer } from '../test-support/servers/replay.js';
import type { Peer } from './peer.js';

const inputSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
const page = { jsonrpc: '2.0', id: 0, result: { tools: [{ name: 'tool', description: 'A tool.', inputSchema }] } };

/**
 * A server whose one plain tool every client sends and calls. A client that does not is broken here, and gets no
 * figures.
 */
export const controlServer = { control: [JSON.stringify(page)] };

/** A measurement that would print something false, and why. */
export class CannotMeasureError extends Error {
  constructor(who: string, why: unknown) {
    const reason = why instanceof Error ? why.message : String(why);
    super(`${who} cannot be measured here: ${reason}. Missing packages are installed by npm run fetch:packages.`);
  }
}

/** @throws CannotMeasureError if the peer does not list and call the plain tool */
export async function assertCalls(peer: Peer, server: ReplayServer): Promise<void> {
  const answer = await peer.call(server.url('control'), 'tool', { n: 1 }).catch((error: unknown) => error as Error);
  const called = server.requests('control').some(({ method }) => method === 'tools/call');
  if (!called) throw new CannotMeasureError(peer.name, failure(answer) ?? 'a plain tool was not called');
}

function failure(answer: Error | object): Error | string | undefined {
  return answer instanceof Error ? answer : 'error' in answer ? String(answer.error) : undefined;
}

/**
 * Runs a question to a peer about a server.
 *
 * @returns its answer, or the error with which the peer failed
 * @throws CannotMeasureError if the peer never asked the server for its tools: then the list is not the cause
 */
export async function asked<Answer>(
  who: string,
  server: ReplayServer,
  name: string,
  question: () => Promise<Answer>,
): Promise<Answer | Error> {
  const lists = () => server.requests(name).filter(({ method }) => method === 'tools/list').length;
  const before = lists();
  const answer = await question().catch((error: unknown) => error as Error);
  if (lists() > before) return answer;
  throw new CannotMeasureError(who, failure(answer as object) ?? `${name} was not asked for its tools`);
}
