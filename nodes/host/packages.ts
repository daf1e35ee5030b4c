/* eslint-disable @typescript-eslint/no-require-imports --
 * n8n puts its own packages on NODE_PATH, which only `require` follows. An `import()` would miss them, or find the
 * ESM copy of a package whose classes the agents do not recognise. */

import type * as langchainTools from '@langchain/core/tools';
import type * as module from 'node:module';
import type * as zod from 'zod';

export interface HostPackages {
  readonly z: typeof zod.z;
  readonly DynamicStructuredTool: typeof langchainTools.DynamicStructuredTool;
  /** What chat models turn a tool's schema with. Absent in very old versions of LangChain. */
  readonly toJsonSchema?: (schema: unknown) => unknown;
  /** n8n's own JSON Schema to Zod converter. Lossy, and only good for those who insist on Zod. */
  readonly jsonSchemaToZod?: (schema: object) => unknown;
}

let loaded: HostPackages | undefined;

/** The packages of the n8n that runs us: its Zod and its LangChain, so that `instanceof` holds there. */
export function hostPackages(): HostPackages {
  loaded ??= load();
  return loaded;
}

function load(): HostPackages {
  const { z } = require('zod') as typeof zod; // require is untyped
  const { DynamicStructuredTool } = require('@langchain/core/tools') as typeof langchainTools;
  const toJsonSchema = attempt(() => require('@langchain/core/utils/json_schema').toJsonSchema);
  const jsonSchemaToZod =
    attempt(() => require('@n8n/json-schema-to-zod').jsonSchemaToZod) ?? attempt(converterBesideTheAgents);
  return {
    z,
    DynamicStructuredTool,
    ...(isFunction(toJsonSchema) ? { toJsonSchema } : {}),
    ...(isFunction(jsonSchemaToZod) ? { jsonSchemaToZod } : {}),
  };
}

/** In installations that do not hoist, only n8n's agents can see the converter. */
function converterBesideTheAgents(): unknown {
  const { createRequire } = require('node:module') as typeof module;
  const agents = createRequire(require.resolve('@n8n/n8n-nodes-langchain/package.json'));
  return agents('@n8n/json-schema-to-zod').jsonSchemaToZod;
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
