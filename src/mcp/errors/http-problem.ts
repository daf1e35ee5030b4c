import { isObject, parseJson, valueAt } from '../../json/index.js';
import type { SecretMask } from '../../secrets/index.js';
import { AuthorizationError, ConnectionError, type McpError } from './errors.js';
import { type HttpFailure, NoTunnel } from './failures.js';
import { connectionLost, unreachable } from './wire-problem.js';

/** Characters of a server's own text in a message. */
export const longestQuote = 400;

export function statusProblem(failure: HttpFailure, method: string, where: string, mask: SecretMask): McpError {
  const { status } = failure;
  const text = quoteOf(failure, mask);
  const end = text ? ':' : '.';
  const about = { status, ...(text && { details: text }) };
  if (status === 403) {
    // Servers on this machine reject other names for it in this way, too.
    const hint = text
      ? 'If that is about the credential, ask for the missing permission or scope.'
      : 'The credential is known but does not allow this; ask for the missing permission or scope.';
    const title = `${where} denied access (HTTP 403) to ${method}${end}`;
    return new AuthorizationError(title, { code: 'FORBIDDEN', ...about, hint });
  }
  const { retryAfterMs } = failure;
  const wait = retryAfterMs === undefined ? '' : ` and asks to wait ${Math.ceil(retryAfterMs / 1000)} s`;
  const title = `${where} answered ${method} with HTTP ${status}${wait}${end}`;
  const hint = failure.redirect?.hint ?? hintFor(status);
  return new ConnectionError(title, { code: 'HTTP_STATUS', ...about, retryAfterMs, hint });
}

const wrongPath = 'Check the path of the URL; MCP endpoints often end in /mcp or /sse.';
export const checkPathOfSse = 'Check the path of the URL; SSE endpoints often end in /sse.';
const proxyWantsToKnow =
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

const useHttp = 'Use http:// instead of https:// if the server has no TLS.';
const findName = "Find the name in the certificate's subject alternative names, and use that name in the URL.";
const haveItSigned = 'Have the certificate signed by a known authority, or add its authority with NODE_EXTRA_CA_CERTS.';

/** Codes of the operating system, of TLS, and of the HTTP client behind `fetch`: the first that fits counts. */
const problems: readonly (readonly [code: RegExp, what: string, hint: string])[] = [
  [/^ENOTFOUND$/, 'its host name does not resolve', 'Check the host name of the URL.'],
  [/^EAI_AGAIN$/, 'its host name could not be resolved', 'Check the host name and the DNS of this machine.'],
  [/^ECONNREFUSED$/, 'nothing listens there', 'Start the server, or check host and port of the URL.'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'it closed the connection', 'Try again, or check its logs and its proxy.'],
  [/^(EHOSTUNREACH|ENETUNREACH)$/, 'its host or network cannot be reached', 'Check the network of this machine.'],
  [/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, 'connecting took too long', 'Check host, port and firewall.'],
  [/^UND_ERR_(HEADERS|BODY)_TIMEOUT$/, 'it did not answer in time', 'The server may be stuck; check its logs.'],
  [/^(EPROTO|ERR_SSL_(WRONG|PACKET)_.+)$/, 'it does not speak TLS', useHttp],
  [/^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/, 'its TLS certificate is for another host name', findName],
  [/^CERT_HAS_EXPIRED$/, 'its TLS certificate has expired', "Have it renewed, or check this machine's clock."],
  [/^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS_|ERR_SSL_)/, 'its TLS certificate is not trusted', haveItSigned],
];

const system = /^(E[A-Z0-9]+|EAI_[A-Z]+|UND_ERR_[A-Z_]+)$/;
const tls = /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS_|ERR_SSL_|HOSTNAME_MISMATCH)/;

/** There was no connection, so that nothing has reached the server. */
const beforeSending = /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|EPROTO)$/;

/**
 * The error for a failure of `fetch`, undefined for any other error. @param method undefined until there is a session
 */
export function networkProblem(error: unknown, where: string, method?: string): ConnectionError | undefined {
  const code = codeIn(error);
  const proxy = proxyIn(error);
  if (proxy !== undefined && error instanceof NoTunnel) {
    const problem = code === undefined ? error.message : `${problemOf(code)[0]} (${code})`;
    return unreachableThrough(proxy, where, problem, error.status === 407 ? proxyWantsToKnow : undefined);
  }
  if (code === undefined) return undefined;
  const [what, hint] = problemOf(code);
  // TLS is the server's within a tunnel. One at http:// has none, so that it is the proxy's.
  const isTls = code === 'EPROTO' || tls.test(code);
  if (proxy !== undefined && (isTls ? where.startsWith('http:') : beforeSending.test(code)))
    return unreachableThrough(proxy, where, `${what} (${code})`);
  if (method === undefined || beforeSending.test(code) || tls.test(code))
    return unreachable(`${where} cannot be reached: ${what} (${code}).`, hint);
  return connectionLost(`The connection to ${where} was lost during ${method}: ${what} (${code}).`, hint);
}

function unreachableThrough(proxy: string, where: string, problem: string, hint = checkProxy): ConnectionError {
  return unreachable(`${where} cannot be reached through the proxy ${proxy}: ${problem}.`, hint);
}

const checkProxy = 'Check the proxy that HTTP_PROXY, HTTPS_PROXY or ALL_PROXY names, or put the host into NO_PROXY.';

function problemOf(code: string): [what: string, hint: string] {
  const [, what, hint] = problems.find(([codes]) => codes.test(code)) ?? [];
  return [what ?? `the network failed with ${code}`, hint ?? 'Check the URL and the network.'];
}

function proxyIn(error: unknown): string | undefined {
  const proxy = valueAt(error, '/proxy') ?? valueAt(error, '/cause/proxy');
  return typeof proxy === 'string' ? proxy : undefined;
}

/** The system's error code, however deep it is wrapped: fetch puts it into `cause`, several addresses into `errors`. */
function codeIn(error: unknown, depth = 0): string | undefined {
  if (typeof error !== 'object' || error === null || depth > 5) return undefined;
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown }; // each is checked
  if (typeof code === 'string' && (system.test(code) || tls.test(code))) return code;
  return codeIn(cause, depth + 1) ?? (Array.isArray(errors) ? codeIn(errors[0], depth + 1) : undefined);
}
