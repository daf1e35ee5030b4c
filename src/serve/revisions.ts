import { isList, isObject, memberText, withMember, type JsonObject } from '../json/index.js';
import { handshakeRevisions, revisionKey, statelessRevision, tasksExtension } from '../mcp/index.js';

/**
 * How a client or a server speaks: with a handshake (2024-11-05 to 2025-11-25), or with an envelope in each request
 * (2026-07-28).
 */
export type Era = 'handshake' | 'stateless';

/** Who the client is, as it says. */
export interface Identity {
  readonly era: Era;
  readonly clientInfo: { name: string; version: string };
  readonly capabilities: JsonObject;
  /** The revision that it asks for in its handshake. */
  readonly offering?: string | undefined;
}

const keys = {
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
};

/** The client of a request that carries an envelope. */
export function identityInEnvelope(params: JsonObject): Identity {
  const meta = isObject(params['_meta']) ? params['_meta'] : {};
  return identity('stateless', meta[keys.clientInfo], meta[keys.capabilities]);
}

/** The client of a handshake. */
export function identityInHandshake(params: JsonObject): Identity {
  const { protocolVersion, clientInfo, capabilities } = params;
  const offering = handshakeRevisions.find((revision) => revision === protocolVersion);
  return { ...identity('handshake', clientInfo, capabilities), offering };
}

function identity(era: Era, info: unknown, capabilities: unknown): Identity {
  const { name, version } = isObject(info) ? info : {};
  return {
    era,
    // Whatever else it says of itself goes along.
    clientInfo: { ...(isObject(info) && info), name: textOr(name, 'unknown'), version: textOr(version, '0') },
    capabilities: isObject(capabilities) ? capabilities : {},
  };
}

function textOr(value: unknown, other: string): string {
  return typeof value === 'string' ? value : other;
}

/** The level at which a request asks for log messages (2026-07-28). */
export function logLevelIn(params: JsonObject): string | undefined {
  const meta = isObject(params['_meta']) ? params['_meta'] : {};
  const level = meta[keys.logLevel];
  return typeof level === 'string' ? level : undefined;
}

/** The resources that a message subscribes to (2026-07-28), whose entries of the SDK keep such messages to themselves. */
export function subscribedIn(message: unknown): string[] {
  const { method, params } = isObject(message) ? message : {};
  const wanted = method === 'subscriptions/listen' && isObject(params) ? params['notifications'] : undefined;
  const uris = isObject(wanted) ? wanted['resourceSubscriptions'] : undefined;
  return isList(uris) ? uris.filter((uri) => typeof uri === 'string') : [];
}

/** Params as a server of 2026-07-28 wants them; those that a client of that revision sent stay as they are. */
export function inEnvelope(paramsText: string, client: Identity, logLevel: string | undefined): string {
  if (memberText(paramsText, ['_meta', revisionKey]) !== undefined) return paramsText;
  const envelope: [string, unknown][] = [
    [revisionKey, statelessRevision],
    [keys.clientInfo, client.clientInfo],
    [keys.capabilities, withTasks(client.capabilities)],
    ...(logLevel === undefined ? [] : ([[keys.logLevel, logLevel]] as [string, unknown][])),
  ];
  return envelope.reduce((text, [key, value]) => withMember(text, ['_meta', key], JSON.stringify(value)), paramsText);
}

/** What such a client does not know is done for it. */
function withTasks(capabilities: JsonObject): JsonObject {
  const { extensions } = capabilities;
  return { ...capabilities, extensions: { ...(isObject(extensions) && extensions), [tasksExtension]: {} } };
}

/** Results that clients may keep, in 2026-07-28, and so have to say for how long. */
const cacheable = [
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'server/discover',
];

/** The result of a server with a handshake as a client of 2026-07-28 wants it. What it says already stays as it is. */
export function statelessResult(method: string, resultText: string): string {
  const members: [string, string][] = [
    ...(cacheable.includes(method)
      ? ([
          ['cacheScope', '"private"'],
          ['ttlMs', '0'],
        ] as [string, string][])
      : []),
    ['resultType', '"complete"'],
  ];
  return members.reduce(
    (text, [name, value]) => (memberText(text, [name]) === undefined ? withMember(text, [name], value) : text),
    resultText,
  );
}

/** What a server said of itself, for a client of either era. */
export interface Introduction {
  readonly capabilities: JsonObject;
  readonly serverInfo: JsonObject;
  readonly instructions: string | undefined;
}

export function initializeResult(
  { capabilities, serverInfo, instructions }: Introduction,
  { offering }: Identity,
): string {
  return JSON.stringify({
    protocolVersion: offering ?? handshakeRevisions[0],
    capabilities,
    serverInfo,
    ...(instructions !== undefined && { instructions }),
  });
}

export function discoverResult({ capabilities, serverInfo, instructions }: Introduction): string {
  return JSON.stringify({
    resultType: 'complete',
    supportedVersions: [statelessRevision],
    capabilities,
    ...(instructions !== undefined && { instructions }),
    ttlMs: 0,
    cacheScope: 'private',
    _meta: { [keys.serverInfo]: serverInfo },
  });
}
