import type { ToolRunnableConfig } from '@langchain/core/tools';
import type { CatalogueTool, FixedArguments } from '../../internal.js';

/**
 * Arguments that are not the model's, by the tools' own names: values, or functions that make them of the run's config.
 */
export type Fixed = Readonly<Record<string, Readonly<Record<string, FixedArgument>>>>;

/** A value, or a function that makes one of the config of the run. */
export type FixedArgument =
  | string
  | number
  | boolean
  | null
  | readonly unknown[]
  | { readonly [name: string]: unknown }
  | ((config: ToolRunnableConfig) => unknown);

/** The names of the arguments of a tool that are fixed. */
export function fixedNames(fixed: Fixed | undefined, { name }: Pick<CatalogueTool, 'name'>): string[] {
  return fixed && Object.hasOwn(fixed, name) ? Object.keys(fixed[name] ?? {}) : [];
}

/** Their values in this run. */
export async function fixedArguments(
  fixed: Fixed | undefined,
  tool: Pick<CatalogueTool, 'name'>,
  config: ToolRunnableConfig,
): Promise<FixedArguments> {
  const entries = fixedNames(fixed, tool).map(async (name) => {
    const value = fixed?.[tool.name]?.[name];
    return [name, typeof value === 'function' ? await value(config) : value] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}
