import { isObject } from '../json/index.js';
import { ProtocolError, unknownOutcome, type McpError } from './errors.js';

/** A JSON-RPC error, as the server sent it. */
export interface RpcError {
  code: number;
  message: string;
  data?: unknown;
}

/** What came of a request on the wire, before anyone else has looked at it; `failure` where what came is no answer. */
export type WireAnswer = { result: Record<string, unknown> } | { error: RpcError } | { failure: McpError };

/** Reads the answer to a request (JSON-RPC 2.0, 5). */
export function readWireAnswer(method: string, message: { result?: unknown; error?: unknown }): WireAnswer {
  const { result, error } = message;
  if (isObject(result)) return { result };
  if (!isObject(error)) return { failure: neither(method, message) };
  const { code, message: text, data } = error;
  return {
    error: {
      code: typeof code === 'number' ? code : internalError,
      message: typeof text === 'string' ? text : 'The server gave no message.',
      ...(data !== undefined && { data }),
    },
  };
}

/** JSON-RPC 2.0, 5.1: stands for a code that the server left out. */
const internalError = -32603;

function neither(method: string, message: object): ProtocolError {
  return new ProtocolError(
    `The server's answer to ${method} holds neither a result object nor an error: ${beginning(JSON.stringify(message))}`,
    {
      hint: brokenHint,
    },
  );
}

/** For an answer that cannot be read. */
export const brokenHint = `This is a fault of the server, or of something in front of it. ${unknownOutcome}`;

/**
 * Enough of a text of the server's to recognise it by. It is cut between words only: whoever masks secrets later would
 * not know a half of one.
 */
export function beginning(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200).replace(/[\w.~+/=%-]+$/, '')}…` : text;
}
