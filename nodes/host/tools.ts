import type * as langchainTools from '@langchain/core/tools';
import type { DynamicStructuredTool } from '@langchain/core/tools';
import type * as zod from 'zod';
import { plainSchema, schemaFacade, type Zod } from '../../src/projections/zod/index.js';
import { SetupError } from '../errors.js';
import { hostModule } from './modules.js';

export interface HostPackages {
  readonly z: Zod;
  readonly DynamicStructuredTool: typeof langchainTools.DynamicStructuredTool;
  /** Chat models convert a tool's schema with it. Absent in very old versions of LangChain. */
  readonly toJsonSchema?: ((schema: unknown) => unknown) | undefined;
}

/** LangChain's type of a tool's schema. Zod 3's types do not fit it under `exactOptionalPropertyTypes`. */
type ToolSchema = DynamicStructuredTool['schema'];

/** The copies that n8n's AI nodes use, so that their `instanceof` holds. */
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
 * n8n recognises a toolkit by `tools` and `getTools`. Earlier versions require an instance of n8n's own class (2.20) or of
 * LangChain's (1.123 and 2.0); anything else is one nameless tool to them.
 */
export function hostToolkit<T>(tools: T[]): { tools: T[]; getTools(): T[] } {
  const Toolkit = toolkitClass();
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

export interface HostTool {
  name: string;
  description: string;
  schema: object;
  hasToolArgument: boolean;
  onlyZod?: boolean;
  rawObjects?: boolean;
  call(args: unknown): Promise<string>;
}

export function hostTool(tool: HostTool, host: HostPackages): DynamicStructuredTool {
  const facade = schemaFacade(tool.schema, { z: host.z, ...(tool.rawObjects && { rawObjects: true }) });
  const result = new host.DynamicStructuredTool({
    name: tool.name,
    description: tool.description,
    schema: facade as ToolSchema, // passes for a Zod type of the host's
    func: async (args: unknown) => await tool.call(args),
    metadata: tool.hasToolArgument ? unroutedMetadata() : {},
  });
  return tool.onlyZod || sendsOriginal(host, facade, tool.schema) ? result : withPlainSchema(result, tool.schema, host);
}

/** True if this host's LangChain sends the original for the facade. */
function sendsOriginal(host: HostPackages, facade: unknown, original: object): boolean {
  try {
    return host.toJsonSchema?.(facade) === original;
  } catch {
    return false;
  }
}

function withPlainSchema(tool: DynamicStructuredTool, original: object, host: HostPackages): DynamicStructuredTool {
  const facade = tool.schema;
  const plain = plainSchema(original, host.z);

  const call: DynamicStructuredTool['call'] = (...args) => {
    const lenient = Object.create(tool, { schema: { value: facade } }) as DynamicStructuredTool; // of its prototype
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- it is what LangChain's own `invoke` calls
    return host.DynamicStructuredTool.prototype.call.apply(lenient, args);
  };
  return Object.defineProperties(tool, {
    schema: { get: () => plain, set: () => {}, enumerable: true, configurable: true },
    call: { value: call, configurable: true, writable: true },
  });
}

/**
 * n8n sets `isFromToolkit` on every tool of a toolkit, and then overwrites the argument `tool` with the tool's name. If the
 * mark cannot be set, the argument stays as the model sent it. `requestedCall` then finds the name in the engine's request.
 */
function unroutedMetadata(): Record<string, unknown> {
  return Object.defineProperty({}, 'isFromToolkit', {
    get: () => false,
    set: () => {},
    enumerable: true,
    configurable: true,
  });
}
