import type { WorkflowNode } from '../../test-support/n8n/api.js';
import { builtInTool, verbatimTool } from '../../test-support/n8n/workflows.js';
import type { BenchServer } from './server.js';
import type { Stage } from './stage.js';

export const ours = 'MCP Verbatim Tool';
export const theirs = "n8n's MCP Client Tool";
export const reused = "n8n's MCP Client Tool, connections reused";
export const wayNames = [ours, theirs] as const;
/** Those whose time is taken: n8n's node also as it would be if an execution connected once (reused-connections.mjs). */
export const timedNames = [...wayNames, reused] as const;
export type WayName = (typeof timedNames)[number];

export interface NodeOptions {
  /** The only tool to hand on; all without it. */
  only?: string;
  /** `options` of MCP Verbatim Tool; n8n's node has nothing of the kind. */
  options?: Record<string, unknown>;
}

/** Makes the node that stands between a server and the agent. */
export type Way = (options?: NodeOptions) => WorkflowNode;

/** The nodes for one server, each as it is when it has just been put into a workflow. */
export async function waysTo(server: BenchServer, { api }: Stage): Promise<Record<WayName, Way>> {
  const data = { url: server.url, transport: 'http', authentication: 'none' };
  const credentials = { mcpVerbatimHttpApi: await api.createCredential(server.url, 'mcpVerbatimHttpApi', data) };
  return {
    [ours]: ({ only, options = {} } = {}) => verbatimTool(credentials, { ...selection(only), options }),
    [theirs]: ({ only } = {}) => builtIn(server.url, only),
    [reused]: ({ only } = {}) => ({ ...builtIn(server.url, only), name: 'MCP Client Reused' }),
  };
}

function builtIn(url: string, only: string | undefined): WorkflowNode {
  const node = builtInTool(url);
  return { ...node, parameters: { ...node.parameters, ...selection(only) } };
}

function selection(only: string | undefined): Record<string, unknown> {
  return only === undefined ? { include: 'all' } : { include: 'selected', includeTools: [only] };
}

/** The version of n8n's node that is measured. */
export const builtInVersion = builtInTool('').typeVersion;

/** @throws where a person who adds n8n's node today gets another version than the measured one */
export async function assertNewest({ api }: Stage): Promise<void> {
  const response = await fetch(`${api.url}/types/nodes.json`, { headers: api.headers });
  const types = (await response.json()) as { name: string; defaultVersion?: number }[]; // the list that the editor loads
  const newest = Math.max(
    ...types.filter(({ name }) => name === builtInTool('').type).map(({ defaultVersion }) => defaultVersion ?? 0),
  );
  if (newest !== builtInVersion)
    throw new Error(`n8n adds version ${newest} of its MCP Client Tool, and this measures ${builtInVersion}.`);
}
