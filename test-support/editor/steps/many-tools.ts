import type { INodeProperties } from 'n8n-workflow';
import { modelNodeFor } from '../../n8n/scripted-model.js';
import { agentWorkflow, verbatimTool } from '../../n8n/workflows.js';
import { choose, closeNode, offeredIn, openNode, parameter, runNode } from '../node-panel.js';
import type { Scene } from './scene.js';

/**
 * Opens the panel of MCP Verbatim Tool for a server with very many tools, and adds every option that there is.
 *
 * @param manyUrl a server with tools up to `tool_299`
 * @param every the options of the node
 * @returns what there was to see
 */
export async function manyTools(
  { editor: { page, url }, stage: { api, model } }: Scene,
  manyUrl: string,
  every: readonly INodeProperties[],
) {
  const data = { url: manyUrl, transport: 'http', authentication: 'none' };
  const mcpVerbatimHttpApi = await api.createCredential('Many tools', 'mcpVerbatimHttpApi', data);
  const modelNode = await modelNodeFor(api, model);
  const workflow = agentWorkflow(modelNode, [verbatimTool({ mcpVerbatimHttpApi }, {}, { typeVersion: 1.2 })]);
  await page.goto(`${url}/workflow/${await api.createWorkflow(workflow)}`);
  await openNode(page, 'MCP Verbatim Tool');

  const panel = page.getByTestId('node-parameters');
  for (const { displayName, name, type, typeOptions } of every) {
    await choose(page, page.getByPlaceholder('Add Option'), displayName);
    const collection = panel.getByTestId(`fixed-collection-${name}`);
    await (type === 'fixedCollection' ? collection : parameter(page, name)).waitFor();
    if (typeOptions?.multipleValues !== true) continue;
    // n8n forgets an empty one when the next option is added.
    await collection.getByTestId('fixed-collection-add').click();
    await collection.getByTestId('parameter-input-value').waitFor();
  }
  const left = await page.getByPlaceholder('Add Option').count();
  await runNode(page, 'success');
  const count = await page.getByTestId('output-panel').getByTestId('ndv-items-count').innerText();

  await choose(page, parameter(page, 'include'), /^Selected/);
  const { length: offered } = await offeredIn(page, parameter(page, 'includeTools'), 'tool_299');
  await page.keyboard.press('Tab');
  await closeNode(page);
  return { left, count, offered };
}
