import { base64Of, binaryOf, bytesOf, ConfigurationError, isObject, pointerTokens, quote } from '../../json/index.js';
import { walkSchemas } from '../../json/index.js';
import type { JsonObject } from '../../json/index.js';
import { basicOf, type HttpRequest, isHeaderValue, isSameServer } from '../http-client/http-client.js';
import type { HttpAddress } from '../transport/address.js';
import type { Transport } from '../transport/transport.js';

// All headers of requests to MCP servers: the address's, the token's, the protocol's, and those of single calls.

type Headers = Record<string, string>;

/** The URL without user and password, which become a header, and the headers that the user has given for the server. */
export function readCredentials(address: HttpAddress): { url: URL; addressHeaders: Headers } {
  const url = new URL(address.url);
  const headers = new globalThis.Headers(address.headers);
  const basic = basicOf(url);
  if (basic !== undefined && !headers.has('authorization')) headers.set('authorization', basic);
  url.username = url.password = '';
  return { url, addressHeaders: Object.fromEntries(headers) };
}

/** Adds the address's headers for its own server only; headers of the request win. */
export function withAddressHeaders<R extends Pick<HttpRequest, 'url' | 'headers'>>(
  request: R,
  server: URL,
  addressHeaders: Headers,
): R {
  if (request.url !== server && !isSameServer(server, request.url)) return request;
  return { ...request, headers: { ...addressHeaders, ...request.headers } };
}

export function withToken(request: HttpRequest, authorization: string | undefined): HttpRequest {
  return { ...request, headers: { ...request.headers, ...(authorization !== undefined && { authorization }) } };
}

type AgreedWith = Pick<Transport, 'protocolVersion' | 'sessionId'>;

export function sessionHeaders({ protocolVersion, sessionId }: AgreedWith): Headers {
  return {
    ...(protocolVersion !== undefined && { 'mcp-protocol-version': protocolVersion }),
    ...(sessionId !== undefined && { 'mcp-session-id': sessionId }),
  };
}

export function messageHeaders(transport: AgreedWith, headers: Readonly<Headers> = {}): Headers {
  return Object.assign(sessionHeaders(transport), headers, { 'content-type': 'application/json' });
}

export function streamHeaders(transport: AgreedWith, lastEventId?: string): Headers {
  return {
    ...sessionHeaders(transport),
    accept: 'text/event-stream',
    // As UTF-8 (HTML, 9.2.5): HTTP clients write each character as one byte.
    ...(lastEventId !== undefined && { 'last-event-id': binaryOf(bytesOf(lastEventId)) }),
  };
}

export const revisionKey = 'io.modelcontextprotocol/protocolVersion';

export const nameSources: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/** Repeat parts of a request, so that proxies can route by them (2026-07-28, Standard Request Headers). */
export function mirroredHeaders(method: string, params: JsonObject, envelope: JsonObject): Headers {
  const name = params[nameSources[method] ?? ''];
  return {
    'mcp-protocol-version': String(envelope[revisionKey]),
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': headerText(name) }),
  };
}

/** Text that is no plain header value is sent as marked Base64; so is text that looks as if it were marked. */
function headerText(text: string): string {
  const plain = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
  return plain ? text : `=?base64?${base64Of(bytesOf(text))}?=`;
}

/** Repeat arguments of a call for which the schema has an `x-mcp-header`; those that are absent or null have none. */
export function paramHeaders(schema: unknown, args: JsonObject): Headers {
  const headers: Headers = {};
  for (const { path, header } of readHeaderAnnotations(schema).annotations) {
    const text = scalarText(path.reduce<unknown>((node, key) => (isObject(node) ? node[key] : undefined), args));
    // In lower case, like all others: one that the address has, too, must give way to it.
    if (text !== undefined) headers[`mcp-param-${header.toLowerCase()}`] = headerText(text);
  }
  return headers;
}

function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  return !Number.isInteger(value) || Number.isSafeInteger(value) ? String(value) : undefined;
}

/**
 * Reads the `x-mcp-header` annotations of an input schema (2026-07-28, Streamable HTTP, custom headers from tool
 * parameters). A header name belongs to a property of type string, integer or boolean that is reached through
 * `properties` alone, and no two names may differ only in case. An annotation in any other place makes the tool
 * invalid.
 */
export function readHeaderAnnotations(schema: unknown): {
  /** The names of the properties that lead to the value, and the part after `Mcp-Param-`. */
  annotations: { path: readonly string[]; header: string }[];
  fault?: { message: string; schemaLocation: string };
} {
  const annotations = [];
  const seen = new Map<string, string>();
  for (const { schema: part, location } of walkSchemas(schema, Infinity)) {
    const header = part['x-mcp-header'];
    if (header === undefined) continue;
    const path = propertiesOf(location);
    const message = faultOf(header, part, path) ?? repeated(header as string, location, seen); // a name, or there is a fault
    if (message !== undefined)
      return { annotations: [], fault: { message, schemaLocation: `${location}/x-mcp-header` } };
    annotations.push({ path, header: header as string }); // else there would be a fault
  }
  return { annotations };
}

/** The properties that lead to a schema; empty if anything else leads to it. */
function propertiesOf(location: string): string[] {
  const isReached = /^#(\/properties\/[^/]*)+$/.test(location);
  return isReached ? pointerTokens(location.slice(1)).filter((_, index) => index % 2 === 1) : [];
}

function faultOf(header: unknown, node: JsonObject, path: readonly string[]): string | undefined {
  if (path.length === 0) return 'x-mcp-header is in a place that cannot be reached through properties alone.';
  if (typeof header !== 'string' || !headerName.test(header)) return 'x-mcp-header is not a valid header name.';
  if (['string', 'integer', 'boolean'].includes(node['type'] as string)) return undefined; // whatever it is
  return 'x-mcp-header is on a property whose type is not string, integer or boolean.';
}

/** RFC 9110, 5.6.2. */
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

function repeated(header: string, location: string, seen: Map<string, string>): string | undefined {
  const earlier = seen.get(header.toLowerCase());
  seen.set(header.toLowerCase(), location);
  return earlier && `x-mcp-header names the same header as ${earlier}.`;
}

/**
 * Headers that a caller gives one call, in lower case.
 *
 * @throws TypeError naming one that is HTTP's or the protocol's own, or that no header may look like
 */
export function callHeaders(given: Readonly<Record<string, unknown>> = {}): Headers {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const lower = name.toLowerCase();
      if (!headerName.test(lower) || lower === '__proto__')
        throw new ConfigurationError(`${quote(name)} is no name of a header.`);
      if (reserved.has(lower) || lower.startsWith('mcp-'))
        throw new ConfigurationError(`The header ${quote(name)} is set by the protocol and cannot be set for a call.`);
      // The value is not quoted: it may be a secret.
      if (typeof value !== 'string' || !isHeaderValue(value))
        throw new ConfigurationError(`The value of the header ${quote(name)} is not text that a header can carry.`);
      return [lower, value];
    }),
  );
}

const reserved: ReadonlySet<string> = new Set([
  ...['accept', 'connection', 'content-length', 'content-type', 'expect', 'host', 'keep-alive'],
  ...['last-event-id', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
]);
