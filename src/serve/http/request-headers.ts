import type { IncomingHttpHeaders } from 'node:http';
import { isObject } from '../../json/index.js';
import { nameSources, revisionKey, statelessRevision, type Message } from '../../mcp/index.js';
import { codes, Refusal } from '../errors.js';
import { envelopeProblem, metaIn } from '../revisions.js';

/** Whether a message is of a revision without a handshake: by its envelope, or without one by the header. */
export function isStateless(message: Message, headers: IncomingHttpHeaders): boolean {
  if (!('params' in message)) return false;
  const { envelope } = metaIn(message.params);
  if (!envelope) return isRecent(headers['mcp-protocol-version']);
  return (
    message.method !== 'initialize' || (isRecent(envelope[revisionKey]) && envelopeProblem(envelope) === undefined)
  );
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
  const name = isRequest ? params[nameSources[method] ?? ''] : undefined;
  const repeated = { 'mcp-protocol-version': revision, 'mcp-method': method, 'mcp-name': name };
  for (const [header, value] of Object.entries(repeated)) {
    if (typeof value !== 'string') continue;
    const given = header in headers ? decoded(String(headers[header]).trim()) : undefined;
    if (given !== undefined && given !== value) return mismatch(`${header} is not ${JSON.stringify(value)}`);
    if (header === 'mcp-protocol-version' && revision !== statelessRevision)
      return new Refusal(codes.unsupportedRevision, `Unsupported protocol version: ${value}`, {
        supported: [statelessRevision],
        requested: revision,
      });
    if (isRequest && given === undefined) return mismatch(`${header} is missing`);
  }
  return undefined;
}

function isRecent(revision: unknown): boolean {
  return typeof revision === 'string' && /^\d{4}-\d\d-\d\d$/.test(revision) && revision >= statelessRevision;
}

/** A header's value, which is in Base64 where it would not be plain text. */
function decoded(value: string): string {
  const [, base64] = /^=\?base64\?(.*)\?=$/.exec(value) ?? [];
  return base64 === undefined ? value : Buffer.from(base64, 'base64').toString('utf8');
}
