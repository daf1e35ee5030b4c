import { isObject, memberText, withMember, type JsonObject } from '../json/index.js';
import { handshakeRevisions, revisionKey, statelessRevision, type RequestId } from '../mcp/index.js';

/** The client, as servers are introduced to it. */
export interface Identity {
  /** Whether it speaks without a handshake (2024-11-05 to 2025-11-25), with an envelope in each request (2026-07-28). */
  readonly isStateless: boolean;
  readonly clientInfo: { name: string; version: string };
  readonly capabilities: JsonObject;
  readonly offering?: string | undefined;
}

const prefix = 'io.modelcontextprotocol/';
const capabilitiesKey = `${prefix}clientCapabilities`;
const clientInfoKey = `${prefix}clientInfo`;
const envelopeKeys: readonly string[] = [revisionKey, clientInfoKey, capabilitiesKey, `${prefix}logLevel`];

export function identityInHandshake({ protocolVersion, clientInfo, capabilities }: JsonObject): Identity {
  const info = isObject(clientInfo) ? clientInfo : {};
  const { name, version } = info;
  return {
    isStateless: false,
    clientInfo: {
      ...info,
      name: typeof name === 'string' ? name : 'unknown',
      version: typeof version === 'string' ? version : '0',
    },
    capabilities: isObject(capabilities) ? capabilities : {},
    offering: handshakeRevisions.find((revision) => revision === protocolVersion),
  };
}

/** The `_meta` of a request: its parts for this connection (of 2026-07-28, the envelope), and the rest, to be passed on. */
export function metaIn({ _meta }: JsonObject) {
  const { progressToken, ...meta } = isObject(_meta) ? _meta : {};
  const part = (isOfEnvelope: boolean) =>
    Object.fromEntries(Object.entries(meta).filter(([key]) => envelopeKeys.includes(key) === isOfEnvelope));
  return { envelope: revisionKey in meta ? part(true) : undefined, progressToken, rest: part(false) };
}

export function capabilitiesIn(envelope: JsonObject | undefined): JsonObject {
  const capabilities = envelope?.[capabilitiesKey];
  return isObject(capabilities) ? capabilities : {};
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
  readonly capabilities: JsonObject;
  readonly serverInfo: JsonObject;
  readonly instructions: string | undefined;
}

export function initializeResult(introduction: Introduction, { offering }: Identity): string {
  return JSON.stringify({ protocolVersion: offering ?? handshakeRevisions[0], ...introduction });
}

export function discoverResult({ serverInfo, ...introduction }: Introduction): string {
  const _meta = { [`${prefix}serverInfo`]: serverInfo };
  return JSON.stringify({ supportedVersions: [statelessRevision], ...introduction, _meta });
}

/** The params of a message with the subscription of 2026-07-28 that it belongs to. */
export function inSubscription(id: RequestId, params: JsonObject = {}): string {
  const _meta = { ...(params['_meta'] as object | undefined), [`${prefix}subscriptionId`]: id };
  return JSON.stringify({ ...params, _meta });
}
