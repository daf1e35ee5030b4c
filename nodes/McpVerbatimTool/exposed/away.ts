import { McpError, type McpErrorCode, noticeTool } from '../../../src/internal.js';
import type { RunContext } from '../../connection/execution.js';
import type { NodeOptions } from '../../options/read.js';
import { namesTaken, ownerOf, rememberNames } from './names.js';
import type { Offer } from './offered-tools.js';

/** What an agent is offered while the server is away: one tool, which says so. */
export function offerWithout(context: RunContext, { prefix }: Pick<NodeOptions, 'prefix'>, reason: string): Offer {
  const text =
    `The tools of this server are not available: ${reason} ` +
    'Do what you can without them, and say in your answer what you could not do.';
  const naming = { prefix, taken: namesTaken(context), owner: ownerOf(context) };
  const notice = noticeTool('server_unavailable', text, naming);
  rememberNames(context, [notice.name]);
  const absent = { notSelected: [], notLeftOut: [], notAlways: [] };
  return { tools: [], told: [notice], notices: [notice], fixed: new Map(), absent, renamed: [] };
}

/** Whether the server is not there, or not in a state to answer; what is wrong with the credential is no such thing. */
export function isAway(error: unknown): error is McpError {
  return error instanceof McpError && awayCodes.has(error.code);
}

const awayCodes: ReadonlySet<McpErrorCode> = new Set([
  ...(['CONNECTION_FAILED', 'CONNECTION_LOST', 'SERVER_EXITED', 'HTTP_STATUS', 'TIMEOUT', 'SESSION_CLOSED'] as const),
]);
