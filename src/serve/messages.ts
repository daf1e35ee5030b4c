import { JsonScanner, parseJson } from '../json/index.js';
import { readMessages, type Message } from '../mcp/index.js';
import { codes, Refusal } from './errors.js';

/**
 * The messages in a text of a client. Those of a batch have a text of their own each: to find a part of one in the whole
 * would take as long as the others are.
 */
export function messagesIn(text: string): [Message, ...Message[]] | Refusal {
  const isBatch = /^\s*\[/.test(text) && parseJson(text) !== undefined;
  const [first, ...others] = (isBatch ? partsOf(text) : [text]).flatMap((part) => readMessages(part) ?? []);
  if (first) return [first, ...others];
  if (parseJson(text) === undefined) return new Refusal(codes.parse, 'Parse error: the message is not JSON.');
  return new Refusal(codes.invalidRequest, 'Invalid Request: this is no JSON-RPC message.');
}

function partsOf(batch: string): string[] {
  const json = new JsonScanner(batch);
  const parts = [...json.items(json.root())].map((span) => json.slice(span));
  return parts.filter((part) => part.startsWith('{'));
}
