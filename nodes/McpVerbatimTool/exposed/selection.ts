import { NodeOperationError } from 'n8n-workflow';
import { type Catalogue, type CatalogueTool, isReadOnly } from '../../../src/internal.js';
import type { RunContext } from '../../connection/execution.js';
import { isList } from '../../../src/json/index.js';
import { textOfValue } from '../../editor/gate.js';
import { enumerate } from '../../text.js';
import { includeOptions } from '../description.js';

/** What the node is to offer, as its parameters say. */
export interface Selection {
  include: unknown;
  /** The tools that are selected, or left out. */
  named: readonly string[];
}

/** The tools that the node's parameters choose, and what they name in vain. */
export interface Chosen {
  readonly chosen: readonly CatalogueTool[];
  /** Names of selected tools that the server does not have. */
  readonly notSelected: readonly string[];
  /** Names of tools to leave out that the server does not have: what goes by another name now is not left out. */
  readonly notLeftOut: readonly string[];
}

/** @throws NodeOperationError where none is selected, or none that the server offers */
export function chosenTools(context: RunContext, itemIndex: number, catalogue: Catalogue): Chosen {
  const selection = selectionOf(context, itemIndex);
  const { include, named } = selection;
  const chosen = selectedTools(catalogue, selection);
  if (include === 'selected' && chosen.length === 0) refuseNone(context, itemIndex, catalogue, named);
  const absent = absentFrom(catalogue, named);
  return {
    chosen,
    notSelected: include === 'selected' ? absent : [],
    notLeftOut: include === 'except' ? absent : [],
  };
}

/** The names that a server has no tool for. Those that cannot be called are told with the reason. */
export function absentFrom(catalogue: Catalogue, names: readonly string[]): string[] {
  return names.filter((name) => !isListed(catalogue, name));
}

/** Whether a server has a tool of this name, be it that it cannot be called. */
function isListed(catalogue: Catalogue, name: string): boolean {
  return catalogue.find(name) !== undefined || catalogue.skipped.some((entry) => entry.name === name);
}

/** Whether a selection has a tool of this name; one that is gone, whatever it did. */
export function isChosen({ include, named }: Selection, catalogue: Catalogue, name: string): boolean {
  const tool = catalogue.find(name);
  if (tool) return selectedTools({ tools: [tool] }, { include, named }).length > 0;
  if (include === 'selected') return named.includes(name);
  return include !== 'except' || !named.includes(name);
}

/**
 * @throws NodeOperationError where an expression gives what chooses nothing: all tools would be offered, or those that
 *   were to be left out
 */
export function selectionOf(context: RunContext, itemIndex: number): Selection {
  const include = context.getNodeParameter('include', itemIndex, 'all');
  const choices = includeOptions.map(({ value }) => value);
  if (!choices.some((value) => value === include))
    throw choosesNothing(context, itemIndex, 'Tools to Include', choices.join(', '));
  const parameter = namesFor(include);
  const named = parameter ? names(context.getNodeParameter(parameter, itemIndex, [])) : [];
  if (named) return { include, named };
  const label = parameter === 'includeTools' ? 'Tools' : 'Tools to Leave Out';
  throw choosesNothing(context, itemIndex, label, 'a list of names, or names with commas between them');
}

function choosesNothing(context: RunContext, itemIndex: number, label: string, takes: string): NodeOperationError {
  const description = `Its expression gives none of what it takes: ${takes}.`;
  return new NodeOperationError(context.getNode(), `"${label}" chooses nothing`, { description, itemIndex });
}

/** The parameter that holds the names for a choice, if it is one by names. */
export function namesFor(include: unknown): 'includeTools' | 'excludeTools' | undefined {
  return include === 'selected' ? 'includeTools' : include === 'except' ? 'excludeTools' : undefined;
}

/** Names as they were chosen, or as an expression may give them; undefined where they are none. */
export function names(value: unknown): readonly string[] | undefined {
  const list = typeof value === 'string' ? value.split(',').flatMap((name) => name.trim() || []) : value;
  return isList(list) && list.every((name) => typeof name === 'string') ? list.map(textOfValue) : undefined;
}

function refuseNone(context: RunContext, itemIndex: number, catalogue: Catalogue, wanted: readonly string[]): void {
  // What nobody approved is told as such.
  const missing = wanted.filter((name) => !isUnapproved(catalogue, name));
  if (wanted.length > 0 && missing.length === 0) return;
  const [message, description] =
    wanted.length === 0
      ? ['No tool is selected', 'Select at least one tool under "Tools to Include", or include all.']
      : [
          `The server does not offer ${enumerate(missing.map((name) => `"${name}"`))}`,
          `It offers: ${offeredNames(catalogue)}.`,
        ];
  throw new NodeOperationError(context.getNode(), message, { description, itemIndex });
}

export function offeredNames({ tools }: Catalogue): string {
  return enumerate(tools.map((tool) => tool.name)) || 'nothing that can be called';
}

export function selectedTools(
  { tools }: Pick<Catalogue, 'tools'>,
  { include, named }: Selection,
): readonly CatalogueTool[] {
  if (include === 'selected') return tools.filter(({ name }) => named.includes(name));
  if (include === 'except') return tools.filter(({ name }) => !named.includes(name));
  if (include === 'readOnly') return tools.filter(isReadOnly);
  if (include === 'others') return tools.filter((tool) => !isReadOnly(tool));
  return tools;
}

/** Whether a tool is not offered because nobody approved it. */
export function isUnapproved({ skipped }: Catalogue, name: string): boolean {
  return skipped.some((entry) => entry.name === name && unapproved.includes(entry.reason.code));
}

const unapproved: readonly string[] = ['changed-since-approved', 'not-approved'];
