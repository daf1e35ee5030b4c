import { parseJson, shortened, withMember, type JsonObject } from '../../json/index.js';
import { addressSecrets, secretMask, type SecretMask } from '../../secrets/index.js';
import { checkAddress, type ServerAddress } from '../address.js';
import { catalogueOf } from '../catalogue/catalogue.js';
import type { Catalogue } from '../catalogue/tool.js';
import { wireSlice } from '../catalogue/wire-text.js';
import { paramHeaders } from '../catalogue/x-mcp-header.js';
import type { Connection, ConnectionListener, Handshake } from '../connection/connection.js';
import type { AnswerText } from '../connection/message-text.js';
import type { RequestId, WireAnswer, WireText } from '../connection/envelope.js';
import { openConnection } from '../connection/negotiate.js';
import { unlimitedMs } from '../connection/waiting.js';
import { McpError } from '../errors/errors.js';
import { connecting, explain } from '../errors/explain.js';
import { defaultListLimits, readAllPages, type Page } from './pages.js';
import { isForgottenSession } from './requests.js';

/** How a server is opened for a client that speaks for itself. */
interface RelayOptions extends ConnectionListener {
  /** What the client says of itself, and what it offers to do for the server; handed on as it is. */
  clientInfo: { name: string; version: string };
  capabilities: JsonObject;
  /** The revision that a handshake offers. */
  offering?: string | undefined;
  revisions: 'handshake-first' | 'stateless-first';
  /** How long connecting may take, and listing the tools, in milliseconds; other requests take what the client allows. */
  timeoutMs: number;
  /** Called once when the connection ends, with the reason unless it was asked for. */
  onEnd: (failure: McpError | undefined) => void;
}

interface RelayRequest {
  /** The params as they are sent, to the character, and as they are read. */
  paramsText: string;
  params: JsonObject;
  signal: AbortSignal;
  headers?: Record<string, string> | undefined;
  /** Called with the id that it goes out with; `within` of what comes in response to it. */
  onId: (id: RequestId) => void;
  /** Called with the answer, before anything that the server sent after it. */
  onAnswer: (answer: AnswerText) => void;
}

/** A list of tools, and the whole answer that its first page stood in. */
export interface RelayedTools {
  readonly catalogue: Catalogue;
  readonly pages: number;
  /** The text of the first page's result. */
  readonly resultText: string;
}

/**
 * A server as a relay sees it: texts in, texts out, and nothing decided on the way. Time limits and cancellation are the
 * client's.
 */
export interface Relay {
  readonly handshake: Handshake;
  readonly transport: 'http' | 'sse' | 'stdio';
  /** Whether it speaks 2026-07-28: no session, an envelope in every request. */
  readonly isStateless: boolean;
  readonly ended: boolean;
  /**
   * Sends a request once; the answer goes to `onAnswer`.
   *
   * @throws McpError where none came; SESSION_CLOSED where the server has forgotten the session, and so has not read it
   */
  request(method: string, request: RelayRequest): Promise<void>;
  notify(method: string, paramsText: string): Promise<void>;
  /** Has the server announce changes, as its revision has it. */
  listen(notifications: JsonObject): void;
  /**
   * Reads the whole list.
   *
   * @throws RefusedRequest with the server's own error
   */
  listTools(paramsText: string, signal?: AbortSignal): Promise<RelayedTools>;
  /** The headers that repeat arguments (2026-07-28, Streamable HTTP). */
  headersFor(inputSchema: unknown, args: JsonObject): Record<string, string> | undefined;
  close(): Promise<void>;
}

