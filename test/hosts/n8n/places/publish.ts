import { randomUUID } from 'node:crypto';
import { ownConnection, type N8nApi, type Workflow, type WorkflowNode } from '../../../../test-support/n8n/api.js';
import { connect, type Session } from '../../../../src/internal.js';
import { isAtLeast } from '../../../../test-support/n8n/install.js';
import { assembled, node } from './assemble.js';

/** Creates a workflow and activates its triggers, as the editor's button "Publish" does. */
export async function publish(api: N8nApi, workflow: Workflow): Promise<string> {
  const id = await api.createWorkflow(workflow);
  // Before 2.0, a workflow that only another one starts needs no activation.
  if (!isAtLeast(2, 0) && workflow.nodes.some(({ type }) => startedByAnother.includes(type))) return id;
  const { versionId } = await api.request<{ versionId: string }>('GET', `/rest/workflows/${id}`);
  await api.request('POST', `/rest/workflows/${id}/activate`, { versionId });
  return id;
}

const startedByAnother = ['n8n-nodes-base.executeWorkflowTrigger', 'n8n-nodes-base.errorTrigger'];

/** Posts JSON to a published trigger. n8n registers the trigger a moment after it has answered. */
export async function postPublished(url: string, body: object): Promise<Response> {
  const headers = { ...ownConnection, 'content-type': 'application/json' };
  for (;;) {
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    if (response.status !== 404) return response;
    await response.arrayBuffer();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Makes n8n a gateway: publishes nodes as the tools of an MCP Server Trigger, and connects to it. */
export async function openGateway(api: N8nApi, tools: WorkflowNode[]): Promise<Session> {
  const path = randomUUID();
  const trigger = node('Gateway', 'mcpTrigger', 2, { authentication: 'none', path }, { webhookId: path });
  const gates = tools.map(({ name }) => ({ from: name, to: 'Gateway', type: 'ai_tool' }));
  await publish(api, assembled('Gateway', [trigger, ...tools], gates));
  const url = `${api.url}/mcp/${path}`;
  await (await postPublished(url, {})).arrayBuffer();
  return await connect({ url });
}
