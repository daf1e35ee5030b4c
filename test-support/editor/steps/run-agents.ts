import { importWorkflows } from '../../n8n/import-workflows.js';
import type { Scene } from './scene.js';

/** Runs the demo's two agents, one with MCP Verbatim Tool, one with n8n's own node, from the imported workflow. */
export async function runAgents({ editor: { page, url }, stage: { api, server, model }, look }: Scene): Promise<void> {
  const workflows = await importWorkflows(api, server.url, model.url);
  await page.goto(`${url}/workflow/${workflows.get('agents-side-by-side')}`);
  await page.getByTestId('execute-workflow-button').click();
  await page.getByText('Workflow executed successfully').waitFor();
  const logs = page.getByTestId('logs-overview-body');
  if (await logs.isVisible()) await page.getByTestId('logs-overview-header').getByText('Logs').click();
  await logs.waitFor({ state: 'hidden' });
  await page.getByTestId('zoom-to-fit').click();
  // The button to run covers the lowest node's name otherwise.
  await page.getByTestId('zoom-out-button').click();
  await look('agents');
}
