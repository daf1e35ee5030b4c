import type { WorkflowNode } from '../../test-support/n8n/api.js';
import { builtInTool, verbatimTool } from '../../test-support/n8n/workflows.js';
import type { BenchServer } from './server.js';
import type { Stage } from './stage.js';

export const ours = 'MCP Verbatim Tool';
export const theirs = "n8n's MCP Client Tool";
export const reused = "n8n's MCP Client Tool, connections reused";
export const wayNames = [ours, theirs] as const;
/** The timed ways: also n8n's node as it would be if an execution connected once (reused-connections.mjs). */
export const timedNames = [...wayNames, reused] as const;
export type WayName = (typeof timedNames)[number];

export interface NodeOptions {
  /** The only tool to hand on; all without it. */
  only?: string;
}

/** Makes the node that stands between a server and the agent. */
export type Way = (options?: NodeOptions) => WorkflowNode;

/** The nodes for one server, each with the settings of a new node. */
export async function waysTo(server: BenchServer, { api }: Stage): Promise<Record<WayName, Way>> {
  const data = { url: server.url, transport: 'http', authentication: 'none' };
  const credentials = { mcpVerbatimHttpApi: await api.createCredential(server.url, 'mcpVerbatimHttpApi', data) };
  return {
    [ours]: ({ only } = {}) => verbatimTool(credentials, selection('tools', only)),
    [theirs]: ({ only } = {}) => builtIn(server.url, only),
    [reused]: ({ only } = {}) => ({ ...builtIn(server.url, only), name: 'MCP Client Reused' }),
  };
}

function builtIn(url: string, only: string | undefined): WorkflowNode {
  const node = builtInTool(url);
  return { ...node, parameters: { ...node.parameters, ...selection('includeTools', only) } };
}

function selection(parameter: string, only: string | undefined): Record<string, unknown> {
  return only === undefined ? { include: 'all' } : { include: 'selected', [parameter]: [only] };
}

/** The version of n8n's node that is measured. */
export const builtInVersion = builtInTool('').typeVersion;

/** @throws if a person who adds one of the nodes today gets another version than the measured one */
export async function assertNewest({ api }: Stage): Promise<void> {
  const response = await fetch(`${api.url}/types/nodes.json`, { headers: api.headers });
  const types = (await response.json()) as { name: string; version: number | number[]; defaultVersion?: number }[]; // the list that the editor loads
  for (const [type, measured] of [
    [builtInTool('').type, builtInVersion],
    [verbatimTool({}).type, verbatimTool({}).typeVersion],
  ] as const) {
    const versions = types
      .filter(({ name }) => name === type)
      .flatMap(({ version, defaultVersion }) => defaultVersion ?? version);
    const newest = Math.max(...versions);
    if (newest !== measured) throw new Error(`n8n adds version ${newest} of ${type}, and this measures ${measured}.`);
  }
}
