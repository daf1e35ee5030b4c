import type { NodeOperationError } from 'n8n-workflow';
import type { Catalogue, McpError, ModelTool, ToolOutcome, ToolResult } from '../src/internal.js';
import { describeRepair, InvalidArgumentsError, isRequestFailure, resultText } from '../src/internal.js';
import { counted, jsonText, quote } from '../src/json/index.js';
import type { Server } from './connection/session.js';
import { operationError } from './errors.js';
import { hintList } from './hints.js';
import { isFirstTime, type RunContext } from './host/execution.js';
import { limited, withPlainPlace } from './text.js';

export type CalledTool = Pick<ModelTool, 'name' | 'tool'>;

/** Makes a call, and reports its outcome in the log and in hints. */
export async function callVisibly(
  context: RunContext,
  log: Server['log'],
  name: string,
  call: () => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  const outcome = await call().catch((error: unknown) => {
    if (error instanceof InvalidArgumentsError) log(`refused a call of ${quote(name)}, ${error.outcome} arguments`);
    if (isRequestFailure(error)) hintAsked(context, name, error.asked);
    throw error;
  });
  const { repairs, warnings, result } = outcome;
  const failed = result.isError ? ', the tool reported an error' : '';
  log(`called ${quote(name)}, ${counted(repairs.length, 'repair')}${failed}`);
  const repaired = repairs.map((repair) => withPlainPlace(describeRepair(repair)).replace(/^(\S+:) "/, '$1 text "'));
  hintList(context, 'info', `Repaired arguments of "${name}"`, repaired);
  const messages = warnings.map(({ message }) => message);
  hintList(context, 'warning', `"${name}"`, messages);
  hintAsked(context, name, result.asked);
  return outcome;
}

/** A tool's own error, each part of its text once: the first line in the title, the others beneath it. */
export function toolError(
  context: RunContext,
  name: string,
  result: ToolResult,
  place: { itemIndex?: number } = {},
): NodeOperationError {
  const text = resultText(result).trim();
  const [line = '', ...others] = text.split('\n');
  const isTitle = line !== '' && line.length <= 200;
  const message = `The tool "${name}" reported an error${isTitle ? `: ${line}` : ''}`;
  return operationError(context.getNode(), message, { ...place, description: isTitle ? others.join('\n') : text });
}

function hintAsked(context: RunContext, tool: string, asked: McpError['asked'] = []): void {
  const answers = asked.map(({ message, url, action, content, reason }) => {
    const page = url === undefined ? '' : ` (${url})`;
    const answer = { accept: `answered ${jsonText(content ?? {})}`, decline: 'declined', cancel: 'cancelled' }[action];
    return `${JSON.stringify(message)}${page}: ${answer}${reason === undefined ? '' : `, because: ${reason}`}`;
  });
  hintList(context, 'info', `The server asked during "${tool}"`, answers);
}

/** Once for each node in an execution: every call asks for the list. */
export function logListed(
  context: RunContext,
  { log }: Pick<Server, 'log'>,
  catalogue: Catalogue,
  exposed: number,
): void {
  if (!isFirstTime(context, 'listed')) return;
  const { tools, skipped } = catalogue;
  const names = skipped.map(({ name, position }) => (name === undefined ? `number ${position + 1}` : quote(name)));
  const which = names.length > 0 ? ` (${limited(names, 10).join(', ')})` : '';
  log(`${counted(tools.length, 'tool')} listed, ${names.length} skipped${which}, ${exposed} exposed`);
}
