import type { NodeExecutionHint } from 'n8n-workflow';
import { type Catalogue, type CatalogueTool, invisibleIn, type Provider, tooManyTools } from '../src/internal.js';
import { limited, plainText } from './text.js';

type HintContext = { addExecutionHints?: (...hints: NodeExecutionHint[]) => void };

export function hintSkipped(context: HintContext, catalogue: Catalogue): void {
  hintList(context, 'warning', 'Skipped', skippedReasons(catalogue));
}

export function skippedReasons({ skipped }: Catalogue): string[] {
  return skipped.map(({ name, position, reason }) => {
    const tool = name === undefined ? `number ${position + 1}` : `"${name}"`;
    return `${tool}: ${reason.message}`;
  });
}

export function invisibleNotes({ name, definition }: CatalogueTool): string[] {
  return invisibleIn(definition).map(({ message }) => `"${name}": ${message}`);
}

export function invisibleOfServer({ instructions = '', serverInfo = {} }: Catalogue, areUsed = true): string[] {
  return invisibleIn({ serverInfo, ...(areUsed && { instructions }) }).map(({ message }) => message);
}

export function hintList(context: HintContext, type: 'info' | 'warning', what: string, entries: string[]): void {
  if (entries.length > 0) hintText(context, type, `${what}: ${limited(entries, 10).join(' · ')}`);
}

export function hintText(context: HintContext, type: 'info' | 'warning', text: string): void {
  context.addExecutionHints?.({ message: plainText(text), type, location: 'outputPane' });
}

export function tooManyFor(providers: readonly Provider[], count: number): string[] {
  const texts = providers.flatMap((provider) => tooManyTools(count, provider) ?? []);
  return texts.map((text) => text.replace(/\.$/, ' (option "Tool Search").'));
}
