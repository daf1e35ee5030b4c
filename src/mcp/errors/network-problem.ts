import { valueAt } from '../../json/index.js';
import type { ConnectionError } from './errors.js';
import { NoTunnel } from './failures.js';
import { proxyWantsToKnow } from './http-problem.js';
import { connectionLost, unreachable } from './wire-problem.js';

/** Codes of the operating system, of TLS, and of the HTTP client behind `fetch`: the first that fits counts. */
const problems: readonly (readonly [code: RegExp, what: string, hint: string])[] = [
  [/^ENOTFOUND$/, 'its host name does not resolve', 'Check the host name of the URL.'],
  [/^EAI_AGAIN$/, 'its host name could not be resolved', 'Check the host name and the DNS of this machine.'],
  [/^ECONNREFUSED$/, 'nothing listens there', 'Start the server, or check host and port of the URL.'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'it closed the connection', 'Try again, or check its logs and its proxy.'],
  [/^(EHOSTUNREACH|ENETUNREACH)$/, 'its host or network cannot be reached', 'Check the network of this machine.'],
  [/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, 'connecting took too long', 'Check host, port and firewall.'],
  [/^UND_ERR_(HEADERS|BODY)_TIMEOUT$/, 'it did not answer in time', 'The server may be stuck; check its logs.'],
  [
    /^(EPROTO|ERR_SSL_(WRONG|PACKET)_.+)$/,
    'it does not speak TLS',
    'Use http:// instead of https:// if the server has no TLS.',
  ],
  [
    /^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
    'its TLS certificate is for another host name',
    "Find the name in the certificate's subject alternative names, and use that name in the URL.",
  ],
  [/^CERT_HAS_EXPIRED$/, 'its TLS certificate has expired', "Have it renewed, or check this machine's clock."],
  [
    /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS_|ERR_SSL_)/,
    'its TLS certificate is not trusted',
    'Have the certificate signed by a known authority, or add its authority with NODE_EXTRA_CA_CERTS.',
  ],
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
