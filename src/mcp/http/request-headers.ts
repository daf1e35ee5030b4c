import { base64Of, bytesOf, quote, type JsonObject } from '../../json/index.js';
import { isHeaderValue } from '../http-client/http-client.js';

/** Names the revision in the envelope of a request. */
export const revisionKey = 'io.modelcontextprotocol/protocolVersion';

/** The parameter that a request's header repeats. */
export const nameSources: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

/** Repeat parts of a request, so that proxies can route by them (2026-07-28, Standard Request Headers). */
export function requestHeaders(method: string, params: JsonObject, envelope: JsonObject): Record<string, string> {
  const name = params[nameSources[method] ?? ''];
  return {
    'mcp-protocol-version': String(envelope[revisionKey]),
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': headerText(name) }),
  };
}

/** Text that is no plain header value is sent as marked Base64; so is text that looks as if it were marked. */
export function headerText(text: string): string {
  const plain = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
  return plain ? text : `=?base64?${base64Of(bytesOf(text))}?=`;
}

/**
 * Headers that a caller gives one call, in lower case.
 *
 * @throws TypeError naming one that is HTTP's or the protocol's own, or that no header may look like
 */
export function callHeaders(given?: Readonly<Record<string, unknown>>): Record<string, string> {
  if (!given) return {};
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const lower = name.toLowerCase();
      if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(lower) || lower === '__proto__')
        throw new TypeError(`${quote(name)} is no name of a header.`);
      if (reserved.has(lower) || lower.startsWith('mcp-')) {
        throw new TypeError(`The header ${quote(name)} is set by the protocol and cannot be set for a call.`);
      }
      // The value is not quoted: it may be a secret.
      if (typeof value !== 'string' || !isHeaderValue(value)) {
        throw new TypeError(`The value of the header ${quote(name)} is not text that a header can carry.`);
      }
      return [lower, value];
    }),
  );
}

const reserved: ReadonlySet<string> = new Set([
  ...['accept', 'connection', 'content-length', 'content-type', 'expect', 'host', 'keep-alive'],
  ...['last-event-id', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
]);
