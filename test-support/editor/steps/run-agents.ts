import { nodeOnCanvas } from '../canvas.js';
import { importWorkflows } from '../../n8n/import-workflows.js';
import type { Scene } from './scene.js';

/**
 * Runs the demo's two agents, one with MCP Verbatim Tool, one with n8n's own node, and opens the call of each in the
 * log.
 */
export async function runAgents({ editor: { page, url }, stage: { api, server, model }, look }: Scene): Promise<void> {
  const workflows = await importWorkflows(api, server.url, model.url);
  await page.goto(`${url}/workflow/${workflows.get('agents-side-by-side')}`);
  await page.getByTestId('execute-workflow-button').click();
  await page.getByText('Workflow executed successfully').waitFor();
  const logs = page.getByTestId('logs-overview-body');
  if (!(await logs.isVisible())) await page.getByTestId('logs-overview-header').getByText('Logs').click();
  await logs.waitFor();
  const header = page.getByTestId('log-details-header');
  for (const [node, name] of [
    ['MCP Client', 'failing-call'],
    ['MCP Verbatim Tool', 'repaired-call'],
  ] as const) {
    await nodeOnCanvas(page, node).click();
    await header.getByText(node).waitFor();
    await look(name, header.locator('xpath=..'));
  }
}
