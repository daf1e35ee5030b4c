import { ConfigurationError, equals, mayBeRounded, nonFiniteNumberIn, numberIn, parseJson } from '../../json/index.js';
import { valueAt } from '../../json/index.js';
import type { JsonObject } from '../../json/index.js';
import { addressSecrets, argumentSecrets } from '../../secrets/index.js';
import type { Connection } from '../connection/connection.js';
import { catalogueOf } from '../catalogue/catalogue.js';
import type { Catalogue, CatalogueTool } from '../catalogue/tool.js';
import { CancelledError, IncompleteListError, ServerError } from '../errors/errors.js';
import { forgottenAgain } from '../errors/wire-problem.js';
import { callHeaders, paramHeaders } from '../http/request-headers.js';
import { unlessAborted } from '../runtime/timers.js';
import { definedParams } from '../wire/defined-members.js';
import type { LiveConnection } from './live-connection.js';
import { mostReplacements } from './one-connection.js';
import { readAllPages } from './pages.js';
import type { Requester, SendOptions } from './requests.js';
import { ReadResult, roundedNote, type ToolResult } from './result.js';
import { checkRequest, type CallOptions, type ListLimits, type RequestOptions, type Session } from './session.js';
import { isInterim, taskParams } from './tasks.js';

interface HostCallOptions extends Omit<SendOptions, 'beforeSending'>, Pick<CallOptions, 'beforeSending'> {
  readonly more?: JsonObject | undefined;
  /** True if only the sender of the arguments sees the errors, so that only `hidden` is masked in them. */
  readonly errorsStayWithCaller?: boolean;
}

type Arguments = Record<string, unknown>;

interface Tools extends Pick<Session, 'listTools' | 'forgetTools' | 'callTool'> {
  /** A call with a host's own options; `argumentsText` is assumed to equal the arguments. */
  sendCall: (tool: CatalogueTool, args: Arguments, options: HostCallOptions) => Promise<ToolResult>;
}

