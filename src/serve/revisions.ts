import type { IncomingHttpHeaders } from 'node:http';
import { filtered, isObject, memberText, withMember, type JsonObject } from '../json/index.js';
import { handshakeRevisions, type Message, nameSources, revisionKey, statelessRevision } from '../mcp/index.js';
import { codes, Refusal } from './errors.js';
import { loggedName } from './log.js';

export interface Identity {
  /** True for 2026-07-28, with an envelope in each request; false for the revisions with a handshake. */
  readonly isStateless: boolean;
  readonly clientInfo: { name: string; version: string };
  readonly capabilities: JsonObject;
  readonly offering?: string | undefined;
  /** The params of the handshake, as the client wrote them. */
  readonly written?: string | undefined;
}

const prefix = 'io.modelcontextprotocol/';
export const capabilitiesKey = `${prefix}clientCapabilities`;
export const clientInfoKey = `${prefix}clientInfo`;
const envelopeKeys: readonly string[] = [revisionKey, clientInfoKey, capabilitiesKey, `${prefix}logLevel`];

export function identityInHandshake(
  { protocolVersion, clientInfo, capabilities }: JsonObject,
  written: string | undefined,
): Identity {
  const info = isObject(clientInfo) ? clientInfo : {};
  const textOr = (usual: string, value: unknown) => (typeof value === 'string' ? value : usual);
  return {
    isStateless: false,
    clientInfo: { ...info, name: textOr('unknown', info['name']), version: textOr('0', info['version']) },
    capabilities: isObject(capabilities) ? capabilities : {},
    offering: handshakeRevisions.find((revision) => revision === protocolVersion),
    written,
  };
}

/** The client's name and version, for the log. */
export function clientTitle(info: unknown): string {
  const { name, version } = isObject(info) ? info : {};
  return loggedName([name, version].filter((part) => typeof part === 'string').join(' ') || 'unknown', 80);
}

/** The `_meta` of a request: its parts for this connection (of 2026-07-28, the envelope), and the rest, to be passed on. */
export function metaIn({ _meta }: JsonObject) {
  if (!isObject(_meta)) return { envelope: undefined, rest: {} };
  const meta = filtered(_meta, (key) => key !== 'progressToken');
  const part = (isOfEnvelope: boolean) => filtered(meta, (key) => envelopeKeys.includes(key) === isOfEnvelope);
  return { envelope: revisionKey in meta ? part(true) : undefined, rest: part(false) };
}

export function envelopeProblem(envelope: JsonObject): string | undefined {
  const { [revisionKey]: revision, [capabilitiesKey]: capabilities, [clientInfoKey]: info } = envelope;
  if (typeof revision !== 'string') return `${revisionKey} must be a string`;
  if (!isObject(capabilities)) return `${capabilitiesKey} must be an object`;
  if (info !== undefined && !(isObject(info) && typeof info['name'] === 'string'))
    return `${clientInfoKey} must be an object with a name`;
  return undefined;
}

/** Results that clients may cache in 2026-07-28, and so have to say for how long. */
const cacheable = /^(?:(?:tools|prompts|resources|resources\/templates)\/list|resources\/read|server\/discover)$/;

/** A result with the members that 2026-07-28 requires. Those that are there already stay as they are. */
export function statelessResult(method: string, resultText: string): string {
  const required: [string, string][] = [['resultType', '"complete"']];
  if (cacheable.test(method)) required.unshift(['cacheScope', '"private"'], ['ttlMs', '0']);
  const missing = required.filter(([name]) => memberText(resultText, [name]) === undefined);
  return missing.reduce((text, [name, value]) => withMember(text, [name], value), resultText);
}

export interface Introduction {
  /** As JSON text, like `serverInfo`. */
  readonly capabilities: string;
  readonly serverInfo: string;
  readonly instructions: string | undefined;
}

export const serverInfoKey = `${prefix}serverInfo`;

/** The result of `initialize` or `server/discover`. */
export function introductionText({ capabilities, serverInfo, instructions }: Introduction, identity: Identity): string {
  const { isStateless, offering = handshakeRevisions[0] } = identity;
  const agreed = isStateless ? { supportedVersions: [statelessRevision] } : { protocolVersion: offering };
  const result = withMember(JSON.stringify({ ...agreed, instructions }), ['capabilities'], capabilities);
  return withMember(result, isStateless ? ['_meta', serverInfoKey] : ['serverInfo'], serverInfo);
}

export function inSubscription(idText: string, paramsText = '{}'): string {
  return withMember(paramsText, ['_meta', `${prefix}subscriptionId`], idText);
}

/** True if a message is of a revision without a handshake, by its envelope or else by the header. */
export function isStateless(message: Message, headers: IncomingHttpHeaders): boolean {
  if (!('params' in message)) return false;
  const { envelope } = metaIn(message.params);
  if (!envelope) return isRecent(headers['mcp-protocol-version']);
  return (
    message.method !== 'initialize' || (isRecent(envelope[revisionKey]) && envelopeProblem(envelope) === undefined)
  );
}

/** Compares a request with the headers that repeat its parts (2026-07-28, Streamable HTTP). */
export function headerProblem(
  { method, params }: Extract<Message, { kind: 'request' }>,
  headers: IncomingHttpHeaders,
): Refusal | undefined {
  const { envelope } = metaIn(params);
  const mismatch = (what: string) =>
    new Refusal(codes.headerMismatch, `Bad Request: the request headers and body disagree: ${what}`);
  if (envelope === undefined) {
    if (method === 'initialize') return mismatch('initialize is of revisions with a handshake');
    const missing = isObject(params['_meta']) ? revisionKey : '_meta';
    const data = JSON.stringify({ envelope: { missing: [missing] } });
    return new Refusal(codes.invalidParams, `Invalid params: the request has no ${missing}.`, { data });
  }
  const problem = envelopeProblem(envelope);
  if (problem !== undefined) return new Refusal(codes.invalidParams, `Invalid _meta envelope: ${problem}`);
  const { [revisionKey]: revision } = envelope;
  const name = params[nameSources[method] ?? ''];
  const repeated = { 'mcp-protocol-version': revision, 'mcp-method': method, 'mcp-name': name };
  for (const [header, value] of Object.entries(repeated)) {
    if (typeof value !== 'string') continue;
    const given = header in headers ? decoded(String(headers[header]).trim()) : undefined;
    if (given !== undefined && given !== value) return mismatch(`${header} is not ${JSON.stringify(value)}`);
    if (header === 'mcp-protocol-version' && revision !== statelessRevision)
      return new Refusal(codes.unsupportedRevision, `Unsupported protocol version: ${value}`, {
        data: JSON.stringify({ supported: [statelessRevision], requested: revision }),
      });
    if (given === undefined) return mismatch(`${header} is missing`);
  }
  return undefined;
}

function isRecent(revision: unknown): boolean {
  return typeof revision === 'string' && /^\d{4}-\d\d-\d\d$/.test(revision) && revision >= statelessRevision;
}

function decoded(value: string): string {
  const [, base64] = /^=\?base64\?(.*)\?=$/.exec(value) ?? [];
  return base64 === undefined ? value : Buffer.from(base64, 'base64').toString('utf8');
}
