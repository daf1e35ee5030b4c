import { type Catalogue, InvalidArgumentsError, type Session, type ToolOutcome } from '../src/internal.js';
import { counted, quote } from '../src/json/index.js';
import { hideSecretsIn, type SecretMask } from '../src/secrets/index.js';
import { ExecutionMemory, type RunContext } from './host/execution.js';
import { limited } from './text.js';

/**
 * What n8n's log says at debug level. Names and counts alone, because arguments, results and addresses may hold secrets;
 * and the names in quotes, because a server may call itself and its tools anything.
 */
type Log = Pick<RunContext, 'logger'>;

const masks = new ExecutionMemory<SecretMask>();

/** Keeps what stands in the address of the node's server out of the log. */
export function maskLog(context: RunContext, mask: SecretMask): void {
  masks.set(context, mask);
}

export function logConnected(context: Log, server: string, session: Session, mask: SecretMask): void {
  log(context, `connected to ${quote(server)}, MCP ${quote(session.protocolVersion)}`, mask);
}

export function logClosed(context: Log, server: string, mask: SecretMask): void {
  log(context, `closed the session with ${quote(server)}`, mask);
}

const listed = new ExecutionMemory<true>();

/** Once for each node in an execution: every call asks for the list. */
export function logListed(context: RunContext, { tools, skipped }: Catalogue, exposed = tools.length): void {
  if (listed.get(context)) return;
  listed.set(context, true);
  const names = skipped.map(({ name, position }) => (name === undefined ? `number ${position + 1}` : quote(name)));
  const which = names.length > 0 ? ` (${limited(names, shown).join(', ')})` : '';
  const counts = `${counted(tools.length, 'tool')} listed, ${names.length} skipped${which}, ${exposed} exposed`;
  log(context, counts, masks.get(context));
}

const shown = 10;

export function logCalled(context: RunContext, tool: string, { repairs, result }: ToolOutcome): void {
  const error = result.isError ? ', the tool reported an error' : '';
  log(context, `called ${quote(tool)}, ${counted(repairs.length, 'repair')}${error}`, masks.get(context));
}

/** A call that was not made; errors of another kind are shown elsewhere. */
export function logRefused(context: RunContext, tool: string, error: unknown): void {
  if (error instanceof InvalidArgumentsError) {
    log(context, `refused a call of ${quote(tool)}, ${error.outcome} arguments`, masks.get(context));
  }
}

function log({ logger }: Log, text: string, mask: (text: string) => string = hideSecretsIn): void {
  logger.debug(`MCP Verbatim: ${mask(text)}`);
}
