import type { Workflow, WorkflowNode } from '../../../../test-support/n8n/api.js';

export interface Connection {
  from: string;
  to: string;
  /** `main`, `ai_tool`, `ai_languageModel` ... */
  type: string;
  /** The index of the output and of the input; 0 by default. */
  output?: number;
  input?: number;
}

export function extended(workflow: Workflow, nodes: WorkflowNode[], connections: Connection[]): Workflow {
  const all = structuredClone(workflow.connections);
  for (const { from, to, type, output = 0, input = 0 } of connections) {
    const ports = ((all[from] ??= {})[type] ??= []);
    while (ports.length <= output) ports.push([]);
    ports[output]!.push({ node: to, type, index: input });
  }
  return { ...workflow, nodes: [...workflow.nodes, ...nodes], connections: all };
}

export function assembled(name: string, nodes: WorkflowNode[], connections: Connection[]): Workflow {
  return extended({ name, nodes: [], connections: {}, settings: { executionOrder: 'v1' } }, nodes, connections);
}

/** The connections of an agent with its model and tools. */
export function joined(agent: string, model: WorkflowNode, ...tools: WorkflowNode[]): Connection[] {
  return [
    { from: model.name, to: agent, type: 'ai_languageModel' },
    ...tools.map(({ name }) => ({ from: name, to: agent, type: 'ai_tool' })),
  ];
}

export const manualTrigger: WorkflowNode = {
  name: 'Start',
  type: 'n8n-nodes-base.manualTrigger',
  typeVersion: 1,
  position: [0, 0],
  parameters: {},
};

interface More extends Partial<WorkflowNode> {
  /** A part of the URLs at which a trigger listens. */
  webhookId?: string;
  retryOnFail?: boolean;
}

export function node(
  name: string,
  type: string,
  typeVersion: number,
  parameters: object,
  more: More = {},
): WorkflowNode {
  const fullType = type.includes('.') ? type : `@n8n/n8n-nodes-langchain.${type}`;
  return { name, type: fullType, typeVersion, position: [600, 400], parameters: { ...parameters }, ...more };
}

/** A trigger that takes POST requests once it is published. */
export function webhook(path: string, responseMode: 'onReceived' | 'lastNode'): WorkflowNode {
  const parameters = { path, httpMethod: 'POST', responseMode, options: {} };
  return node('Webhook', 'n8n-nodes-base.webhook', 2, parameters, { webhookId: path });
}
