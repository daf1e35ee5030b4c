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

/** Only contexts of an execution can show hints. */
type HintContext = { addExecutionHints?: (...hints: NodeExecutionHint[]) => void };

const shown = 10;

/** Shows on the node which tools of the server cannot be called, and why. */
export function hintSkipped(context: HintContext, catalogue: Catalogue): void {
  hintList(context, 'warning', 'Skipped', skippedReasons(catalogue));
}

/** Why tools are skipped, each under its name. */
export function skippedReasons({ skipped }: Catalogue): string[] {
  return skipped.map(({ name, position, reason }) => {
    const tool = name === undefined ? `number ${position + 1}` : `"${name}"`;
    return `${tool}: ${reason.message}`;
  });
}

/** What a tool's texts have that people do not see. */
export function invisibleNotes({ name, definition }: CatalogueTool): string[] {
  return invisibleIn(definition).map(({ message }) => `"${name}": ${message}`);
}

/** The same of the server's name, and of its instructions where they are used. */
export function invisibleOfServer({ instructions = '', serverInfo = {} }: Catalogue, areUsed = true): string[] {
  return invisibleIn({ serverInfo, ...(areUsed && { instructions }) }).map(({ message }) => message);
}

/** Shows on the node what was repaired in the arguments of a call, and what the library warns of. */
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

/** Shows on the node what a server asked in the middle of a call, and what the answer was. */
export function hintAsked(context: HintContext, tool: string, asked: readonly Asked[] = []): void {
  const answers = asked.map(({ message, url, action, content, reason }) => {
    const page = url === undefined ? '' : ` (${url})`;
    const answer = { accept: `answered ${jsonText(content ?? {})}`, decline: 'declined', cancel: 'cancelled' }[action];
    return `${JSON.stringify(message)}${page}: ${answer}${reason === undefined ? '' : `, because: ${reason}`}`;
  });
  hintList(context, 'info', `The server asked during "${tool}"`, answers);
}

/** Shows that a list is empty because the server has nothing to list. */
export function hintNone(context: HintContext, server: string, what: string): void {
  hintText(context, 'info', `${server} has no ${what}.`);
}

/** Shows something about each of some things; nothing where there are none. */
export function hintList(context: HintContext, type: 'info' | 'warning', what: string, entries: string[]): void {
  if (entries.length > 0) hintText(context, type, `${what}: ${limited(entries, shown).join(' · ')}`);
}

export function hintText(context: HintContext, type: 'info' | 'warning', text: string): void {
  context.addExecutionHints?.({ message: plainText(text), type, location: 'outputPane' });
}
