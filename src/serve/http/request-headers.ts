import type { IncomingHttpHeaders } from 'node:http';
import { isObject } from '../../json/index.js';
import { nameSources, revisionKey, statelessRevision, type Message } from '../../mcp/index.js';
import { codes, Refusal } from '../answers.js';
import { envelopeProblem, metaIn } from '../revisions.js';

/** Whether messages are of revisions without a handshake: by their envelope, or what has none by its header. */
export function isOfEnvelopes(messages: readonly Message[], headers: IncomingHttpHeaders): boolean {
  return messages.some((message) => {
    if (!('params' in message)) return false;
    const { envelope } = metaIn(message.params);
    const isHandshake = message.kind === 'request' && message.method === 'initialize';
    if (envelope) return !isHandshake || (isRecent(envelope[revisionKey]) && envelopeProblem(envelope) === undefined);
    return isRecent(headers['mcp-protocol-version']);
  });
}

/** What of a message its headers do not repeat rightly (2026-07-28, Streamable HTTP); undefined where all is well. */
export function headerProblem(message: Message, headers: IncomingHttpHeaders): Refusal | undefined {
  if (message.kind !== 'request' && message.kind !== 'notification') return undefined;
  const { method, params } = message;
  const { envelope } = metaIn(params);
  const named = headers['mcp-protocol-version'];
  const mismatch = (what: string) =>
    new Refusal(codes.headerMismatch, `Bad Request: the request headers and body disagree: ${what}`);
  if (envelope === undefined) {
    if (method === 'initialize') return mismatch('initialize is of revisions with a handshake');
    if (message.kind === 'notification') return undefined;
    const missing = isObject(params['_meta']) ? revisionKey : '_meta';
    return new Refusal(codes.invalidParams, `Invalid params: the request has no ${missing}.`, {
      envelope: { missing: [missing] },
    });
  }
  const problem = envelopeProblem(envelope);
  if (message.kind === 'request' && problem !== undefined)
    return new Refusal(codes.invalidParams, `Invalid _meta envelope: ${problem}`);
  const revision = envelope[revisionKey];
  if (named !== undefined && named !== revision) return mismatch('MCP-Protocol-Version is another revision');
  if (headers['mcp-method'] !== undefined && one(headers['mcp-method']).trim() !== method)
    return mismatch(`Mcp-Method is not ${method}`);
  if (revision !== statelessRevision)
    return new Refusal(codes.unsupportedRevision, `Unsupported protocol version: ${String(revision)}`, {
      supported: [statelessRevision],
      requested: revision,
    });
  if (message.kind === 'notification') return undefined;
  if (named === undefined) return mismatch('MCP-Protocol-Version is missing');
  if (headers['mcp-method'] === undefined) return mismatch('Mcp-Method is missing');
  const name = params[nameSources[method] ?? ''];
  const given = headers['mcp-name'];
  if (typeof name !== 'string') return undefined;
  if (given === undefined) return mismatch('Mcp-Name is missing');
  return decoded(one(given).trim()) === name ? undefined : mismatch(`Mcp-Name is not ${JSON.stringify(name)}`);
}

function isRecent(revision: unknown): boolean {
  return typeof revision === 'string' && /^\d{4}-\d\d-\d\d$/.test(revision) && revision >= statelessRevision;
}

/** What a header says that could not say it in plain text. */
function decoded(value: string): string {
  const [, base64] = /^=\?base64\?(.*)\?=$/.exec(value) ?? [];
  return base64 === undefined ? value : Buffer.from(base64, 'base64').toString('utf8');
}

function one(header: string | string[]): string {
  return Array.isArray(header) ? (header[0] ?? '') : header;
}
