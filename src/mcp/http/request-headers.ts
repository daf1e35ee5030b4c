import type { JsonObject } from '../../json/index.js';

/** Names the revision in the envelope of a request. */
export const revisionKey = 'io.modelcontextprotocol/protocolVersion';

/** Which argument of a request its header repeats. */
const nameSources: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/**
 * The headers that repeat what a request says, so that proxies can route by them (2026-07-28, Streamable HTTP, Standard
 * Request Headers).
 */
export function requestHeaders(method: string, params: JsonObject, envelope: JsonObject): Record<string, string> {
  const name = params[nameSources[method] ?? ''];
  return {
    'mcp-protocol-version': String(envelope[revisionKey]),
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': headerText(name) }),
  };
}

/** Text that is no plain header value travels as Base64, marked; so does text that looks as if it were marked. */
export function headerText(text: string): string {
  const plain = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
  return plain ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}
