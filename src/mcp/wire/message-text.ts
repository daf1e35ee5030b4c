import type { JsonObject } from '../../json/index.js';
import type { RequestId } from './envelope.js';

/**
 * A request or a notification as one line of JSON.
 *
 * @param argumentsText the JSON text of `params.arguments`, to be sent as it is written
 */
export function messageText(
  method: string,
  params: JsonObject,
  meta: JsonObject,
  id: RequestId | undefined,
  argumentsText: string | undefined,
): string {
  const all = Object.keys(meta).length > 0 ? { ...params, _meta: meta } : params;
  // JSON leaves out what there is none of.
  if (argumentsText === undefined)
    return JSON.stringify({ jsonrpc: '2.0', id, method, params: Object.keys(all).length > 0 ? all : undefined });
  const members = Object.entries(all)
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) =>
        `${JSON.stringify(name)}:${name === 'arguments' ? oneLine(argumentsText) : JSON.stringify(value)}`,
    );
  return `${JSON.stringify({ jsonrpc: '2.0', id, method }).slice(0, -1)},"params":{${members.join(',')}}}`;
}

/** An answer to a request of the server as one line of JSON. */
export function answerText(id: RequestId, answer: AnswerText): string {
  const body = 'result' in answer ? `"result":${oneLine(answer.result)}` : `"error":${oneLine(answer.error)}`;
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${body}}`;
}

/** An answer to the server, as JSON text. */
export type AnswerText = { readonly result: string } | { readonly error: string };

/** Line breaks in JSON are between tokens only, and would end a message where messages are lines or events. */
export function oneLine(text: string): string {
  return text.replace(/[\r\n]/g, ' ');
}
