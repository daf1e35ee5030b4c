import type { IncomingHttpHeaders } from 'node:http';
import { isObject } from '../../json/index.js';
import { nameSources, revisionKey, statelessRevision, type Message } from '../../mcp/index.js';
import { codes, Refusal } from '../errors.js';
import { envelopeProblem, metaIn } from '../revisions.js';

/** Whether messages are of revisions without a handshake: by their envelope, or without one by the header. */
export function isStateless(messages: readonly Message[], headers: IncomingHttpHeaders): boolean {
  return messages.some((message) => {
    if (!('params' in message)) return false;
    const { envelope } = metaIn(message.params);
    const isHandshake = message.kind === 'request' && message.method === 'initialize';
    if (!envelope) return isRecent(headers['mcp-protocol-version']);
    return !isHandshake || (isRecent(envelope[revisionKey]) && envelopeProblem(envelope) === undefined);
  });
}

/** What is wrong with a message and the headers that repeat parts of it (2026-07-28, Streamable HTTP). */
export function headerProblem(message: Message, headers: IncomingHttpHeaders): Refusal | undefined {
  if (message.kind !== 'request' && message.kind !== 'notification') return undefined;
  const isRequest = message.kind === 'request';
  const { method, params } = message;
  const { envelope } = metaIn(params);
  const mismatch = (what: string) =>
    new Refusal(codes.headerMismatch, `Bad Request: the request headers and body disagree: ${what}`);
  if (envelope === undefined) {
    if (method === 'initialize') return mismatch('initialize is of revisions with a handshake');
    if (!isRequest) return undefined;
    const missing = isObject(params['_meta']) ? revisionKey : '_meta';
    const data = { envelope: { missing: [missing] } };
    return new Refusal(codes.invalidParams, `Invalid params: the request has no ${missing}.`, data);
  }
  const problem = envelopeProblem(envelope);
  if (isRequest && problem !== undefined) return new Refusal(codes.invalidParams, `Invalid _meta envelope: ${problem}`);
  const { [revisionKey]: revision } = envelope;
  const { 'mcp-protocol-version': named, 'mcp-method': givenMethod, 'mcp-name': givenName } = headers;
  if (named !== undefined && named !== revision) return mismatch('MCP-Protocol-Version is another revision');
  if (givenMethod !== undefined && String(givenMethod).trim() !== method)
    return mismatch(`Mcp-Method is not ${method}`);
  if (revision !== statelessRevision)
    return new Refusal(codes.unsupportedRevision, `Unsupported protocol version: ${String(revision)}`, {
      supported: [statelessRevision],
      requested: revision,
    });
  if (!isRequest) return undefined;
  if (named === undefined) return mismatch('MCP-Protocol-Version is missing');
  if (givenMethod === undefined) return mismatch('Mcp-Method is missing');
  const name = params[nameSources[method] ?? ''];
  if (typeof name !== 'string') return undefined;
  if (givenName === undefined) return mismatch('Mcp-Name is missing');
  return decoded(String(givenName).trim()) === name ? undefined : mismatch(`Mcp-Name is not ${JSON.stringify(name)}`);
}

function isRecent(revision: unknown): boolean {
  return typeof revision === 'string' && /^\d{4}-\d\d-\d\d$/.test(revision) && revision >= statelessRevision;
}

/** A header's value, which is in Base64 where it would not be plain text. */
function decoded(value: string): string {
  const [, base64] = /^=\?base64\?(.*)\?=$/.exec(value) ?? [];
  return base64 === undefined ? value : Buffer.from(base64, 'base64').toString('utf8');
}
