import { isObject, memberTexts, parseJson, rewrittenText, valueAt, type JsonObject } from '../../json/index.js';

export interface RpcError {
  /** Undefined if the server gave none. */
  code: number | undefined;
  message: string;
  data?: unknown;
}

export type RequestId = number | string;

/** A message's text on the wire, and its position in that text if it was a batch. */
export interface WireText {
  readonly text: string;
  readonly batchIndex?: number;
}

export type WireAnswer = { result: JsonObject; wire: WireText } | { error: RpcError; wire: WireText };

export type Message =
  | { kind: 'answer'; id: RequestId | undefined; answer: WireAnswer }
  | { kind: 'request'; id: RequestId; method: string; params: JsonObject; wire: WireText }
  | { kind: 'notification'; method: string; params: JsonObject; wire: WireText }
  /** With an id, but no answer. */
  | { kind: 'broken'; id: RequestId; message: JsonObject };

/**
 * Reads one message, or a batch of them (2025-03-26). A server's log line may have an id and a result as well: without
 * `"jsonrpc": "2.0"`, a text is an answer only if it has nothing but an id and a result or an error; an error that says
 * something needs no id.
 *
 * @returns undefined if there is no message; other values in a batch are left out
 */
export function readMessages(text: string): Message[] | undefined {
  const value = parseJson(text);
  if (!Array.isArray(value)) {
    const message = readMessage(value, { text });
    return message && [message];
  }
  const messages = value.flatMap((part, batchIndex) => readMessage(part, { text, batchIndex }) ?? []);
  return messages.length > 0 ? messages : undefined;
}

/** True if a text holds the answer to a request, whose id may come back as a string. */
export function holdsAnswerTo(id: RequestId, text: string): boolean {
  return readMessages(text)?.some((message) => message.kind === 'answer' && String(message.id) === String(id)) === true;
}

function readMessage(value: unknown, wire: WireText): Message | undefined {
  if (!isObject(value)) return undefined;
  const { jsonrpc, id, method, params } = value;
  if (jsonrpc === '2.0' && typeof method === 'string') {
    const asked = { method, params: isObject(params) ? params : {}, wire };
    if (!('id' in value)) return { kind: 'notification', ...asked };
    return isId(id) ? { kind: 'request', id, ...asked } : undefined;
  }
  if (jsonrpc !== '2.0' && !isBareAnswer(value)) return undefined;
  const answer = readAnswer(value, wire);
  if (answer) return { kind: 'answer', id: isId(id) ? id : undefined, answer };
  return isId(id) ? { kind: 'broken', id, message: value } : undefined;
}

function isBareAnswer({ id, result, error, ...others }: JsonObject): boolean {
  if (Object.keys(others).length > 0 || (result !== undefined && error !== undefined)) return false;
  if (isId(id)) return isObject(result) || isObject(error) || typeof error === 'string';
  return typeof error === 'string' || typeof valueAt(error, '/message') === 'string';
}

/** JSON-RPC 2.0, 5. If both members are there, one of them is null. */
export function readAnswer({ result, error }: JsonObject, wire: WireText): WireAnswer | undefined {
  if (isObject(result)) return { result, wire };
  if (typeof error === 'string') return { error: { code: undefined, message: error }, wire };
  if (!isObject(error)) return undefined;
  const { code, message, data } = error;
  return {
    error: {
      code: typeof code === 'number' ? code : undefined,
      message: typeof message === 'string' ? message : 'The server gave no message.',
      ...(data !== undefined && { data }),
    },
    wire,
  };
}

function isId(value: unknown): value is RequestId {
  return typeof value === 'number' || typeof value === 'string';
}

/** True if an error without an id may answer a request that the server could not read (JSON-RPC 2.0, 5.1). */
export function answersUnread(answer: WireAnswer): boolean {
  return 'error' in answer && [-32700, -32600].includes(answer.error.code ?? 0);
}

/** Texts of params, with what JavaScript does not hold of them: digits beyond 2^53, `1.0`. */
export interface ParamsTexts {
  /** Stands in for `params.arguments`. */
  readonly argumentsText?: string | undefined;
  /** The params as a client wrote them, of which each part is sent that says what is to be sent. */
  readonly written?: string | undefined;
}

export function messageText(
  method: string,
  params: JsonObject,
  meta: JsonObject,
  id: RequestId | undefined,
  { argumentsText, written }: ParamsTexts = {},
): string {
  const all = Object.keys(meta).length > 0 ? { ...params, _meta: meta } : params;
  // JSON omits missing members.
  if (argumentsText === undefined && written === undefined)
    return JSON.stringify({ jsonrpc: '2.0', id, method, params: Object.keys(all).length > 0 ? all : undefined });
  let texts: ReadonlyMap<string, string> | undefined;
  const textOf = (name: string, value: unknown) => {
    if (name === 'arguments' && argumentsText !== undefined) return argumentsText;
    // All that JavaScript loses is in numbers.
    if (typeof value === 'string' || written === undefined) return JSON.stringify(value);
    const own = (texts ??= memberTexts(written)).get(name);
    return own === undefined ? JSON.stringify(value) : rewrittenText(own, value);
  };
  const members = Object.entries(all)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${JSON.stringify(name)}:${oneLine(textOf(name, value))}`);
  const paramsText = members.length > 0 ? `,"params":{${members.join(',')}}` : '';
  return `${JSON.stringify({ jsonrpc: '2.0', id, method }).slice(0, -1)}${paramsText}}`;
}

export type AnswerText = { readonly result: string } | { readonly error: string };

/** @param idText the id as received: it may be a number that JavaScript cannot represent */
export function answerText(idText: string, answer: AnswerText): string {
  const body = 'result' in answer ? `"result":${oneLine(answer.result)}` : `"error":${oneLine(answer.error)}`;
  return `{"jsonrpc":"2.0","id":${idText},${body}}`;
}

/** Removes line breaks, which JSON has between tokens only: they would end a message that is one line or one event. */
export function oneLine(text: string): string {
  return text.replace(/[\r\n]/g, ' ');
}
