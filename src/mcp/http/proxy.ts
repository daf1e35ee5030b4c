import { request as httpRequest } from 'node:http';
import { Agent, request as httpsRequest, type AgentOptions, type RequestOptions } from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as tlsConnect } from 'node:tls';

export interface Proxy {
  url: URL;
  /** For the header Proxy-Authorization. */
  authorization?: string;
}

/**
 * The proxy for a URL, as the environment says: HTTP_PROXY for http, HTTPS_PROXY for https, none for what NO_PROXY names;
 * in small letters, too, which go first. What is on this machine is never asked of a proxy.
 */
export function proxyFor(url: URL, environment: NodeJS.ProcessEnv = process.env): Proxy | undefined {
  const name = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const text = (environment[name] ?? environment[name.toUpperCase()] ?? '').trim();
  if (text === '' || isLoopback(url.hostname)) return undefined;
  if (isExcluded(url, environment['no_proxy'] ?? environment['NO_PROXY'] ?? '')) return undefined;
  const proxy = new URL(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  if (proxy.protocol !== 'http:' && proxy.protocol !== 'https:') {
    throw new Error(
      `the proxy in ${name.toUpperCase()} has the scheme ${proxy.protocol.slice(0, -1)}; only http and https are supported`,
    );
  }
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const authorization =
    credentials === ':' ? undefined : `Basic ${Buffer.from(credentials, 'utf8').toString('base64')}`;
  proxy.username = proxy.password = '';
  return { url: proxy, ...(authorization !== undefined && { authorization }) };
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.[\d.]+$/.test(hostname)
  );
}

/** `*`, a host, a domain for all that ends in it, with or without a port; separated by commas or spaces. */
function isExcluded({ hostname, port, protocol }: URL, list: string): boolean {
  const effectivePort = port || (protocol === 'https:' ? '443' : '80');
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const [, host = '', wantedPort] =
        /^(.*?)(?::(\d+))?$/.exec(entry.startsWith('[') || isIP(entry) !== 6 ? entry : `[${entry}]`) ?? [];
      if (wantedPort !== undefined && wantedPort !== effectivePort) return false;
      const domain = host.replace(/^\*?\./, '');
      return hostname === domain || (isIP(domain) === 0 && hostname.endsWith(`.${domain}`));
    });
}

/** How long a proxy may take to open a tunnel. */
const tunnelMs = 60_000;

/** Reaches https servers through a proxy, which only sees where they are (RFC 9110, 9.3.6, CONNECT). */
export class TunnelAgent extends Agent {
  readonly #proxy: URL;
  readonly #authorization: string | undefined;

  constructor(proxy: URL, authorization: string | undefined, options: AgentOptions) {
    super(options);
    this.#proxy = proxy;
    this.#authorization = authorization;
  }

  override createConnection(
    options: RequestOptions,
    done: (error: Error | null, socket: Duplex) => void,
  ): Duplex | null | undefined {
    const host = options.host ?? '';
    const target = `${isIP(host) === 6 ? `[${host}]` : host}:${options.port ?? 443}`;
    const fail = (error: Error) => {
      (done as (error: Error) => void)(error); // Node hands on no socket with an error
    };
    const connecting = (this.#proxy.protocol === 'https:' ? httpsRequest : httpRequest)({
      hostname: this.#proxy.hostname.replace(/^\[|\]$/g, ''),
      port: this.#proxy.port || (this.#proxy.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path: target,
      headers: {
        host: target,
        ...(this.#authorization !== undefined && { 'proxy-authorization': this.#authorization }),
      },
      agent: false,
    });
    connecting.once('connect', ({ statusCode }, socket: Socket) => {
      if (statusCode === 200) {
        done(null, tlsConnect({ ...(options as object), socket, servername: options.servername ?? host })); // Node's own options of the request
        return;
      }
      socket.destroy();
      fail(new Error(`the proxy ${this.#proxy.host} answered HTTP ${statusCode ?? 0}`));
    });
    connecting.once('error', fail);
    connecting.setTimeout(tunnelMs, () => {
      connecting.destroy(new Error(`the proxy ${this.#proxy.host} did not answer`));
    });
    connecting.end();
    return undefined;
  }
}
