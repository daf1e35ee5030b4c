import type { McpError, McpErrorCode } from './errors.js';

/** The progress of a request until it ended in an error. */
export interface Progressed {
  readonly method: string;
  /** True if it was written to the wire and no answer came. */
  readonly isUnderWay: boolean;
  /** True if the server has turned it into a task whose end is not known. */
  readonly hasTask?: boolean;
  /** True if the server says that the tool only reads. */
  readonly isReadOnly?: boolean | undefined;
}

/** Errors that say that the server has not carried the request out, or never received it. */
const refusals: readonly McpErrorCode[] = [
  ...(['CONNECTION_FAILED', 'AUTHORIZATION_REQUIRED', 'FORBIDDEN', 'UNSUPPORTED_PROTOCOL_VERSION'] as const),
  ...(['INPUT_REQUIRED', 'NOT_AS_APPROVED'] as const),
];

/** Codes of JSON-RPC for requests that were not carried out. For timeouts upstream each gateway has another code. */
const refusedUnread: readonly unknown[] = [-32700, -32600, -32601, -32602];

/** True if the server may have carried out a request that ended in this error. No other code decides it. */
export function isOutcomeUnknown(error: McpError, { method, isUnderWay, hasTask, isReadOnly }: Progressed): boolean {
  if (isReadOnly || !changesSomething(method)) return false;
  if (hasTask) return true;
  if (!isUnderWay || refusals.includes(error.code)) return false;
  const { code, status = 0, details = '' } = error;
  if (code === 'SERVER_ERROR')
    return 'rpcCode' in error && !refusedUnread.includes(error.rpcCode) && /timed? ?out/i.test(details);
  // A 408 and a 503 as well: the server behind a gateway may have the request. So may one that redirects a POST.
  if (code === 'HTTP_STATUS') return status >= 500 || status === 408 || (status >= 300 && status < 400);
  return true;
}

export function changesSomething(method: string): boolean {
  return !harmless.has(method);
}

export const connecting = 'the attempt to connect'; // in place of a method

/** These read, begin, or come to the same when they are sent twice. */
const harmless: ReadonlySet<string> = new Set([
  ...[connecting, 'initialize', 'server/discover', 'ping', 'completion/complete', 'logging/setLevel'],
  ...['tools/list', 'prompts/list', 'prompts/get', 'tasks/get', 'tasks/list', 'tasks/result'],
  ...['resources/list', 'resources/templates/list', 'resources/read', 'resources/subscribe', 'resources/unsubscribe'],
  'subscriptions/listen',
]);
