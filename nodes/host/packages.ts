import type * as langchainTools from '@langchain/core/tools';
import type * as langchainSchemas from '@langchain/core/utils/json_schema';
import type * as zod from 'zod';
import type { Zod } from '../../src/projections/zod/index.js';
import { SetupError } from '../errors.js';
import { hostModule } from './modules.js';

export interface HostPackages {
  readonly z: Zod;
  readonly DynamicStructuredTool: typeof langchainTools.DynamicStructuredTool;
  /** What chat models turn a tool's schema with. Absent in very old versions of LangChain. */
  readonly toJsonSchema?: (schema: unknown) => unknown;
}

/** What LangChain takes as the schema of a tool. Zod 3's own types do not fit it under `exactOptionalPropertyTypes`. */
export type ToolSchema = langchainTools.DynamicStructuredTool['schema'];

let loaded: HostPackages | undefined;

/**
 * The Zod and the LangChain of n8n's AI nodes, so that `instanceof` holds there.
 *
 * @throws SetupError where this n8n has none
 */
export function hostPackages(): HostPackages {
  return (loaded ??= load());
}

function load(): HostPackages {
  // All three are checked for what is used of them.
  const { z } = (hostModule('zod') ?? {}) as Partial<typeof zod>;
  const { DynamicStructuredTool } = (hostModule('@langchain/core/tools') ?? {}) as Partial<typeof langchainTools>;
  const { toJsonSchema } = (hostModule('@langchain/core/utils/json_schema') ?? {}) as Partial<typeof langchainSchemas>;
  if (z === undefined || DynamicStructuredTool === undefined)
    throw new SetupError(
      "n8n's AI packages were not found",
      'This node needs zod and @langchain/core of the package @n8n/n8n-nodes-langchain, which is part of n8n. ' +
        `It was looked for from ${process.argv[1] ?? 'the program that runs n8n'} and on NODE_PATH. ` +
        'Reinstall n8n, or start it with its own command (n8n start, n8n worker).',
    );
  return {
    z,
    DynamicStructuredTool,
    // It takes whatever a tool's schema may be.
    ...(toJsonSchema && { toJsonSchema: (schema) => toJsonSchema(schema as object) }),
  };
}
