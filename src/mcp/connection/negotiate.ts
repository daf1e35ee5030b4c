import { isObject, memberText, type JsonObject } from '../../json/index.js';
import { HandshakeRefused, HttpFailure, unsupportedRevision } from '../errors/failures.js';
import { revisionKey } from '../http/request-headers.js';
import type { WireText } from '../wire/envelope.js';
import type { Connection } from './connection.js';

export const newestHandshake = '2025-11-25';

/** The revisions that a handshake can agree upon, the newest first. */
export const handshakeRevisions = [newestHandshake, '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];

export const statelessRevision = '2026-07-28';

export type NegotiationMode = 'discovery' | { offering: string };

export interface NegotiationOptions {
  idleTimeoutMs: number;
  signal?: AbortSignal | undefined;
  clientInfo: { name: string; version: string };
  capabilities?: JsonObject | undefined;
  extensions?: JsonObject | undefined;
  /** The params of a client's own handshake, for digits that JavaScript does not hold. */
  written?: string | undefined;
}

export async function negotiate(
  connection: Connection,
  mode: NegotiationMode,
  options: NegotiationOptions,
): Promise<Connection> {
  if (mode === 'discovery') await discover(connection, options);
  else await shakeHands(connection, mode.offering, options);
  return connection;
}

/** The supported revisions that an error names, as in the specification's own example (2025-11-25, Lifecycle). */
export function revisionsNamedIn(refusal: unknown): readonly unknown[] {
  const data = refusal instanceof HandshakeRefused ? refusal.answer.data : undefined;
  return isObject(data) && Array.isArray(data['supported']) ? data['supported'] : [];
}

async function shakeHands(connection: Connection, offering: string, options: NegotiationOptions): Promise<void> {
  connection.envelope = undefined;
  connection.transport.protocolVersion = undefined;
  const { capabilities = {}, clientInfo } = options;
  const params = { protocolVersion: offering, capabilities, clientInfo };
  const { result, wire } = await answerTo('initialize', params, connection, options);
  const revision = result['protocolVersion'];
  if (typeof revision !== 'string' || !handshakeRevisions.includes(revision)) {
    const shown = revision === undefined ? 'none' : JSON.stringify(revision).slice(0, 40);
    throw noCommonRevision(`it agrees upon ${shown} in a handshake`, [revision]);
  }
  agreed(connection, revision, result, wire);
  try {
    await connection.notify('notifications/initialized', undefined, options.idleTimeoutMs);
  } catch (error) {
    // Servers that do not care for it reject it as they reject any notification.
    if (!(error instanceof HttpFailure && error.status !== 401 && error.status < 500)) throw error;
  }
}

const clientInfoKey = 'io.modelcontextprotocol/clientInfo';
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';

async function discover(connection: Connection, options: NegotiationOptions): Promise<void> {
  connection.transport.protocolVersion = undefined;
  const { written, clientInfo, capabilities, extensions } = options;
  connection.envelope = {
    [revisionKey]: statelessRevision,
    [clientInfoKey]: clientInfo,
    [capabilitiesKey]: { ...capabilities, ...(extensions && { extensions }) },
  };
  const ownNames = { [clientInfoKey]: 'clientInfo', [capabilitiesKey]: 'capabilities' };
  if (written !== undefined)
    connection.envelopeTexts = Object.entries(ownNames).map(([key, name]) => [key, memberText(written, [name])]);
  const ask = () => answerTo('server/discover', {}, connection, options);
  const { result, wire } = await ask().catch((error: unknown) => {
    // A server that rejects the revision and yet names it as one that it supports is taken at its word.
    if (!revisionsNamedIn(error).includes(statelessRevision)) throw error;
    return ask();
  });
  const supported = result['supportedVersions'];
  if (!Array.isArray(supported) || !supported.includes(statelessRevision))
    throw noCommonRevision('no common revision', supported);
  agreed(connection, statelessRevision, result, wire);
}

async function answerTo(
  method: string,
  params: JsonObject,
  connection: Connection,
  { idleTimeoutMs, signal, written }: NegotiationOptions,
) {
  const answer = await connection.request(method, params, { idleTimeoutMs, signal, written });
  if ('error' in answer) throw new HandshakeRefused(answer.error);
  return answer;
}

function agreed(connection: Connection, protocolVersion: string, result: JsonObject, wire: WireText): void {
  const { capabilities, instructions, _meta: meta } = result;
  const serverInfo = result['serverInfo'] ?? (isObject(meta) ? meta['io.modelcontextprotocol/serverInfo'] : undefined);
  connection.transport.protocolVersion = protocolVersion;
  connection.handshake = {
    protocolVersion,
    capabilities: isObject(capabilities) ? capabilities : {},
    ...(isObject(serverInfo) && { serverInfo }),
    ...(typeof instructions === 'string' && { instructions }),
    wire,
  };
}

function noCommonRevision(message: string, supported: unknown): HandshakeRefused {
  return new HandshakeRefused({ code: unsupportedRevision, message, data: { supported } });
}
