import { parseJson } from '../json/index.js';
import { readMessages, type Message } from '../mcp/index.js';
import { codes, Refusal } from './errors.js';

/** Limits of a message over HTTP: other clients wait while it is read. */
export const maxMessageBytes = 8 * 1024 * 1024;
const maxDepth = 500;
const maxValues = 15_000;
/** A name in an object and a backslash in a string take as long to read as so many values. */
const valuesOf = { name: 5, escape: 0.05 };

/**
 * Checking a call may take about a tenth of a second, for the same reason; a call that needs more is sent unchecked.
 */
export const checkingBudget = { steps: 8_000, violations: 25 };

/** Why a message holds too much to be read, found without reading it. */
export function sizeProblem(text: string): string | undefined {
  if (text.length * valuesOf.name <= maxValues) return undefined;
  let values = 0;
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '\\') {
      values += valuesOf.escape;
      at++;
    } else if (sign === '"') isInString = !isInString;
    else if (isInString) continue;
    else if (sign === '[' || sign === '{') depth++;
    else if (sign === ']' || sign === '}') depth--;
    // Each value but the first of a list or object follows a comma, each name precedes a colon.
    else if (sign === ',') values++;
    else if (sign === ':') values += valuesOf.name;
    if (depth > maxDepth) return `A message may be ${maxDepth} levels deep.`;
    if (values > maxValues)
      return `A message may hold ${maxValues} values, a name counting as 5, and 20 escapes as one. Send fewer at a time.`;
  }
  return undefined;
}

export function messageIn(text: string): Message {
  const [message] = readMessages(text) ?? [];
  if (message && message.kind !== 'broken' && !/^\s*\[/.test(text)) return message;
  if (parseJson(text) === undefined) throw new Refusal(codes.parse, 'Parse error: the message is not JSON.');
  throw new Refusal(codes.invalidRequest, 'Invalid Request: this is no JSON-RPC message. Batches are not taken.');
}

/** Reading or checking a message of so many characters takes long enough to be noticed. */
const longMessage = 64 * 1024;

/** The last turn of all clients of the process, as they share its event loop. */
let last: Promise<void> = Promise.resolve();

/** Gives whatever takes long a turn of the event loop of its own, so that short messages of others come in between. */
export async function ownTurn(length = longMessage): Promise<void> {
  if (length < longMessage) return;
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
  await last;
}
