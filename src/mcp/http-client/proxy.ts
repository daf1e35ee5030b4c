import { request as httpRequest, type ClientRequest } from 'node:http';
import { Agent, request as httpsRequest, type AgentOptions, type RequestOptions } from 'node:https';
import { BlockList, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as tlsConnect } from 'node:tls';
import { NoTunnel } from '../errors/failures.js';
import { basicOf } from './http-client.js';
import { networkOf } from './private-network.js';

export interface Proxy {
  url: URL;
  authorization?: string | undefined;
}

/** The proxy of the environment; names in small letters win. @throws Error if it does not speak HTTP */
export function proxyFor(url: URL, environment: NodeJS.ProcessEnv = process.env): Proxy | undefined {
  // Before the environment, which takes as long to read as all else that is done with a request here.
  if (networkOf(url.hostname) === 'this machine') return undefined;
  const names = [url.protocol === 'https:' ? 'https_proxy' : 'http_proxy', 'all_proxy'];
  const set = names.flatMap((name) => [name, name.toUpperCase()]).find((name) => environment[name] !== undefined) ?? '';
  const text = environment[set]?.trim() ?? '';
  if (text === '' || isExcluded(url, environment['no_proxy'] ?? environment['NO_PROXY'] ?? '')) return undefined;
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(address)) throw new Error(`${set} is not the URL of a proxy`);
  const proxy = new URL(address);
  if (proxy.protocol !== 'http:' && proxy.protocol !== 'https:') {
    const named = `${set} names ${proxy.protocol}//${proxy.host}, but only http and https proxies are supported, not SOCKS`;
    throw new Error(`${named}. Name an HTTP proxy, or put ${url.hostname} into NO_PROXY`);
  }
  const authorization = basicOf(proxy);
  proxy.username = proxy.password = '';
  return { url: proxy, authorization };
}

/** The list's entries, each with or without a port: `*`, a domain, an address, or a range of them (`10.0.0.0/8`). */
function isExcluded({ hostname, port, protocol }: URL, list: string): boolean {
  const host = withoutBrackets(hostname).replace(/\.$/, '');
  const effectivePort = port || (protocol === 'https:' ? '443' : '80');
  const entries = list.toLowerCase().split(/[\s,]+/);
  return entries.some((entry) => {
    const [, name = '', wantedPort = effectivePort] =
      isIP(entry) === 6 ? [entry, entry] : (/^(.*?)(?::(\d+))?$/.exec(entry) ?? []);
    if (wantedPort !== effectivePort) return false;
    return name === '*' || (isIP(host) > 0 ? holdsAddress(name, host) : isWithin(name, host));
  });
}

function isWithin(name: string, host: string): boolean {
  const domain = name.replace(/^\*?\./, '').replace(/\.$/, '');
  return host === domain || host.endsWith(`.${domain}`);
}

function holdsAddress(name: string, address: string): boolean {
  const [network = '', bits] = name.split('/').map(withoutBrackets);
  const [family, most] = isIP(network) === 6 ? (['ipv6', '128'] as const) : (['ipv4', '32'] as const);
  const range = new BlockList();
  try {
    range.addSubnet(network, Number(bits === '' ? NaN : (bits ?? most)), family);
  } catch {
    return false; // no range of addresses
  }
  return range.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

export function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

/** A request to the server or proxy at this URL, whose certificate is for its own name. */
export function requestTo({ protocol, hostname, port }: URL, options: RequestOptions): ClientRequest {
  const host = withoutBrackets(hostname);
  const place = { protocol, hostname: host, port, servername: isIP(host) > 0 ? '' : host };
  return (protocol === 'https:' ? httpsRequest : httpRequest)({ ...options, ...place });
}

/** Reaches https servers through a proxy, which sees only their host and port (RFC 9110, 9.3.6, CONNECT). */
export function tunnelAgent({ url, authorization }: Proxy, options: AgentOptions): Agent {
  return Object.assign(new Agent(options), { createConnection });

  function createConnection(
    wanted: RequestOptions & { given?: AbortSignal },
    done: (error: Error | null, socket?: Duplex) => void,
  ): void {
    const host = wanted.host ?? '';
    const target = `${isIP(host) === 6 ? `[${host}]` : host}:${wanted.port ?? 443}`;
    const headers = { host: target, ...(authorization !== undefined && { 'proxy-authorization': authorization }) };
    const connecting = requestTo(url, { method: 'CONNECT', path: target, headers, agent: false });
    connecting.once('connect', ({ statusCode }, socket: Socket) => {
      if (statusCode === 200) {
        done(null, tlsConnect({ ...(wanted as object), socket, servername: wanted.servername ?? host })); // Node's own options of the request
        return;
      }
      socket.destroy();
      done(new NoTunnel(`it answered HTTP ${statusCode ?? 0}`, { status: statusCode }));
    });
    connecting.once('error', (cause) => done(new NoTunnel(cause.message, { cause })));
    const giveUp = () => connecting.destroy();
    wanted.given?.addEventListener('abort', giveUp);
    connecting.once('close', () => wanted.given?.removeEventListener('abort', giveUp));
    connecting.end();
  }
}
