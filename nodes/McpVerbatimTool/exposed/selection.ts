import type { ToolSelection } from '../../../src/internal.js';
import { SetupError } from '../../errors.js';
import { choiceIn, namesIn } from '../../values.js';
import { include, leftOut, selected } from '../description.js';

export interface Selection {
  include: (typeof include)['default'];
  named: readonly string[];
}

/** @throws SetupError if an expression gives no choice: too many tools would be exposed */
export function readSelection(read: (parameter: string, fallback: unknown) => unknown): Selection {
  const choice = choiceIn(include, read(include.name, include.default));
  if (choice !== 'selected' && choice !== 'except') return { include: choice, named: [] };
  const field = choice === 'selected' ? selected : leftOut;
  return { include: choice, named: namesIn(field, read(field.name, [])) };
}

export function toolSelection({ include, named }: Selection): ToolSelection {
  return {
    ...(include === 'selected' && { include: named }),
    ...(include === 'except' && { exclude: named }),
    ...((include === 'readOnly' || include === 'allExceptReadOnly') && { readOnly: include === 'readOnly' }),
  };
}

/** @throws SetupError if no tool was chosen */
export function refuseEmpty({ include, named }: Selection): void {
  if (include === 'selected' && named.length === 0)
    throw new SetupError('No tool is selected', 'Select at least one tool under "Tools to Include", or include all.');
}
