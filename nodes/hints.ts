import type { NodeExecutionHint } from 'n8n-workflow';
import {
  type Asked,
  type Catalogue,
  type CatalogueTool,
  describeRepair,
  invisibleIn,
  type ToolOutcome,
} from '../src/internal.js';
import { jsonText } from '../src/json/index.js';
import { limited, plainText } from './text.js';

type HintContext = { addExecutionHints?: (...hints: NodeExecutionHint[]) => void };

const shown = 10;

/** Says on the node which tools of the server cannot be called, and why. */
export function hintSkipped(context: HintContext, { skipped }: Catalogue): void {
  const reasons = skipped.map(({ name, position, reason }) => {
    const tool = name === undefined ? `number ${position + 1}` : `"${name}"`;
    return `${tool}: ${reason.message}`;
  });
  hintList(context, 'warning', 'Set aside (cannot be called)', reasons);
}

/** What a tool's texts have that people do not see. */
export function invisibleNotes({ name, definition }: CatalogueTool): string[] {
  return invisibleIn(definition).map(({ message }) => `"${name}": ${message}`);
}

/** The same of what the server calls itself, and of its instructions where somebody is told them. */
export function invisibleOfServer({ instructions = '', serverInfo = {} }: Catalogue, areTold = true): string[] {
  return invisibleIn({ serverInfo, ...(areTold && { instructions }) }).map(({ message }) => message);
}

/** Says on the node what was repaired in the arguments of a call, and what the library warns of. */
export function hintOutcome(context: HintContext, tool: string, { repairs, warnings, result }: ToolOutcome): void {
  hintList(context, 'info', `Repaired for "${tool}"`, repairs.map(describeRepair));
  hintList(
    context,
    'warning',
    `"${tool}"`,
    warnings.map(({ message }) => message),
  );
  hintAsked(context, tool, result.asked);
}

/** Says on the node what a server asked in the middle of a call, and what it was answered. */
export function hintAsked(context: HintContext, tool: string, asked: readonly Asked[] = []): void {
  const answers = asked.map(({ message, url, action, content, reason }) => {
    const page = url === undefined ? '' : ` (${url})`;
    const said = { accept: `answered ${jsonText(content ?? {})}`, decline: 'declined', cancel: 'cancelled' }[action];
    return `${JSON.stringify(message)}${page}: ${said}${reason === undefined ? '' : `, because: ${reason}`}`;
  });
  hintList(context, 'info', `The server asked during "${tool}"`, answers);
}

/** Says that a list is empty because the server has nothing to list. */
export function hintNone(context: HintContext, server: string, what: string): void {
  hint(context, 'info', `${server} offers no ${what}.`);
}

/** Says that an agent works on several items, but has the expressions of its tools' nodes see its first one alone. */
export function hintFirstItem(context: HintContext): void {
  hint(
    context,
    'warning',
    'The agent has several items, and calls tools for all of them with what the expressions of this node give for the first. AI Agent 3 and later tell them apart.',
  );
}

/** Says that the agent did not wait for the answer. */
export function hintLegacyOrder(context: HintContext): void {
  hint(
    context,
    'warning',
    'This workflow uses the legacy execution order: the agent went on before this answer came, and read an empty one. Choose v1 in the settings of the workflow.',
  );
}

/** Says something about each of some things; nothing where there are none. */
export function hintList(context: HintContext, type: 'info' | 'warning', what: string, entries: string[]): void {
  if (entries.length > 0) hint(context, type, `${what}: ${limited(entries, shown).join(' · ')}`);
}

function hint(context: HintContext, type: 'info' | 'warning', text: string): void {
  context.addExecutionHints?.({ message: plainText(text), type, location: 'outputPane' });
}
