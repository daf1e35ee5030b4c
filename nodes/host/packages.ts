import type * as langchainTools from '@langchain/core/tools';
import type * as zod from 'zod';
import type { Zod } from '../../src/projections/zod/index.js';
import { SetupError } from '../errors.js';
import { hostModule } from './modules.js';

export interface HostPackages {
  readonly z: Zod;
  readonly DynamicStructuredTool: typeof langchainTools.DynamicStructuredTool;
  /** What chat models turn a tool's schema with. Absent in very old versions of LangChain. */
  readonly toJsonSchema?: ((schema: unknown) => unknown) | undefined;
}

/** What LangChain takes as the schema of a tool. Zod 3's own types do not fit it under `exactOptionalPropertyTypes`. */
export type ToolSchema = langchainTools.DynamicStructuredTool['schema'];

/** Those of n8n's AI nodes, so that `instanceof` holds there. */
export function hostPackages(): HostPackages {
  const { z } = moduleOf<typeof zod>('zod');
  const { DynamicStructuredTool } = moduleOf<typeof langchainTools>('@langchain/core/tools');
  const { toJsonSchema } = moduleOf<Pick<HostPackages, 'toJsonSchema'>>('@langchain/core/utils/json_schema');
  if (z === undefined || DynamicStructuredTool === undefined)
    throw new SetupError(
      "n8n's AI packages were not found",
      'This node needs zod and @langchain/core of the package @n8n/n8n-nodes-langchain, which is part of n8n. ' +
        `It was looked for from ${process.argv[1] ?? 'the program that runs n8n'} and on NODE_PATH. ` +
        'Reinstall n8n, or start it with its own command (n8n start, n8n worker).',
    );
  return { z, DynamicStructuredTool, toJsonSchema };
}

function moduleOf<Module extends object>(name: string): Partial<Module> {
  return hostModule(name) ?? {};
}

type Class = abstract new () => unknown;

/**
 * n8n recognises a toolkit by `tools` and `getTools`; earlier versions want an instance of a class, of n8n's own (seen in
 * 2.20) or of LangChain's (in 1.123 and 2.0), and otherwise take the toolkit for one nameless tool.
 */
export function hostToolkit<T>(tools: T[], Toolkit = toolkitClass()): { tools: T[]; getTools(): T[] } {
  const toolkit = { tools, getTools: () => tools };
  if (Toolkit !== undefined && !(toolkit instanceof Toolkit))
    Object.setPrototypeOf(toolkit, Toolkit.prototype as object); // a class's prototype is an object
  return toolkit;
}

function toolkitClass(): Class | undefined {
  const { StructuredToolkit } = moduleOf<{ StructuredToolkit: Class }>('n8n-core');
  const module = moduleOf<{ Toolkit: Class }>;
  return StructuredToolkit ?? module('@langchain/classic/agents').Toolkit ?? module('langchain/agents').Toolkit;
}
