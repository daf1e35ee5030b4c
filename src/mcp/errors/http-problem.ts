import { isObject, parseJson } from '../../json/index.js';
import type { SecretMask } from '../../secrets/index.js';
import { AuthorizationError, ConnectionError, type McpError } from './errors.js';
import type { HttpFailure } from './failures.js';

/** Characters of a server's own text in a message. */
export const longestQuote = 400;

export function statusProblem(failure: HttpFailure, method: string, where: string, mask: SecretMask): McpError {
  const { status } = failure;
  const text = quoteOf(failure, mask);
  const end = text ? ':' : '.';
  const about = { status, ...(text && { details: text }) };
  if (status === 403)
    return new AuthorizationError(`${where} refused access (HTTP 403) to ${method}${end}`, {
      code: 'FORBIDDEN',
      ...about,
      // Servers on this machine refuse other names for it in this way, too.
      hint: text
        ? 'If that is about the credential, ask for the missing permission or scope.'
        : 'The credential is known but does not allow this; ask for the missing permission or scope.',
    });
  const { retryAfterMs } = failure;
  const wait = retryAfterMs === undefined ? '' : ` and asks to wait ${Math.ceil(retryAfterMs / 1000)} s`;
  return new ConnectionError(`${where} answered ${method} with HTTP ${status}${wait}${end}`, {
    code: 'HTTP_STATUS',
    ...about,
    retryAfterMs,
    hint: failure.redirect?.hint ?? hintFor(status),
  });
}

const wrongPath = 'Check the path of the URL; MCP endpoints often end in /mcp or /sse.';
export const checkPathOfSse = 'Check the path of the URL; SSE endpoints often end in /sse.';
export const proxyWantsToKnow =
  'The proxy wants to know who asks: put the user and the password into its URL, as in http://user:password@proxy:8080.';

const hints: Readonly<Record<number, string>> = {
  404: wrongPath,
  405: wrongPath,
  407: proxyWantsToKnow,
  408: 'The server, or something in front of it, has waited too long; try again later.',
  413: 'The request is too large for the server, or for something in front of it; send less at a time.',
  429: 'The server limits the rate of requests; try again later.',
  503: 'The server is down or too busy, or something in front of it is; try again later.',
};

function hintFor(status: number): string {
  const broken = 'The server, or something in front of it, has a problem; check its logs, or try again later.';
  return hints[status] ?? (status >= 500 ? broken : 'Check that the URL is that of an MCP endpoint.');
}

/** The message of a JSON error, or the first line of a text; never a page of HTML. */
function quoteOf({ body, redirect }: HttpFailure, mask: SecretMask): string {
  if (redirect) return mask(`${redirect.text}.`);
  if (body.trimStart().startsWith('<')) return '';
  // Masked before it is cut: a half of a secret would not be known for one.
  return mask(messageIn(parseJson(body)) ?? body.trim().split('\n', 1)[0] ?? '', longestQuote);
}

function messageIn(body: unknown): string | undefined {
  if (!isObject(body)) return undefined;
  const { error, message } = body;
  const text = isObject(error) ? error['message'] : (error ?? message);
  return typeof text === 'string' ? text : undefined;
}

/** Refusals of a request that may be about its session: the `ping` that follows decides. */
export function mayBeOfSession({ status }: HttpFailure): boolean {
  return [400, 401, 404, 410].includes(status);
}

/** True if a request and a `ping` were refused in the same way. Ids and the method in the messages may differ. */
export function isRefusedLikePing(request: HttpFailure, method: string, ping: HttpFailure): boolean {
  const wordsOf = ({ body }: HttpFailure, about: string) =>
    (messageIn(parseJson(body)) ?? body).replaceAll(about, '').replace(/[\w.-]*\d[\w.-]*/g, '');
  return request.status === ping.status && wordsOf(request, method) === wordsOf(ping, 'ping');
}
