import type { WireAnswer } from './wire-answer.js';

/**
 * What the client gets to see. Handshakes pass as they are, because the client negotiates by them; every other result
 * is replaced by `input_required` with a state, the one answer that the client hands back unparsed in every revision
 * that knows result types (it is asked for with `allowInputRequired`), and that earlier revisions take for an empty
 * result.
 */
export function standIn(method: string, answer: Exclude<WireAnswer, { failure: unknown }>): typeof answer {
  if ('error' in answer) return answer;
  if (method === 'initialize') return { result: { ...answer.result, capabilities: {}, serverInfo: nameless } };
  if (method === 'server/discover' || method === 'subscriptions/listen') return answer;
  return { result: { resultType: 'input_required', requestState: '' } };
}

const nameless = { name: '', version: '' };
