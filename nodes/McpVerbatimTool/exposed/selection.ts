import { type Catalogue, type CatalogueTool, isSelected, type ToolSelection } from '../../../src/internal.js';
import { isList } from '../../../src/json/index.js';
import { textOfValue } from '../../editor/gate.js';
import { SetupError } from '../../errors.js';
import { includeOptions } from '../description.js';

export interface Selection {
  include: unknown;
  named: readonly string[];
}

/** @throws SetupError where an expression gives no choice: all tools would be exposed, or those to be left out */
export function readSelection(read: (parameter: string, fallback: unknown) => unknown): Selection {
  const include = read('include', 'all');
  const choices = includeOptions.map(([, value]) => value);
  if (!choices.some((value) => value === include)) throw choosesNothing('Tools to Include', choices.join(', '));
  if (include !== 'selected' && include !== 'except') return { include, named: [] };
  const [parameter, label] =
    include === 'selected' ? ['includeTools', 'Tools'] : ['excludeTools', 'Tools to Leave Out'];
  const value = read(parameter, []);
  const names = typeof value === 'string' ? value.split(',').flatMap((name) => name.trim() || []) : value;
  if (isList(names) && names.every((name) => typeof name === 'string'))
    return { include, named: names.map(textOfValue) };
  throw choosesNothing(label, 'a list of names, or names with commas between them');
}

function choosesNothing(label: string, takes: string): SetupError {
  return new SetupError(`"${label}" chooses nothing`, `Its expression gives none of what it takes: ${takes}.`);
}

export function toolSelection({ include, named }: Selection): ToolSelection {
  return {
    ...(include === 'selected' && { include: named }),
    ...(include === 'except' && { exclude: named }),
    ...((include === 'readOnly' || include === 'others') && { readOnly: include === 'readOnly' }),
  };
}

export function selectedTools({ tools }: Pick<Catalogue, 'tools'>, selection: Selection): readonly CatalogueTool[] {
  return tools.filter((tool) => isSelected(toolSelection(selection), tool));
}

/** @throws SetupError if no tool was chosen */
export function refuseEmpty({ include, named }: Selection): void {
  if (include === 'selected' && named.length === 0)
    throw new SetupError('No tool is selected', 'Select at least one tool under "Tools to Include", or include all.');
}

export function isUnapproved({ skipped }: Catalogue, name: string): boolean {
  return skipped.some((entry) => entry.name === name && unapproved.includes(entry.reason.code));
}

const unapproved: readonly string[] = ['changed-since-approved', 'not-approved'];
