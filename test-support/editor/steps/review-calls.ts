import { randomUUID } from 'node:crypto';
import { call, steps } from '../../model/script.js';
import type { WorkflowNode } from '../../n8n/api.js';
import { modelNodeFor } from '../../n8n/scripted-model.js';
import { agentWorkflow, verbatimTool } from '../../n8n/workflows.js';
import { startHttpServer } from '../../servers/http.js';
import { startMessenger } from '../../servers/messenger.js';
import { nodeOnCanvas } from '../canvas.js';
import { visit } from '../editor.js';
import type { Scene } from './scene.js';

/**
 * Two nodes for one server: one gives its read-only tools to the agent, the other its other tools behind a human
 * review. The agent reads, then wants to change something, which a person allows.
 *
 * @returns the server's calls before the permission, and in the end
 */
export async function reviewCalls({ editor: { page }, stage: { api, model }, look }: Scene) {
  const inputSchema = { type: 'object', properties: { table: { type: 'integer' } }, required: ['table'] };
  const listed = [
    { name: 'find_orders', description: 'The orders of a table.', inputSchema, annotations: { readOnlyHint: true } },
    { name: 'cancel_orders', description: 'Cancels the orders of a table.', inputSchema },
  ];
  const calls: unknown[] = [];
  const server = await startHttpServer(({ message, result, plain }) => {
    if (message.method === 'tools/list') result({ tools: listed });
    else if (message.method === 'tools/call') {
      calls.push(message.params?.['name']);
      result({ content: [{ type: 'text', text: 'One soup.' }] });
    } else plain();
  });
  await using messenger = await startMessenger();
  const data = { url: server.url, transport: 'http', authentication: 'none' };
  const mcpVerbatimHttpApi = await api.createCredential('Orders', 'mcpVerbatimHttpApi', data);
  const telegram = { accessToken: 'none', baseUrl: messenger.origin };
  const telegramApi = await api.createCredential('Messenger', 'telegramApi', telegram);
  const modelNode = { ...(await modelNodeFor(api, model)), position: [240, 240] as [number, number] };
  const read = verbatimTool({ mcpVerbatimHttpApi }, { include: 'readOnly' }, { name: 'Reads', position: [440, 240] });
  const others = verbatimTool(
    { mcpVerbatimHttpApi },
    { include: 'allExceptReadOnly' },
    { name: 'Changes', position: [640, 480] },
  );
  const review: WorkflowNode = {
    name: 'Review',
    type: 'n8n-nodes-base.telegramHitlTool',
    typeVersion: 1.2,
    position: [640, 240],
    parameters: { chatId: '1', message: 'May it?', approvalOptions: { values: { approvalType: 'double' } } },
    credentials: { telegramApi },
    webhookId: randomUUID(),
  };
  const workflow = agentWorkflow(modelNode, [read, review]);
  const id = await api.createWorkflow({
    ...workflow,
    nodes: [...workflow.nodes, others],
    connections: {
      ...workflow.connections,
      [others.name]: { ai_tool: [[{ node: review.name, type: 'ai_tool', index: 0 }]] },
    },
  });
  await visit(page, `/workflow/${id}`);
  await nodeOnCanvas(page, review.name).waitFor();
  const cancel = { toolParameters: { table: 7 }, hitlParameters: {} };
  model.play(steps(call('find_orders', { table: 7 }), call('cancel_orders', cancel), { text: 'They are cancelled.' }));
  await page.getByTestId('execute-workflow-button').click();
  const { buttons } = await messenger.question();
  await page.locator(`[data-test-id="canvas-node"][data-node-name="${review.name}"].waiting`).waitFor();
  await page.setViewportSize({ width: 1000, height: 900 });
  await page.getByTestId('zoom-to-fit').click();
  await look('review', page.locator('.vue-flow'));
  await page.setViewportSize({ width: 1440, height: 900 });
  const before = [...calls];
  const approve = [...buttons].find(([label]) => label.includes('Approve'))?.[1] ?? '';
  // n8n treats clients that do not look like browsers as bots that preview links.
  await fetch(approve, { headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' } });
  await page.getByText('Workflow executed successfully').first().waitFor();
  await server.close();
  return { before, calls };
}
