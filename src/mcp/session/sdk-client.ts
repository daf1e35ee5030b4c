import { isObject, type JsonObject } from '../../json/index.js';
import { catalogueOf } from '../catalogue/catalogue.js';
import type { Catalogue } from '../catalogue/tool.js';
import { CancelledError, type McpError, ServerError, TimeoutError } from '../errors/errors.js';
import { judged } from '../errors/explain.js';
import { connectionLost } from '../errors/wire-problem.js';
import { isReadOnly } from './tools.js';
import { secretMask } from '../../secrets/index.js';
import { HandlerFailure } from '../elicitation/elicitor.js';
import { features } from './features.js';
import { lookedAt } from './one-connection.js';
import { defaultListLimits, readAllPages } from './pages.js';
import type { Requester } from './requests.js';
import { ReadResult } from './result.js';
import { checkRequest, serverInfoFrom, type CallOptions, type Session } from './session.js';

/** The members used of a connected `Client` of the MCP SDK, version 1 or 2. */
export interface SdkClient {
  request(
    message: { method: string; params: Record<string, unknown> },
    schema: never,
    options: never,
  ): Promise<unknown>;
  notification(notification: { method: string; params: Record<string, unknown> }): Promise<void>;
  getServerCapabilities(): object | undefined;
  getServerVersion(): object | undefined;
  getInstructions(): string | undefined;
  /** Another one after it was connected again. */
  readonly transport?: { readonly sessionId?: string | undefined } | undefined;
}

export function isSdkClient(value: object): value is SdkClient {
  return (['request', 'notification', 'getServerCapabilities', 'getServerVersion', 'getInstructions'] as const).every(
    (method) => method in value && typeof (value as Partial<SdkClient>)[method] === 'function',
  );
}

/**
 * A session over a client of the MCP SDK. Schemas and results are as the server sent them. The client
 * does not provide the texts on the wire, headers of a call, notifications, questions and the end, for which the
 * client has handlers of its own. Closing it leaves the client open. For `beforeSending`, another connection is another
 * transport or session id; the client reports nothing else.
 *
 * ```ts
 * const session = sessionOf(client); // after client.connect(transport)
 * const { tools } = await session.listTools();
 * ```
 */
