import { call, steps } from '../../model/script.js';
import { modelNodeFor } from '../../n8n/scripted-model.js';
import { agentWorkflow, verbatimTool } from '../../n8n/workflows.js';
import { startHttpServer } from '../../servers/http.js';
import { nodeOnCanvas } from '../canvas.js';
import { closeNode, openNode } from '../node-panel.js';
import type { Scene } from './scene.js';

/**
 * An agent whose tools are told with the server's instructions and in a form that its model's provider accepts, and whose
 * calls carry headers and metadata and are answered with an image.
 */
export async function sendAlong({ editor: { page, url }, stage: { api, model }, look }: Scene): Promise<void> {
  const either = {
    type: 'object',
    properties: { dish: {}, menu: {} },
    anyOf: [{ required: ['dish'] }, { required: ['menu'] }],
  };
  const listed = [
    { name: 'photo', description: 'A photo of today’s dish.', inputSchema: { type: 'object' } },
    { name: 'order', description: 'Orders a dish or a menu.', inputSchema: either },
  ];
  const image = {
    type: 'image',
    data: (await page.screenshot({ type: 'jpeg', quality: 20 })).toString('base64'),
    mimeType: 'image/jpeg',
  };
  const server = await startHttpServer(({ message, result, plain }) => {
    if (message.method === 'tools/list') result({ tools: listed });
    else if (message.method === 'tools/call') result({ content: [{ type: 'text', text: 'Here it is.' }, image] });
    else if (message.method !== 'initialize') plain();
    else {
      const { protocolVersion } = message.params ?? {};
      const serverInfo = { name: 'restaurant', version: '1' };
      result({
        protocolVersion,
        capabilities: { tools: {} },
        serverInfo,
        instructions: 'Show the photo before you order.',
      });
    }
  });
  const data = { url: server.url, transport: 'http', authentication: 'none' };
  const mcpVerbatimHttpApi = await api.createCredential('Kitchen', 'mcpVerbatimHttpApi', data);
  const modelNode = { ...(await modelNodeFor(api, model)), position: [320, 240] as [number, number] };
  const options = {
    timeLimits: { values: { idleTimeout: 30, maximumDuration: 600 } },
    sendAlong: {
      values: {
        headers: { values: [{ name: 'X-Tenant', value: 'north' }] },
        metadata: '{"example.com/purpose":"lunch"}',
      },
    },
    instructions: true,
  };
  const node = verbatimTool({ mcpVerbatimHttpApi }, { options }, { typeVersion: 1.2, position: [480, 240] });
  await page.goto(`${url}/workflow/${await api.createWorkflow(agentWorkflow(modelNode, [node]))}`);
  await nodeOnCanvas(page, 'MCP Verbatim Tool').waitFor();
  model.play(steps(call('photo', {}), { text: 'Here is a photo.' }));
  await page.getByTestId('execute-workflow-button').click();
  await page.getByText('Workflow executed successfully').first().waitFor();
  await page.setViewportSize({ width: 1440, height: 1080 });
  await openNode(page, 'MCP Verbatim Tool');
  await page.getByTestId('output-panel').getByTestId('node-hint').first().waitFor();
  await look('send-along');
  await closeNode(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await server.close();
}
