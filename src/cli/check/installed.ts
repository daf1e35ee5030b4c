import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CatalogueTool } from '../../index.js';
import { memoryTransport } from './memory-transport.js';

/** A framework's own conversion, run as it is: what its model would be told, by tool name; absent where not offered. */
export interface Framework {
  id: string;
  version: string;
  told(tools: readonly CatalogueTool[]): Promise<Map<string, unknown>>;
}

/** A framework that is installed and cannot be loaded here, which says nothing of any schema. */
export class NotLoadableError extends Error {}

type Module = Readonly<Record<string, unknown>>;
/** Loads a package as the current folder has it, or as the package `of` has it. */
type Load = (name: string, of?: string) => Promise<Module>;

/** Those of the frameworks that are installed beside `cwd`. */
export async function installedFrameworks(cwd: string): Promise<Framework[]> {
  const require = createRequire(join(cwd, 'package.json'));
  // A module's exports are as its documentation says; nothing of it is installed where types are checked.
  const load: Load = async (name, of) => {
    try {
      const from = of === undefined ? require : createRequire(require.resolve(of));
      const loaded = (await import(pathToFileURL(from.resolve(name)).href)) as Module;
      // Of a CommonJS module, Node finds only some of the names by itself; the whole of it is the default.
      return typeof loaded['default'] === 'object' ? { ...(loaded['default'] as Module), ...loaded } : loaded;
    } catch (error) {
      throw new NotLoadableError(error instanceof Error ? error.message : String(error));
    }
  };
  const found: Framework[] = [];
  for (const [name, told] of Object.entries(frameworks)) {
    const version = usableVersion(name, require);
    if (version !== undefined) found.push({ id: name, version, told: (tools) => told(tools, load) });
  }
  return found;
}

export function isInstalled(name: string, cwd: string): boolean {
  return usableVersion(name, createRequire(join(cwd, 'package.json'))) !== undefined;
}

/** Zod 3 has no conversion of its own. */
function usableVersion(name: string, require: NodeJS.Require): string | undefined {
  const version = versionOf(name, require);
  return name === 'zod' && version?.startsWith('3.') ? undefined : version;
}

// What these functions give is typed here as far as it is used, by their documentation.
const frameworks: Record<string, (tools: readonly CatalogueTool[], load: Load) => Promise<Map<string, unknown>>> = {
  zod: async (tools, load) => {
    const { fromJSONSchema, toJSONSchema } = functions(await load('zod'));
    return eachOf(tools, ({ inputSchema }) => toJSONSchema?.(fromJSONSchema?.(thawed(inputSchema)), { io: 'input' }));
  },

  // What n8n's built-in MCP Client Tool does: to Zod, wrapped where that is no object, and back.
  '@n8n/json-schema-to-zod': async (tools, load) => {
    const { jsonSchemaToZod } = functions(await load('@n8n/json-schema-to-zod'));
    const { zodToJsonSchema } = functions(await load('zod-to-json-schema'));
    const { z } = (await load('zod', '@n8n/json-schema-to-zod')) as { z: { object(shape: object): unknown } };
    return eachOf(tools, ({ inputSchema }) => {
      const converted = jsonSchemaToZod?.(thawed(inputSchema)) as { _def?: { typeName?: string } };
      return zodToJsonSchema?.(converted._def?.typeName === 'ZodObject' ? converted : z.object({ value: converted }));
    });
  },

  '@langchain/mcp-adapters': async (tools, load) => {
    const { loadMcpTools } = functions(await load('@langchain/mcp-adapters'));
    const client = { listTools: async () => ({ tools: tools.map(({ definition }) => thawed(definition)) }) };
    const loaded = (await loadMcpTools?.('server', client)) as { name: string; schema: unknown }[];
    return new Map(loaded.map(({ name, schema }) => [name, schema]));
  },

  '@ai-sdk/mcp': async (tools, load) => {
    const { createMCPClient } = functions(await load('@ai-sdk/mcp'));
    const client = (await createMCPClient?.({
      transport: memoryTransport(tools.map(({ definition }) => definition)),
    })) as {
      tools(): Promise<Record<string, { inputSchema: { jsonSchema: unknown } }>>;
      close(): Promise<void>;
    };
    const offered = Object.entries(await client.tools());
    const told = await Promise.all(
      offered.map(async ([name, { inputSchema }]) => [name, await inputSchema.jsonSchema] as const),
    );
    await client.close();
    return new Map(told);
  },

  '@openai/agents': async (tools, load) => {
    const { getAllMcpTools } = functions(await load('@openai/agents'));
    const server = {
      name: 'server',
      cacheToolsList: false,
      connect: async () => {},
      close: async () => {},
      listTools: async () => tools.map(({ definition }) => thawed(definition)),
      callTool: async () => [],
      invalidateToolsCache: async () => {},
    };
    const offered = (await getAllMcpTools?.([server])) as { name: string; parameters: unknown }[];
    return new Map(offered.map(({ name, parameters }) => [name, parameters]));
  },

  'mcp-use': async (tools, load) => {
    const { LangChainAdapter } = (await load('mcp-use/adapters')) as {
      LangChainAdapter: new () => { createToolsFromConnectors(connectors: object[]): Promise<{ name: string }[]> };
    };
    const { convertToOpenAITool } = functions(await load('@langchain/core/utils/function_calling', 'mcp-use/adapters'));
    const connector = { tools: tools.map(({ definition }) => thawed(definition)) };
    const offered = await new LangChainAdapter().createToolsFromConnectors([connector]);
    const told = offered.map(
      (tool) => convertToOpenAITool?.(tool) as { function: { name: string; parameters: unknown } },
    );
    return new Map(told.map(({ function: { name, parameters } }) => [name, parameters]));
  },
};

export const frameworkNames: readonly string[] = Object.keys(frameworks);

function functions(module: Module): Record<string, ((...args: unknown[]) => unknown) | undefined> {
  return module as Record<string, ((...args: unknown[]) => unknown) | undefined>; // what is no function is not asked for
}

function eachOf(tools: readonly CatalogueTool[], convert: (tool: CatalogueTool) => unknown): Map<string, unknown> {
  const told = new Map<string, unknown>();
  for (const tool of tools) {
    try {
      told.set(tool.name, convert(tool));
    } catch {
      // What cannot be converted is not offered.
    }
  }
  return told;
}

/** Converters may write on what they are given; the catalogue is frozen. */
function thawed<Value>(value: Value): Value {
  return structuredClone(value);
}

function versionOf(name: string, require: NodeJS.Require): string | undefined {
  // `exports` may hide a package.json from require(), so it is looked for where packages stand.
  for (const folder of require.resolve.paths(name) ?? []) {
    try {
      return (require(join(folder, name, 'package.json')) as { version: string }).version; // every installed package has one
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}
