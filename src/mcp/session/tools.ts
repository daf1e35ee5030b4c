import { equals, isObject, nonFiniteNumberIn, parseJson, type JsonObject } from '../../json/index.js';
import { catalogueOf } from '../catalogue/catalogue.js';
import type { Catalogue, CatalogueTool } from '../catalogue/tool.js';
import { paramHeaders } from '../catalogue/x-mcp-header.js';
import type { Connection } from '../connection/connection.js';
import { traceContext } from './trace-context.js';
import { unlessAborted } from '../runtime/deadline.js';
import { CancelledError, IncompleteListError, ServerError } from '../errors/errors.js';
import { argumentSecrets, headersSecrets } from '../../secrets/index.js';
import { callHeaders } from '../http/request-headers.js';
import { readAllPages, type Page } from './pages.js';
import type { Requester, SendOptions } from './requests.js';
import { readToolResult, withoutSecrets, type ToolResult } from './result.js';
import { checkRequest } from './request-options.js';
import { taskParams } from './tasks.js';
import type { CallOptions, ListLimits, RequestOptions, Session } from './session.js';

interface ToolsOptions {
  ask: Requester;
  limits: ListLimits;
  current: () => Connection;
  listeners: Set<(method: string, params: JsonObject) => void>;
}

/** A call of a host: what its client's request says besides the tool and its arguments. */
interface HostCallOptions extends SendOptions {
  readonly more?: JsonObject | undefined;
  /** Whether errors reach only whoever sent the arguments, so that `hidden` alone is kept from them. */
  readonly isForCaller?: boolean;
}

/** The tools of a session: the list, kept until the server says that it changed, and the call. */
export function toolsOf({ ask, limits, current, listeners }: ToolsOptions): Pick<
  Session,
  'listTools' | 'forgetTools' | 'callTool'
> & {
  /** A call with what only a host may add; `argumentsText` is taken to say what the arguments say. */
  sendCall: (tool: CatalogueTool, args: Record<string, unknown>, options: HostCallOptions) => Promise<ToolResult>;
} {
  let catalogue: Catalogue | undefined;
  let fetching: Promise<Catalogue> | undefined;
  let changes = 0;
  let listening: Connection | undefined;
  listeners.add((method) => {
    if (method === 'notifications/tools/list_changed') forgetTools();
  });

  function forgetTools(): void {
    changes++;
    catalogue = undefined;
  }

  async function listTools(options: RequestOptions = {}): Promise<Catalogue> {
    checkRequest('listTools', options);
    for (;;) {
      current();
      if (catalogue) return catalogue;
      if (!fetching) return fetchOnce(options);
      try {
        return await unlessAborted(fetching, options.signal);
      } catch (error) {
        if (options.signal?.aborted) throw new CancelledError('tools/list was cancelled by the caller.');
        // Whoever began to fetch has given up; that is no reason to give up here.
        if (!(error instanceof CancelledError)) throw error;
      }
    }
  }

  function fetchOnce(options: RequestOptions): Promise<Catalogue> {
    fetching = fetchCatalogue(options).finally(() => {
      fetching = undefined;
    });
    return fetching;
  }

  async function fetchCatalogue({ signal, idleTimeoutMs }: RequestOptions): Promise<Catalogue> {
    const before = changes;
    const { handshake } = current();
    const { instructions, serverInfo = {} } = handshake;
    const reading = { mirrorsHeaders: current().mirrorsHeaders, instructions, serverInfo };
    listenForChanges();
    if (!offersTools(handshake.capabilities)) return (catalogue = catalogueOf([], reading));
    try {
      // Nothing else: what holds for a call is no business of the list's.
      const page = (params: JsonObject) => ask('tools/list', params, { signal, idleTimeoutMs, mayRepeat: true });
      const fresh = catalogueOf(await readAllPages('tools/list', 'tools', page, limits), reading);
      // A change that was announced while the list was read may or may not be in it.
      if (changes === before) catalogue = fresh;
      return fresh;
    } catch (error) {
      if (!(error instanceof IncompleteListError)) throw error;
      throw Object.assign(error, { partial: catalogueOf(error.partial as Page[], reading) }); // as readAllPages throws it
    }
  }

  /** Changes are announced where somebody listens. */
  function listenForChanges(): void {
    const connection = current();
    const { tools } = connection.handshake.capabilities;
    if (listening === connection || !isObject(tools) || tools['listChanged'] !== true) return;
    listening = connection;
    void connection.listen();
  }

  async function callTool(
    tool: CatalogueTool,
    args: Record<string, unknown>,
    options: CallOptions = {},
  ): Promise<ToolResult> {
    checkRequest('callTool', options);
    const { argumentsText } = options;
    if (argumentsText !== undefined && !equals(parseJson(argumentsText), args)) {
      throw new TypeError('argumentsText does not match the arguments.');
    }
    const nonFinite = argumentsText === undefined ? nonFiniteNumberIn(args) : undefined;
    if (nonFinite !== undefined) {
      throw new TypeError(`The arguments cannot be sent: ${nonFinite} is a number that JSON cannot hold.`);
    }
    // Asked for even where nobody listens: each report starts the time limit anew.
    return sendCall(tool, args, { onProgress: () => {}, ...options });
  }

  async function sendCall(
    tool: CatalogueTool,
    args: Record<string, unknown>,
    options: HostCallOptions,
  ): Promise<ToolResult> {
    const own = callHeaders(options.headers);
    const meta = { ...traceContext(), ...options.meta };
    const shown = options.isForCaller ? {} : args;
    const secrets = () => [...headersSecrets(own), ...argumentSecrets(shown, options.hidden)];
    const send = async (described: CatalogueTool) => {
      const mirrored = current().mirrorsHeaders && paramHeaders(described.inputSchema, args);
      const reply = await ask(
        'tools/call',
        { name: described.name, arguments: args, ...taskParams(described, current()), ...options.more },
        { ...options, headers: { ...own, ...mirrored }, meta, secrets, mayRepeat: mayRepeat(described) },
      );
      const result = readToolResult(reply.result, reply.wire, reply.asked);
      return result.isError ? withoutSecrets(result, reply.mask()) : result;
    };
    try {
      return await send(tool);
    } catch (error) {
      // The server checks headers against a newer description of the tool than the one at hand (2026-07-28). Where there
      // are no such headers, the code may mean anything, and the tool may have run.
      const isRefusal = error instanceof ServerError && error.rpcCode === headerMismatch;
      if (!isRefusal || !current().mirrorsHeaders) throw error;
      catalogue = undefined;
      const renewed = (await listTools(options)).find(tool.name);
      if (!renewed) throw error;
      return send(renewed);
    }
  }

  return { listTools, forgetTools, callTool, sendCall };
}

const headerMismatch = -32020;

/**
 * Whether a call that was lost can do no harm if it is sent once more; the server's word (2025-11-25, Tool
 * Annotations).
 */
function mayRepeat({ annotations = {} }: CatalogueTool): boolean {
  return annotations['readOnlyHint'] === true || annotations['idempotentHint'] === true;
}

/**
 * A server that speaks of its capabilities and leaves tools out has none; asking it would be an error (2025-11-25,
 * Capabilities).
 */
function offersTools(capabilities: JsonObject): boolean {
  return Object.keys(capabilities).length === 0 || 'tools' in capabilities;
}
