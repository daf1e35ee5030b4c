import { isObject, memberText, withMember, type JsonObject } from '../json/index.js';
import { handshakeRevisions, revisionKey, statelessRevision, type RequestId } from '../mcp/index.js';

/** How a client speaks: with a handshake (2024-11-05 to 2025-11-25), or with an envelope in each request (2026-07-28). */
export type Era = 'handshake' | 'stateless';

/** Who is in front, as far as servers are told. */
export interface Identity {
  readonly era: Era;
  readonly clientInfo: { name: string; version: string };
  readonly capabilities: JsonObject;
  /** The revision that a client asks for in its handshake. */
  readonly offering?: string | undefined;
}

const prefix = 'io.modelcontextprotocol/';
const keys = {
  clientInfo: `${prefix}clientInfo`,
  capabilities: `${prefix}clientCapabilities`,
  logLevel: `${prefix}logLevel`,
  serverInfo: `${prefix}serverInfo`,
  subscription: `${prefix}subscriptionId`,
};
const ofEnvelope: readonly string[] = [revisionKey, keys.clientInfo, keys.capabilities, keys.logLevel];

/** The client of a handshake. Whatever else it says of itself goes along. */
export function identityInHandshake({ protocolVersion, clientInfo, capabilities }: JsonObject): Identity {
  const info = isObject(clientInfo) ? clientInfo : {};
  const { name, version } = info;
  return {
    era: 'handshake',
    clientInfo: {
      ...info,
      name: typeof name === 'string' ? name : 'unknown',
      version: typeof version === 'string' ? version : '0',
    },
    capabilities: isObject(capabilities) ? capabilities : {},
    offering: handshakeRevisions.find((revision) => revision === protocolVersion),
  };
}

/** What a request says in `_meta`: for this hop, and for whoever carries it out. */
export interface Meta {
  /** The envelope of 2026-07-28, as it came; undefined where there is none. */
  readonly envelope: JsonObject | undefined;
  readonly progressToken: unknown;
  readonly rest: JsonObject;
}

export function metaIn({ _meta }: JsonObject): Meta {
  const { progressToken, ...meta } = isObject(_meta) ? _meta : {};
  const all = Object.entries(meta);
  return {
    envelope: revisionKey in meta ? Object.fromEntries(all.filter(([key]) => ofEnvelope.includes(key))) : undefined,
    progressToken,
    rest: Object.fromEntries(all.filter(([key]) => !ofEnvelope.includes(key))),
  };
}

/** What a client of 2026-07-28 can do, as its request says. */
export function capabilitiesIn(envelope: JsonObject | undefined): JsonObject {
  const capabilities = envelope?.[keys.capabilities];
  return isObject(capabilities) ? capabilities : {};
}

/** Whether a request of 2026-07-28 asks for log messages. */
export function wantsLog(envelope: JsonObject | undefined): boolean {
  return typeof envelope?.[keys.logLevel] === 'string';
}

export function withLogLevel(envelope: JsonObject, level: string | undefined): JsonObject {
  return level === undefined ? envelope : { ...envelope, [keys.logLevel]: level };
}

/** What is wrong with an envelope; undefined where nothing is. */
export function envelopeProblem(envelope: JsonObject): string | undefined {
  const { [revisionKey]: revision, [keys.capabilities]: capabilities, [keys.clientInfo]: info } = envelope;
  if (typeof revision !== 'string') return `${revisionKey}: it is no text`;
  if (!isObject(capabilities))
    return `${keys.capabilities}: it is ${capabilities === undefined ? 'missing' : 'no object'}`;
  if (info !== undefined && !(isObject(info) && typeof info['name'] === 'string'))
    return `${keys.clientInfo}: it is no object with a name`;
  return undefined;
}

/** Results that clients may keep, in 2026-07-28, and so have to say for how long. */
const cacheable: readonly string[] = [
  ...['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list', 'resources/read', 'server/discover'],
];

/** A result as a client of 2026-07-28 wants it. What it says already stays as it is. */
export function statelessResult(method: string, resultText: string): string {
  const members: [string, string][] = [['resultType', '"complete"']];
  if (cacheable.includes(method)) members.unshift(['cacheScope', '"private"'], ['ttlMs', '0']);
  return members.reduce(
    (text, [name, value]) => (memberText(text, [name]) === undefined ? withMember(text, [name], value) : text),
    resultText,
  );
}

/** What the servers say of themselves, together. */
export interface Introduction {
  readonly capabilities: JsonObject;
  readonly serverInfo: JsonObject;
  readonly instructions: string | undefined;
}

export function initializeResult(introduction: Introduction, { offering }: Identity): string {
  return JSON.stringify({ protocolVersion: offering ?? handshakeRevisions[0], ...introduction });
}

export function discoverResult({ serverInfo, ...introduction }: Introduction): string {
  return JSON.stringify({
    resultType: 'complete',
    supportedVersions: [statelessRevision],
    ...introduction,
    ttlMs: 0,
    cacheScope: 'private',
    _meta: { [keys.serverInfo]: serverInfo },
  });
}

/** What belongs to a subscription of 2026-07-28 says so. */
export function inSubscription(id: RequestId, params: JsonObject = {}): string {
  return JSON.stringify({ ...params, _meta: { ...(params['_meta'] as object | undefined), [keys.subscription]: id } });
}
