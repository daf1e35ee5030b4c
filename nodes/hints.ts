import type { NodeExecutionHint } from 'n8n-workflow';
import type { Catalogue, ToolOutcome } from '../src/index.js';

type HintContext = { addExecutionHints?: (...hints: NodeExecutionHint[]) => void };

const shown = 10;

/** Says on the node which tools of the server cannot be called, and why. */
export function hintSetAside(context: HintContext, catalogue: Catalogue): void {
  const { setAside } = catalogue;
  if (setAside.length === 0) return;
  const reasons = setAside
    .slice(0, shown)
    .map((tool) => `${tool.name === undefined ? `number ${tool.position + 1}` : `"${tool.name}"`}: ${tool.reason.message}`);
  const rest = setAside.length > shown ? [`and ${setAside.length - shown} more`] : [];
  hint(context, 'warning', `Set aside, because it cannot be called: ${[...reasons, ...rest].join(' · ')}`);
}

/** Says on the node what was repaired in the arguments of a call, and what the library warns of. */
export function hintOutcome(context: HintContext, tool: string, outcome: ToolOutcome): void {
  const repairs = outcome.repairs
    .slice(0, shown)
    .map(({ instanceLocation, from, to }) => `${instanceLocation}: ${short(from)} → ${to === undefined ? 'left out' : short(to)}`);
  if (repairs.length > 0) hint(context, 'info', `Repaired for "${tool}": ${repairs.join(' · ')}`);
  for (const warning of outcome.warnings.slice(0, shown)) hint(context, 'warning', `"${tool}": ${warning.message}`);
}

function hint(context: HintContext, type: 'info' | 'warning', message: string): void {
  context.addExecutionHints?.({ message, type, location: 'outputPane' });
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
