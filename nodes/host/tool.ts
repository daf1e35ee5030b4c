import type { DynamicStructuredTool } from '@langchain/core/tools';
import { plainSchema, schemaFacade } from '../../src/projections/zod/index.js';
import type { HostPackages, ToolSchema } from './packages.js';

export interface HostTool {
  name: string;
  description: string;
  schema: object;
  /** Whether an argument is called `tool`, as the key that n8n's engine routes calls with. */
  hasToolArgument: boolean;
  onlyZod?: boolean;
  /** Whether objects within the schema are passed on as they are: see `ZodContext`. */
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
