import { verbatimTool } from '../../n8n/workflows.js';
import { choose, closeNode, openNode, parameter } from '../node-panel.js';
import { visit } from '../editor.js';
import type { Scene } from './scene.js';

/**
 * Opens MCP Verbatim Tool in a workflow without an agent, adds two options without editing their fields, and approves.
 *
 * @returns the texts of the panel
 */
export async function addOptions({ editor: { page }, stage: { api, server } }: Scene) {
  const data = { url: server.url, transport: 'http', authentication: 'none' };
  const mcpVerbatimHttpApi = await api.createCredential('Demo', 'mcpVerbatimHttpApi', data);
  const node = verbatimTool({ mcpVerbatimHttpApi });
  const workflow = { name: 'Without an agent', nodes: [node], connections: {} };
  await visit(page, `/workflow/${await api.createWorkflow(workflow)}`);
  await openNode(page, node.name);
  const alone = await page.getByTestId('node-parameters').innerText();
  const addOption = page.getByPlaceholder('Add Option');
  await choose(page, addOption, 'Tool Search');
  const toolSearch = await parameter(page, 'mode').locator('input').inputValue();
  await choose(page, addOption, 'Approved Tools');
  const approval = page.getByTestId('empty-fields-notice').filter({ hasText: 'approved' });
  await approval.waitFor();
  const unapproved = await approval.innerText();
  await choose(page, parameter(page, 'approved'), /^Approve What the Server Has Now/);
  await approval.waitFor({ state: 'hidden' });
  const approved = await page.getByTestId('empty-fields-notice').innerText();
  await closeNode(page);
  return { alone, toolSearch, unapproved, approved };
}
