import { modelTools, providerSafeSchema } from '../index.js';
import type { CatalogueTool, SetAsideTool } from '../index.js';
import type { CallBehaviour } from './call.js';
import type { Connection } from './connection.js';
import type { McpToolsOptions } from './options.js';
import { McpTool } from './tool.js';

/** A server that was asked for its tools. */
export interface Loaded {
  name: string;
  connection: Connection;
  error?: unknown;
  tools: readonly CatalogueTool[];
  setAside: readonly SetAsideTool[];
}

/** The tools of one server as LangChain tools, under names that those `before` do not have. */
export function offer(
  server: Loaded,
  before: readonly McpTool[],
  several: boolean,
  options: McpToolsOptions,
): McpTool[] {
  const { include, exclude, prefix, extras, onInvalidArguments, onFailure, copySchemas } = options;
  const shown = (schema: Record<string, unknown>): Record<string, unknown> =>
    options.providerSafe && options.provider ? providerSafeSchema(schema, options.provider) : schema;
  const behaviour = callBehaviour(options);
  const wanted = server.tools.filter(
    (tool) => (!include || matches(include, tool, server.name)) && !(exclude && matches(exclude, tool, server.name)),
  );
  const named = modelTools(wanted, {
    prefix: prefixFor(server.name, prefix ?? several),
    taken: before.map(({ name }) => name),
  });
  return named.map(({ name, description, schema, tool }) => {
    const own = typeof extras === 'function' ? extras(tool, server.name) : extras;
    return new McpTool({
      name,
      description,
      schema: shown(schema),
      server: server.name,
      tool,
      session: server.connection.session,
      behaviour,
      ...(onInvalidArguments && { onInvalidArguments }),
      ...(onFailure && { onFailure }),
      ...(copySchemas && { copySchemas }),
      ...(own && { extras: own }),
    });
  });
}

function matches(rule: NonNullable<McpToolsOptions['include']>, tool: CatalogueTool, server: string): boolean {
  return typeof rule === 'function' ? rule(tool, server) : rule.includes(tool.name);
}

function prefixFor(server: string, prefix: NonNullable<McpToolsOptions['prefix']>): string {
  if (typeof prefix === 'function') return prefix(server);
  if (typeof prefix === 'string') return prefix;
  return prefix ? `${server}__` : '';
}

/** What of the options concerns each call. The signal does not: it is for connecting and listing. */
function callBehaviour(options: McpToolsOptions): CallBehaviour {
  const { repairs, assertFormats, whenUndetermined, outputSchema, before, after, approval, media } = options;
  const { timeoutMs, resetTimeoutOnProgress, totalTimeoutMs, onProgress } = options;
  const all = {
    repairs,
    assertFormats,
    whenUndetermined,
    outputSchema,
    before,
    after,
    approval,
    media,
    timeoutMs,
    resetTimeoutOnProgress,
    totalTimeoutMs,
    onProgress,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
