/* eslint-disable @typescript-eslint/no-require-imports --
 * n8n puts its own packages on NODE_PATH, which only `require` follows. An `import()` would miss them, or find the
 * ESM copy of a package whose classes the agents do not recognise. */

import type * as langchainTools from '@langchain/core/tools';
import type * as zod from 'zod';
import type { Zod } from '../../src/projections/zod/index.js';

export interface HostPackages {
  readonly z: Zod;
  readonly DynamicStructuredTool: typeof langchainTools.DynamicStructuredTool;
  /** What chat models turn a tool's schema with. Absent in very old versions of LangChain. */
  readonly toJsonSchema?: (schema: unknown) => unknown;
}

/** What LangChain takes as the schema of a tool. Zod 3's own types do not fit it under `exactOptionalPropertyTypes`. */
export type ToolSchema = langchainTools.DynamicStructuredTool['schema'];

let loaded: HostPackages | undefined;

/** The packages of the n8n that runs us: its Zod and its LangChain, so that `instanceof` holds there. */
export function hostPackages(): HostPackages {
  loaded ??= load();
  return loaded;
}

function load(): HostPackages {
  const { z } = require('zod') as typeof zod; // require is untyped
  const { DynamicStructuredTool } = require('@langchain/core/tools') as typeof langchainTools;
  const toJsonSchema = attempt(
    () => (require('@langchain/core/utils/json_schema') as { toJsonSchema?: unknown }).toJsonSchema,
  );
  return { z, DynamicStructuredTool, ...(isFunction(toJsonSchema) ? { toJsonSchema } : {}) };
}

function attempt(load: () => unknown): unknown {
  try {
    return load();
  } catch {
    return undefined;
  }
}

function isFunction(value: unknown): value is (...args: unknown[]) => unknown {
  return typeof value === 'function';
}
