import { isObject, parseJson, type JsonObject } from '../../json/index.js';

/** A JSON-RPC error, as the server sent it. */
export interface RpcError {
  code: number;
  message: string;
  data?: unknown;
}

export type RequestId = number | string;

/** A message as it stood on the wire: the text that held it, and its place in there where that was a batch. */
export interface WireText {
  readonly text: string;
  readonly batchIndex?: number;
}

/** What came in answer to a request. */
export type WireAnswer = { result: JsonObject; wire: WireText } | { error: RpcError; wire: WireText };

/** One message of the server. */
export type Message =
  | { kind: 'answer'; id: RequestId | undefined; answer: WireAnswer }
  | { kind: 'request'; id: RequestId; method: string; params: JsonObject; wire: WireText }
  | { kind: 'notification'; method: string; params: JsonObject; wire: WireText }
  /** It says that it is JSON-RPC and has an id, but holds no answer. */
  | { kind: 'broken'; id: RequestId; message: JsonObject };

/**
 * Reads what a server sent: one message, or a batch of them (2025-03-26). Servers print their logs where messages belong,
 * and a log line may have an id and a result as well; so what does not say `"jsonrpc": "2.0"` is an answer only if an id
 * and a result or an error are all it has.
 *
 * @returns undefined where the text is not JSON or holds nothing that is a message; what is none in a batch is left out
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

/** Whether a text holds the answer to a request, whose id may come back as a string. */
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

function isBareAnswer(value: JsonObject): boolean {
  const names = Object.keys(value);
  return names.length === 2 && isId(value['id']) && (isObject(value['result']) || isObject(value['error']));
}

/** JSON-RPC 2.0, 5. Where both members are there, one of them is null. */
export function readAnswer({ result, error }: JsonObject, wire: WireText): WireAnswer | undefined {
  if (isObject(result)) return { result, wire };
  if (!isObject(error)) return undefined;
  const { code, message, data } = error;
  return {
    error: {
      code: typeof code === 'number' ? code : internalError,
      message: typeof message === 'string' ? message : 'The server gave no message.',
      ...(data !== undefined && { data }),
    },
    wire,
  };
}

function isId(value: unknown): value is RequestId {
  return typeof value === 'number' || typeof value === 'string';
}

/** JSON-RPC 2.0, 5.1: stands for a code that the server left out. */
const internalError = -32603;

/** Whether an error without an id may be the answer to a request, which the server could not read (JSON-RPC 2.0, 5.1). */
export function answersUnread(answer: WireAnswer): boolean {
  return 'error' in answer && [-32700, -32600].includes(answer.error.code);
}
