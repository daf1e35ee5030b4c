import { NodeOperationError } from 'n8n-workflow';
import { type Catalogue, type CatalogueTool, isReadOnly } from '../../../src/index.js';
import type { RunContext } from '../../connection/execution.js';
import { enumerate } from '../../text.js';

/** What the node is to offer, as its parameters say. */
export interface Selection {
  include: unknown;
  includeTools: unknown;
  excludeTools: unknown;
}

/**
 * The tools that the node's parameters choose for an item.
 *
 * @throws NodeOperationError where none is selected, or one that the server does not offer
 */
export function chosenTools(context: RunContext, itemIndex: number, catalogue: Catalogue): readonly CatalogueTool[] {
  const selection = selectionOf(context, itemIndex);
  if (selection.include === 'selected') refuseMissing(context, itemIndex, catalogue, names(selection.includeTools));
  return selectedTools(catalogue, selection);
}

/** Whether the node's parameters choose a tool of this name; one that is gone, whatever it did. */
export function isChosen(context: RunContext, itemIndex: number, catalogue: Catalogue, name: string): boolean {
  const { include, ...named } = selectionOf(context, itemIndex);
  const tool = catalogue.find(name);
  if (tool) return selectedTools({ tools: [tool] }, { include, ...named }).length > 0;
  if (include === 'selected') return names(named.includeTools).includes(name);
  return include !== 'except' || !names(named.excludeTools).includes(name);
}

function selectionOf(context: RunContext, itemIndex: number): Selection {
  return {
    include: context.getNodeParameter('include', itemIndex, 'all'),
    includeTools: context.getNodeParameter('includeTools', itemIndex, []),
    excludeTools: context.getNodeParameter('excludeTools', itemIndex, []),
  };
}

/** A selected tool that the server no longer offers would otherwise be missed in silence. */
function refuseMissing(context: RunContext, itemIndex: number, catalogue: Catalogue, wanted: string[]): void {
  const missing = wanted.filter((name) => catalogue.find(name) === undefined && !isUnapproved(catalogue, name));
  if (wanted.length > 0 && missing.length === 0) return;
  const [message, description] =
    wanted.length === 0
      ? ['No tool is selected', 'Select at least one tool under "Tools to Include", or include all.']
      : [
          `The server does not offer ${missing.map((name) => `"${name}"`).join(', ')}`,
          `It offers: ${offeredNames(catalogue)}.`,
        ];
  throw new NodeOperationError(context.getNode(), message, { description, itemIndex });
}

export function offeredNames({ tools }: Catalogue): string {
  return enumerate(tools.map((tool) => tool.name)) || 'nothing that can be called';
}

export function selectedTools(
  { tools }: Pick<Catalogue, 'tools'>,
  { include, includeTools, excludeTools }: Selection,
): readonly CatalogueTool[] {
  if (include === 'selected') return tools.filter(({ name }) => names(includeTools).includes(name));
  if (include === 'except') return tools.filter(({ name }) => !names(excludeTools).includes(name));
  if (include === 'readOnly') return tools.filter(isReadOnly);
  if (include === 'others') return tools.filter((tool) => !isReadOnly(tool));
  return tools;
}

export function names(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}

/** Whether a tool is not offered because nobody approved it. */
export function isUnapproved({ setAside }: Catalogue, name: string): boolean {
  return setAside.some((entry) => entry.name === name && unapproved.includes(entry.reason.code));
}

const unapproved: readonly string[] = ['changed-since-approved', 'not-approved'];
