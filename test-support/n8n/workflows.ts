import type { Workflow, WorkflowNode } from './api.js';
import { version } from './install.js';

/** The value of a node's `credentials`. */
export type CredentialReference = Record<string, { id: string; name: string }>;

/** The newest AI Agent of the n8n under test. */
const newestAgent = /^(1|2\.0)\./.test(version) ? 3 : 3.1;

/** Start -> an input item -> that AI Agent with a model and tool nodes. */
export function agentWorkflow(
  model: WorkflowNode,
  toolNodes: WorkflowNode[],
  { agent = {}, input = {} }: { agent?: Partial<WorkflowNode>; input?: Record<string, unknown> } = {},
): Workflow {
  const agentNode: WorkflowNode = {
    name: 'AI Agent',
    type: '@n8n/n8n-nodes-langchain.agent',
    typeVersion: newestAgent,
    position: [400, 0],
    parameters: { promptType: 'define', text: 'Do what is to be done.', options: {} },
    ...agent,
  };
  const inputNode: WorkflowNode = {
    name: 'Input',
    type: 'n8n-nodes-base.set',
    typeVersion: 3.4,
    position: [200, 0],
    parameters: { mode: 'raw', jsonOutput: JSON.stringify(input) },
  };
  return {
    name: 'Agent',
    nodes: [start, inputNode, agentNode, model, ...toolNodes],
    connections: {
      Start: { main: [[{ node: inputNode.name, type: 'main', index: 0 }]] },
      Input: { main: [[{ node: agentNode.name, type: 'main', index: 0 }]] },
      [model.name]: { ai_languageModel: [[{ node: agentNode.name, type: 'ai_languageModel', index: 0 }]] },
      ...Object.fromEntries(
        toolNodes.map(({ name }) => [name, { ai_tool: [[{ node: agentNode.name, type: 'ai_tool', index: 0 }]] }]),
      ),
    },
    settings,
  };
}

/** Start -> one node. */
export function singleNodeWorkflow(node: WorkflowNode): Workflow {
  return {
    name: 'Single node',
    nodes: [start, node],
    connections: { Start: { main: [[{ node: node.name, type: 'main', index: 0 }]] } },
    settings,
  };
}

/** Start -> an input item -> one node. */
export function behindInput(input: Record<string, unknown>, node: WorkflowNode): Workflow {
  const before: WorkflowNode = {
    name: 'Input',
    type: 'n8n-nodes-base.set',
    typeVersion: 3.4,
    position: [200, 0],
    parameters: { mode: 'raw', jsonOutput: JSON.stringify(input) },
  };
  return {
    name: 'Behind an item',
    nodes: [start, before, { ...node, position: [400, 0] }],
    connections: {
      Start: { main: [[{ node: before.name, type: 'main', index: 0 }]] },
      [before.name]: { main: [[{ node: node.name, type: 'main', index: 0 }]] },
    },
    settings,
  };
}

/** The editor's default. In the legacy order n8n resumes an agent before its tools have run. */
const settings = { executionOrder: 'v1' };

const start: WorkflowNode = {
  name: 'Start',
  type: 'n8n-nodes-base.manualTrigger',
  typeVersion: 1,
  position: [0, 0],
  parameters: {},
};

/** MCP Verbatim Tool, the sub-node under test. */
export function verbatimTool(
  credentials: CredentialReference,
  parameters: Record<string, unknown> = {},
  more: Partial<WorkflowNode> = {},
): WorkflowNode {
  return {
    name: 'MCP Verbatim Tool',
    type: 'n8n-nodes-mcp-verbatim.mcpVerbatimAi',
    typeVersion: 1,
    position: [300, 200],
    parameters: { server: transportOf(credentials), include: 'all', options: {}, ...parameters },
    credentials,
    ...more,
  };
}

/** MCP Verbatim, the main node under test. */
export function verbatim(
  credentials: CredentialReference,
  parameters: Record<string, unknown>,
  more: Partial<WorkflowNode> = {},
): WorkflowNode {
  return {
    name: 'MCP Verbatim',
    type: 'n8n-nodes-mcp-verbatim.mcpVerbatim',
    typeVersion: 1,
    position: [200, 0],
    parameters: { server: transportOf(credentials), resource: 'tool', options: {}, ...parameters },
    credentials,
    ...more,
  };
}

/** MCP Verbatim, calling a tool without arguments. */
export function callTool(
  credentials: CredentialReference,
  name: string,
  options: object = {},
  more: Partial<WorkflowNode> = {},
): WorkflowNode {
  const tool = { __rl: true, mode: 'name', value: name };
  return verbatim(
    credentials,
    { operation: 'call', tool, argumentsMode: 'json', jsonArguments: asJson('{}'), options },
    more,
  );
}

/** The value of a call's JSON field. */
export function asJson(args: string): object {
  return { mappingMode: 'defineBelow', value: { arguments: args }, schema: [] };
}

/** n8n's own MCP Client Tool in its newest version, for comparison. */
export function builtInTool(url: string): WorkflowNode {
  return {
    name: 'MCP Client',
    type: '@n8n/n8n-nodes-langchain.mcpClientTool',
    typeVersion: 1.4,
    position: [300, 200],
    parameters: {
      endpointUrl: url,
      serverTransport: 'httpStreamable',
      authentication: 'none',
      include: 'all',
      options: {},
    },
  };
}

function transportOf(credentials: CredentialReference): string {
  if ('mcpVerbatimOAuth2Api' in credentials) return 'oAuth2';
  return 'mcpVerbatimStdioApi' in credentials ? 'stdio' : 'http';
}
