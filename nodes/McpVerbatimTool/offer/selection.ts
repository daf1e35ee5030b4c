import { type Catalogue, type CatalogueTool, isReadOnly } from '../../../src/index.js';

/** What the node is to offer, as its parameters say. */
export interface Selection {
  include: unknown;
  includeTools: unknown;
  excludeTools: unknown;
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