/** A server's own error, as JSON text. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest';

  constructor(readonly errorText: string) {
    super(`The server answered with an error: ${shortened(errorText, 400)}`);
  }
}

/** @throws McpError as `connect` does */
export async function openRelay(address: ServerAddress, options: RelayOptions, signal?: AbortSignal): Promise<Relay> {
  checkAddress(address);
  const mask = secretMask(addressSecrets(address));
  const { timeoutMs } = options;
  let remark: string | undefined;
  const context = { address, mask, timeoutMs };
  const connection = await openConnection(address, {
    ...options,
    mask,
    signal,
    maxMessageBytes: 128 * 1024 * 1024,
    onRemark: (text) => {
      remark = text;
    },
  }).catch((error: unknown) => {
    throw explain(error, { ...context, method: connecting, signal, remark });
  });
  connection.onEnd = options.onEnd;
  if (connection.ended) options.onEnd(connection.failure);
  if (!connection.envelope) void connection.listen();

  const explained = (error: unknown, method: string, at?: AbortSignal) =>
    isForgottenSession(error, connection)
      ? new McpError('The server has forgotten the session.', { code: 'SESSION_CLOSED' })
      : explain(error, {
          ...context,
          method,
          signal: at,
          connectionFailure: connection.failure,
          remark: connection.remark(),
        });

  return {
    handshake: connection.handshake,
    transport: connection.kind,
    isStateless: connection.envelope !== undefined,
    get ended() {
      return connection.ended;
    },
    async request(method, { onAnswer, ...request }) {
      const raw = {
        ...request,
        // A client may wait as long as it likes.
        timeoutMs: unlimitedMs,
        onAnswer: (answer: WireAnswer) => {
          onAnswer(answerText(answer, mask));
        },
      };
      await connection.request(method, request.params, raw).catch((error: unknown) => {
        throw explained(error, method, request.signal);
      });
    },
    notify: (method, paramsText) => connection.notify(method, undefined, undefined, paramsText),
    listen: (notifications) => {
      void connection.listen(notifications);
    },
    listTools: (paramsText, at) =>
      listTools(connection, paramsText, { timeoutMs, signal: at, mask }).catch((error: unknown) => {
        throw error instanceof RefusedRequest ? error : explained(error, 'tools/list', at);
      }),
    headersFor: (inputSchema, args) => (connection.mirrorsHeaders ? paramHeaders(inputSchema, args) : undefined),
    close: () => connection.close(),
  };
}

async function listTools(
  connection: Connection,
  paramsText: string,
  { mask, ...limits }: { timeoutMs: number; signal: AbortSignal | undefined; mask: SecretMask },
): Promise<RelayedTools> {
  let first: WireText | undefined;
  const ask = async (params: JsonObject) => {
    const { cursor } = params;
    const text = typeof cursor === 'string' ? withMember(paramsText, ['cursor'], JSON.stringify(cursor)) : paramsText;
    const answer = await connection.request('tools/list', params, { ...limits, paramsText: text });
    if ('error' in answer) throw new RefusedRequest(errorText(answer.wire, mask));
    first ??= answer.wire;
    return answer;
  };
  const pages: Page[] = await readAllPages('tools/list', 'tools', ask, defaultListLimits);
  const { mirrorsHeaders } = connection;
  return {
    catalogue: catalogueOf(pages, { mirrorsHeaders, serverInfo: connection.handshake.serverInfo ?? {} }),
    pages: pages.length,
    resultText: first ? answerTextOf(first, 'result') : '{}',
  };
}

function answerText(answer: WireAnswer, mask: SecretMask): AnswerText {
  return 'error' in answer ? { error: errorText(answer.wire, mask) } : { result: answerTextOf(answer.wire, 'result') };
}

/** A server's own error, to the character, unless it repeats something of its address, which clients need not know. */
function errorText(wire: WireText, mask: SecretMask): string {
  const text = answerTextOf(wire, 'error');
  const error = parseJson(text);
  const shown = JSON.stringify(mask.known(error));
  return shown === JSON.stringify(error) ? text : shown;
}

function answerTextOf(wire: WireText, name: 'error' | 'result'): string {
  return wireSlice(wire, [name]) ?? '{}';
}
