import { randomUUID } from 'node:crypto';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { isObject, JsonText, memberText, parseJson, type JsonObject } from '../../json/index.js';
import { oneLine, type AnswerText, type RequestId } from '../../mcp/index.js';

/** A message of the client, with the text that it stood in. */
export interface Incoming {
  readonly id: RequestId | undefined;
  /** Undefined in an answer. */
  readonly method: string | undefined;
  readonly params: JsonObject;
  /** The params to the character; `{}` where there are none. */
  readonly paramsText: string;
  /** Set in an answer to something that was asked of the client. */
  readonly answer: AnswerText | undefined;
}

/** Reads a message that the SDK has parsed, beside its text. */
export function readIncoming(message: JSONRPCMessage, text: string): Incoming {
  const { id, method, params } = message as { id?: RequestId; method?: string; params?: unknown }; // of all kinds of messages
  const [result, error] = method === undefined ? [memberText(text, ['result']), memberText(text, ['error'])] : [];
  return {
    id,
    method,
    params: isObject(params) ? params : {},
    paramsText: memberText(text, ['params']) ?? '{}',
    answer: result !== undefined ? { result } : error !== undefined ? { error } : undefined,
  };
}

/**
 * The SDK's transports write messages with `JSON.stringify`, which knows no text that is to stay as it is. So a text
 * travels through them as a string behind this mark, in the shape that an error has to have, and is put in its place
 * where the message leaves. Nobody else knows the mark.
 */
const mark = `mcp-verbatim:${randomUUID()}:`;

interface Payload {
  readonly code: number;
  readonly message: string;
}

function payload(text: string, code = 0): Payload {
  return { code, message: mark + text };
}

export function answerMessage(id: RequestId, answer: AnswerText): JSONRPCMessage {
  if ('result' in answer) return { jsonrpc: '2.0', id, result: { ...payload(answer.result) } };
  const error = parseJson(answer.error);
  const code = isObject(error) && typeof error['code'] === 'number' ? error['code'] : 0;
  return { jsonrpc: '2.0', id, error: payload(answer.error, code) };
}

export function requestMessage(id: RequestId, method: string, paramsText: string): JSONRPCMessage {
  return { jsonrpc: '2.0', id, method, params: { ...payload(paramsText) } };
}

export function notificationMessage(method: string, paramsText: string): JSONRPCMessage {
  return { jsonrpc: '2.0', method, params: { ...payload(paramsText) } };
}

/** The text of a message. */
export function messageText(message: JSONRPCMessage): string {
  for (const [key, value] of Object.entries(message)) {
    const said = isObject(value) ? value['message'] : undefined;
    if (typeof said !== 'string' || !said.startsWith(mark)) continue;
    const head = JSON.stringify({ ...message, [key]: undefined });
    return `${head.slice(0, -1)},"${key}":${oneLine(said.slice(mark.length))}}`;
  }
  return JSON.stringify(message);
}

const opening = `{"code":`;
const inPayload = `,"message":${JSON.stringify(mark).slice(0, -1)}`;

/** A text that messages were written into, with every payload in its place. */
export function withPayloads(text: string): string {
  let written = '';
  let from = 0;
  for (let at = text.indexOf(inPayload); at >= 0; at = text.indexOf(inPayload, from)) {
    const start = text.lastIndexOf(opening, at);
    const stringStart = at + ',"message":'.length;
    const end = new JsonText(text).stringEnd(stringStart);
    const said = parseJson(text.slice(stringStart, end)) as string; // as it was written here
    written += text.slice(from, start) + oneLine(said.slice(mark.length));
    from = end + 1;
  }
  return written + text.slice(from);
}
