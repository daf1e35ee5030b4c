import type { JsonObject } from '../../json/index.js';
import type { RequestId } from './envelope.js';
import type { RawRequestOptions } from './pending-requests.js';

/** What a message to the server consists of, and the parts of it that are JSON text already. */
interface MessageParts extends Pick<Partial<RawRequestOptions>, 'argumentsText'> {
  method: string;
  params: JsonObject;
  meta: JsonObject;
  /** Of a request. */
  id: RequestId | undefined;
}

/** A request or a notification as one line of JSON. */
export function messageText({ method, params, meta, id, argumentsText }: MessageParts): string {
  // JSON leaves out what there is none of.
  const all = Object.keys(meta).length > 0 ? { ...params, _meta: meta } : params;
  const text = JSON.stringify({ jsonrpc: '2.0', id, method, params: Object.keys(all).length > 0 ? all : undefined });
  return argumentsText === undefined ? text : withArguments(text, params, argumentsText);
}

/** An answer to a request of the server as one line of JSON. */
export function answerText(id: RequestId, answer: AnswerText): string {
  const body = 'result' in answer ? `"result":${oneLine(answer.result)}` : `"error":${oneLine(answer.error)}`;
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${body}}`;
}

/** An answer to the server, as JSON text. */
export type AnswerText = { readonly result: string } | { readonly error: string };

/** Replaces the arguments of a serialised request by their own text. */
function withArguments(request: string, params: JsonObject, text: string): string {
  const written = `"arguments":${JSON.stringify(params['arguments'])}`;
  // It follows the name of the tool, whose text cannot hold it: the quotation marks in there are escaped.
  const at = request.indexOf(written);
  return `${request.slice(0, at)}"arguments":${oneLine(text)}${request.slice(at + written.length)}`;
}

/** Line breaks in JSON are between tokens only, and would end a message where messages are lines or events. */
export function oneLine(text: string): string {
  return text.replace(/[\r\n]/g, ' ');
}