export function toolsOf(live: LiveConnection, ask: Requester, limits: ListLimits): Tools {
  let listed: { connection: Connection; catalogue: Promise<Catalogue>; whole?: Catalogue; staleAt: number } | undefined;
  live.listeners.add((method) => {
    if (method === 'notifications/tools/list_changed') forgetTools();
  });

  function forgetTools(): void {
    listed = undefined;
  }

  /** The list of the current connection, which is asked for before every call. */
  function known(): typeof listed {
    return listed?.connection === live.current() && performance.now() < listed.staleAt ? listed : undefined;
  }

  const listTools: Session['listTools'] = async (options = {}) => {
    checkRequest('listTools', options);
    for (let replaced = 0; replaced <= mostReplacements; replaced++) {
      const connection = live.current();
      const read = known();
      if (read?.whole && !options.signal?.aborted) return read.whole;
      const { catalogue } = read ?? readList(connection, options);
      try {
        const found = await (read ? unlessAborted(catalogue, options.signal) : catalogue);
        // A server that forgot its session meanwhile may have other tools now.
        if (live.connection === connection) return found;
      } catch (error) {
        if (options.signal?.aborted) throw new CancelledError('tools/list was cancelled by the caller.');
        // The caller that began to read has given up; that is no reason to give up here.
        const isOfAnother = read && error instanceof CancelledError;
        const isTorn = error instanceof IncompleteListError && live.connection !== connection;
        if (!isOfAnother && !isTorn) throw error;
      }
    }
    throw forgottenAgain('tools/list');
  };

  function readList(connection: Connection, options: RequestOptions): NonNullable<typeof listed> {
    // A list that may be kept for no time at all (`ttlMs` 0) would be read before every call.
    const onPage = ({ ttlMs }: JsonObject) => {
      if (typeof ttlMs === 'number' && ttlMs > 0)
        reading.staleAt = Math.min(reading.staleAt, performance.now() + ttlMs);
    };
    const catalogue = fetchCatalogue(connection, options, onPage).catch((error: unknown) => {
      // A list with an end that cannot be reached stays as it is.
      const isKept = error instanceof IncompleteListError && error.cause === undefined;
      if (listed === reading && !isKept) listed = undefined;
      throw error;
    });
    const reading: NonNullable<typeof listed> = { connection, catalogue, staleAt: Infinity };
    // An error is thrown to those who wait for it.
    catalogue.then((whole) => (reading.whole = whole)).catch(() => undefined);
    connection.onMissed = () => {
      if (listed === reading) forgetTools();
    };
    return (listed = reading);
  }

  async function fetchCatalogue(
    connection: Connection,
    { signal, idleTimeoutMs }: RequestOptions,
    onPage: (result: JsonObject) => void,
  ): Promise<Catalogue> {
    const { capabilities, instructions, serverInfo = {} } = connection.handshake;
    const reading = { mirrorsHeaders: connection.revision.mirrorsHeaders, instructions, serverInfo };
    if (valueAt(capabilities, '/tools/listChanged') === true) connection.announceTools();
    // If the server names other capabilities, asking for tools would be an error (2025-11-25, Capabilities).
    if (Object.keys(capabilities).length > 0 && !('tools' in capabilities)) return catalogueOf([], reading);
    const page = async (params: JsonObject) => {
      const reply = await ask('tools/list', params, { signal, idleTimeoutMs, mayRepeat: true });
      onPage(reply.result);
      return reply;
    };
    return readAllPages('tools/list', 'tools', page, limits, (pages) => catalogueOf(pages, reading));
  }

  const callTool: Session['callTool'] = async (tool, args, options = {}) => {
    checkRequest('callTool', options);
    if (options.argumentsText !== undefined && !equals(parseJson(options.argumentsText), args))
      throw new ConfigurationError('argumentsText does not match the arguments.');
    // Progress is requested even if nobody listens: each report starts the time limit anew.
    return sendCall(tool, args, { onProgress: () => undefined, ...options });
  };

  const sendCall: Tools['sendCall'] = async (tool, args, options) => {
    const own = callHeaders(options.headers);
    const meta = { ...traceContext(), ...options.meta };
    const { defined: more } = definedParams('tools/call', options.more ?? {});
    const shown = options.errorsStayWithCaller ? {} : args;
    const secrets = () => [...addressSecrets({ headers: own }), ...argumentSecrets(shown, options.hidden)];
    const isUnsafe = (number: number) => !Number.isFinite(number) || mayBeRounded(number);
    const unsafe = options.argumentsText === undefined ? numberIn(args, isUnsafe) : undefined;
    const nonFinite = unsafe === undefined ? undefined : nonFiniteNumberIn(args);
    if (nonFinite !== undefined)
      throw new ConfigurationError(`The arguments cannot be sent: ${nonFinite} is a number that JSON cannot hold.`);
    const rounded = unsafe === undefined ? [] : [roundedNote(unsafe)];
    let refusal: unknown;
    const beforeSending: SendOptions['beforeSending'] = async (deadline) => {
      const list = async () =>
        known()?.whole ?? listTools({ signal: deadline.signal, idleTimeoutMs: options.idleTimeoutMs });
      try {
        await options.beforeSending?.({ listTools: list });
      } catch (error) {
        refusal = error;
        throw error;
      }
    };
    const send = async (described: CatalogueTool) => {
      const connection = live.current();
      const mirrored = connection.revision.mirrorsHeaders && paramHeaders(described.inputSchema, args);
      const reply = await ask(
        'tools/call',
        { name: described.name, arguments: args, ...taskParams(described, connection), ...more },
        Object.assign({}, options, {
          beforeSending: options.beforeSending && beforeSending,
          headers: { ...own, ...mirrored },
          meta,
          secrets,
          mayRepeat: isReadOnly(described) || described.annotations?.['idempotentHint'] === true,
          isReadOnly: isReadOnly(described),
        }),
      );
      const lost = isInterim(reply.result) ? [] : live.notes.splice(0);
      const result = new ReadResult(reply.result, reply.wire, reply.asked, [...rounded, ...lost]);
      return result.isError ? result.withoutSecrets(reply.mask()) : result;
    };
    try {
      return await send(tool);
    } catch (error) {
      // The server checks headers against a newer description of the tool than the one at hand (2026-07-28). Without
      // such headers, the code may mean anything, and the tool may have run.
      const isMismatch = error instanceof ServerError && error.rpcCode === -32020 && error !== refusal;
      if (!isMismatch || !live.current().revision.mirrorsHeaders) throw error;
      forgetTools();
      const { signal, idleTimeoutMs } = options;
      const renewed = (await listTools({ signal, idleTimeoutMs })).find(tool.name);
      if (!renewed) throw error;
      return send(renewed);
    }
  };

  return { listTools, forgetTools, callTool, sendCall };
}

/** The server's word (2025-11-25, Tool Annotations). */
export function isReadOnly({ annotations = {} }: CatalogueTool): boolean {
  return annotations['readOnlyHint'] === true;
}

/** Any program may have put anything in its place. */
interface OpenTelemetry {
  readonly context?: { active(): unknown };
  readonly propagation?: {
    inject(context: unknown, carrier: object, setter: { set(carrier: object, key: string, value: string): void }): void;
  };
}

/** The key under which every copy of @opentelemetry/api 1.x in a process finds the first copy's registrations. */
const registry = Symbol.for('opentelemetry.js.api.1');

/** The caller's trace, if the process uses OpenTelemetry, as entries of `_meta` (2026-07-28; W3C Trace Context). */
function traceContext(): Record<string, string> {
  const found: Record<string, string> = {};
  try {
    const api = (globalThis as { [registry]?: OpenTelemetry })[registry];
    api?.propagation?.inject(api.context?.active(), found, {
      set: (_, key, value) => {
        // Not `baggage`: its contents are meant for the program's own services, not for strangers.
        if (key === 'traceparent' || key === 'tracestate') found[key] = value;
      },
    });
  } catch {
    // Telemetry must not keep a call from being made.
  }
  return found;
}
