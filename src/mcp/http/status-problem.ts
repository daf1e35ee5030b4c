import { isObject } from '../../json/index.js';
import { AuthorizationError, ConnectionError, unknownOutcome, type McpError } from '../errors.js';
import { parseJson } from '../parse-json.js';
import type { SecretMask } from '../../secrets/index.js';
import { readWireAnswer, type RpcError } from '../wire-answer.js';

/** How much of a server's own words goes into a message. */
const longestQuote = 400;

/** The JSON-RPC error that some servers answer with a status of its own, after the habit of JSON-RPC over HTTP. */
export function rpcErrorIn(status: number, error: unknown): RpcError | undefined {
  const text = status === 400 || status === 500 ? bodyOf(error) : undefined;
  const body = text === undefined ? undefined : parseJson(text);
  if (!isObject(body) || body['jsonrpc'] !== '2.0' || !isObject(body['error'])) return undefined;
  const answer = readWireAnswer('', body);
  return 'error' in answer ? answer.error : undefined;
}

/** What an HTTP status was the answer to. */
export interface Asked {
  method: string;
  /** The server, as it may be shown. */
  where: string;
  mask: SecretMask;
  /** Whether there is a session, and so something that the server may have carried out. */
  inSession: boolean;
}

/**
 * The error for an HTTP status that means failure, but for 401.
 *
 * @param error the SDK's, with the beginning of the body
 */
export function statusProblem(status: number, error: unknown, { method, where, mask, inSession }: Asked): McpError {
  if (status === 403) {
    return new AuthorizationError(`${where} refused access (HTTP 403) to ${method}.`, {
      code: 'FORBIDDEN',
      status,
      hint: 'The credential is known but does not allow this; ask for the missing permission or scope.',
    });
  }
  const said = quoteOf(error, mask);
  return new ConnectionError(`${where} answered ${method} with HTTP ${status}${said ? `: ${said}` : '.'}`, {
    code: 'HTTP_STATUS',
    status,
    hint: hintFor(status, inSession),
  });
}

function hintFor(status: number, inSession: boolean): string {
  if (status >= 300 && status < 400)
    return 'Use the address it redirects to, if that is the intended server; credentials are never sent to another origin.';
  if (status === 404 || status === 405) return 'Check the path of the URL; MCP endpoints often end in /mcp or /sse.';
  if (status === 429) return 'The server limits the rate of requests; try again later.';
  if (status === 503) return 'The server, or something in front of it, is too busy; try again later.';
  if (status >= 500)
    return `The server, or something in front of it, is in trouble. ${inSession ? unknownOutcome : 'Try again later.'}`;
  return 'Check that the URL is that of an MCP endpoint.';
}

/** What the body of an HTTP error says: the message of a JSON error, or the first line of a text; never a page of HTML. */
function quoteOf(error: unknown, mask: SecretMask): string {
  const redirect = /Redirect (?:to|from)[^(]*/.exec(error instanceof Error ? error.message : '');
  if (redirect) return mask(redirect[0].trim());
  const text = bodyOf(error) ?? '';
  if (text.trimStart().startsWith('<')) return '';
  // Masked before it is cut: a half of a secret would not be known for one.
  return mask(messageIn(parseJson(text)) ?? text.trim().split('\n', 1)[0]!).slice(0, longestQuote);
}

function messageIn(body: unknown): string | undefined {
  if (!isObject(body)) return undefined;
  const { error, message } = body;
  const said = isObject(error) ? error['message'] : (error ?? message);
  return typeof said === 'string' ? said : undefined;
}

function bodyOf(error: unknown): string | undefined {
  const text = (error as { data?: { text?: unknown } }).data?.text;
  return typeof text === 'string' ? text : undefined;
}