export function sessionOf(client: SdkClient): Session {
  const capabilities = (client.getServerCapabilities() ?? {}) as JsonObject; // of JSON
  const serverInfo = serverInfoFrom((client.getServerVersion() ?? {}) as JsonObject); // likewise
  const instructions = client.getInstructions();
  const ask = requesterOf(client);
  let known: SdkConnection | undefined;
  const current = () => {
    const { transport } = client;
    const sessionId = transport?.sessionId;
    if (!known || known.transport !== transport || known.sessionId !== sessionId) known = { transport, sessionId };
    return known;
  };
  const listTools: Session['listTools'] = async (options = {}) => {
    checkRequest('listTools', options);
    const connection = current();
    if (connection.catalogue) return connection.catalogue;
    const page = (params: JsonObject) => ask('tools/list', params, options);
    const catalogue = await readAllPages('tools/list', 'tools', page, defaultListLimits, (pages) => {
      const withoutTexts = pages.map(({ entries }) => ({ entries }));
      return catalogueOf(withoutTexts, { instructions, serverInfo });
    });
    return (connection.catalogue = catalogue);
  };
  const notify = (method: string, params: JsonObject) => client.notification({ method, params });
  const negotiated: unknown = 'getNegotiatedProtocolVersion' in client && client.getNegotiatedProtocolVersion;
  return {
    capabilities,
    serverInfo,
    ...(instructions !== undefined && { instructions }),
    protocolVersion: String(typeof negotiated === 'function' ? negotiated.call(client) : ''),
    transport: 'http',
    ended: false,
    listTools,
    forgetTools() {
      delete current().catalogue;
    },
    async callTool(tool, args, { beforeSending, ...options } = {}) {
      checkRequest('callTool', { ...options, beforeSending });
      const { signal, idleTimeoutMs } = options;
      if (beforeSending) {
        const look = () => beforeSending({ listTools: () => listTools({ signal, idleTimeoutMs }) });
        await lookedAt('tools/call', current, look).catch((error: unknown) => {
          throw error instanceof HandlerFailure ? error.cause : error;
        });
      }
      const sending = { ...options, isReadOnly: isReadOnly(tool) };
      return new ReadResult((await ask('tools/call', { name: tool.name, arguments: args }, sending)).result);
    },
    ...features(ask, defaultListLimits, () => capabilities, notify),
    async subscribe(uri, options = {}) {
      await ask('resources/subscribe', { uri }, options);
    },
    async unsubscribe(uri, options = {}) {
      await ask('resources/unsubscribe', { uri }, options);
    },
    onNotification: () => () => undefined,
    onListChanged: () => () => undefined,
    onEnd: () => () => undefined,
    onReconnect: () => () => undefined,
    close: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

interface SdkConnection {
  readonly transport: unknown;
  readonly sessionId: unknown;
  /** As it was listed last. */
  catalogue?: Catalogue;
}

/** Lets every result through: as a Standard Schema for version 2, as something like Zod for version 1. */
const anything = {
  '~standard': { version: 1, vendor: 'mcp-verbatim', validate: (value: unknown) => ({ value }) },
  parse: (value: unknown) => value,
  safeParse: (data: unknown) => ({ success: true, data }),
};

function requesterOf(client: SdkClient): Requester {
  return async (method, params, options = {}) => {
    const { idleTimeoutMs = 60_000, maxDurationMs, signal, onProgress, meta, isReadOnly } = options;
    const sdkOptions = {
      ...(signal && { signal }),
      timeout: idleTimeoutMs,
      maxTotalTimeout: maxDurationMs ?? Math.max(idleTimeoutMs, 3_600_000),
      resetTimeoutOnProgress: true,
      // Without it no report of progress would start the time anew.
      onprogress: (progress: Parameters<NonNullable<CallOptions['onProgress']>>[0]) => onProgress?.(progress),
    };
    const progressed = { method, isUnderWay: signal?.aborted !== true, isReadOnly };
    const request = { method, params: { ...params, ...(meta && { _meta: meta }) } };
    try {
      const result = await client.request(request, anything as never, sdkOptions as never); // the versions' types differ
      const read = isObject(result) ? result : {};
      // Not the wire's text, which the client does not hand out.
      return { result: read, wire: { text: JSON.stringify({ result: read }) }, asked: [], mask: secretMask };
    } catch (error) {
      const failure = failureOf(error, method, idleTimeoutMs, signal);
      throw judged(Object.assign(failure, { cause: error }), progressed);
    }
  };
}

/** An error of either version, by its code: a number of JSON-RPC's, or a word of version 2's own. */
function failureOf(error: unknown, method: string, idleTimeoutMs: number, signal: AbortSignal | undefined): McpError {
  const { code, data, message = error } = isObject(error) ? error : {};
  const details = String(message);
  if (signal?.aborted) return new CancelledError(`${method} was cancelled by the caller.`);
  const late = `The server did not answer ${method} within ${idleTimeoutMs} ms:`;
  // Failures of version 1's client itself: -32001 is a timeout, -32000 the end of the connection.
  const isTimeout = code === 'REQUEST_TIMEOUT' || (code === -32001 && isObject(data) && 'timeout' in data);
  if (isTimeout) return new TimeoutError(late, idleTimeoutMs, { details });
  if (typeof code === 'number' && code !== -32000)
    return new ServerError(`The server answered ${method} with error ${code}:`, code, data, { details });
  const title = `The client of the MCP SDK could not carry out ${method}:`;
  return connectionLost(title, 'Connect the client again.', details);
}
