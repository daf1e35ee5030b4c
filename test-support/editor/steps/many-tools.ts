import { agentWorkflow, verbatimTool } from '../../n8n/workflows.js';
import { choose, closeNode, openList, openNode, options, parameter } from '../node-panel.js';
import type { Scene } from './scene.js';

/**
 * Opens the panel of MCP Verbatim Tool for a server with very many tools, and adds every option that there is.
 *
 * @returns what there was to see
 */
export async function manyTools({ editor: { page, url }, stage: { api, model } }: Scene, manyUrl: string) {
  const data = { url: manyUrl, transport: 'http', authentication: 'none' };
  const mcpVerbatimHttpApi = await api.createCredential('Many tools', 'mcpVerbatimHttpApi', data);
  const openAiApi = await api.createCredential('Model of many', 'openAiApi', { apiKey: 'none', url: model.url });
  const modelNode = {
    name: 'Model',
    type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
    typeVersion: 1.2,
    position: [0, 200] as [number, number],
    parameters: {},
    credentials: { openAiApi },
  };
  const workflow = agentWorkflow(modelNode, [verbatimTool({ mcpVerbatimHttpApi })]);
  await page.goto(`${url}/workflow/${await api.createWorkflow(workflow)}`);
  await openNode(page, 'MCP Verbatim Tool');
  const label = page.locator('.el-select-dropdown__item', { hasText: 'of many' });
  await label.first().waitFor({ state: 'attached' });
  const atFirstSight = await page.getByTestId('node-parameters').getByTestId('parameter-item').count();

  const add = page.getByPlaceholder('Add Option');
  const added: string[] = [];
  while (await add.isVisible()) {
    await add.click();
    const [name = ''] = (await options(page).first().innerText()).split('\n');
    await options(page).first().click();
    await options(page).first().waitFor({ state: 'hidden' });
    added.push(name);
  }
  await choose(page, parameter(page, 'include'), 'Selected');
  await openList(page, parameter(page, 'includeTools'), 'tool_299');
  const offered = await options(page).count();
  await page.keyboard.press('Tab');
  await closeNode(page);
  return { atFirstSight, added, offered };
}
