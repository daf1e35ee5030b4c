import type * as langchainTools from '@langchain/core/tools';
import type { DynamicStructuredTool } from '@langchain/core/tools';
import type * as zod from 'zod';
import { plainSchema, schemaFacade, type Zod } from '../../src/projections/zod/index.js';
import { SetupError } from '../errors.js';
import { hostModule } from './modules.js';

export interface HostPackages {
  readonly z: Zod;
  readonly DynamicStructuredTool: typeof langchainTools.DynamicStructuredTool;
  /** The function that chat models convert a tool's schema with. Absent in very old versions of LangChain. */
  readonly toJsonSchema?: ((schema: unknown) => unknown) | undefined;
}

/** LangChain's type for a tool's schema. Zod 3's own types do not fit it under `exactOptionalPropertyTypes`. */
type ToolSchema = DynamicStructuredTool['schema'];

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
    schema: facade as ToolSchema, // a Zod type of the host's, or what passes for one
    func: async (args: unknown) => await tool.call(args),
    metadata: tool.hasToolArgument ? unroutedMetadata() : {},
  });
  return tool.onlyZod || sendsOriginal(host, facade, tool.schema) ? result : withPlainSchema(result, tool.schema, host);
}

/** This host's LangChain is asked, not its version. */
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
 * n8n marks every tool of a toolkit with `isFromToolkit` and then overwrites the argument `tool` of its calls with the
 * tool's name. A mark that cannot be set leaves such an argument as the model sent it; the name is then found in the
 * engine's request (`requestedCall`).
 */
function unroutedMetadata(): Record<string, unknown> {
  return Object.defineProperty({}, 'isFromToolkit', {
    get: () => false,
    set: () => {},
    enumerable: true,
    configurable: true,
  });
}
