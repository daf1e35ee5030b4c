import { singleNodeWorkflow, verbatim } from '../../n8n/workflows.js';
import { closeNode, openNode, parameter } from '../node-panel.js';
import { visit } from '../editor.js';
import type { Scene } from './scene.js';

/**
 * Opens the panel of a call, and switches *Show Argument Descriptions* on and off.
 *
 * @param shop a server with a tool `order` that has an argument `item`
 * @returns the boxes beside the form before, and the text of the one that the switch opens
 */
export async function explainArguments({ editor: { page }, stage: { api } }: Scene, shop: string) {
  const data = { url: shop, transport: 'http', authentication: 'none' };
  const mcpVerbatimHttpApi = await api.createCredential('Shop', 'mcpVerbatimHttpApi', data);
  const tool = { __rl: true, mode: 'list', value: 'order', cachedResultName: 'order' };
  const call = verbatim({ mcpVerbatimHttpApi }, { operation: 'call', tool, argumentsMode: 'form' });
  await visit(page, `/workflow/${await api.createWorkflow(singleNodeWorkflow(call))}`);
  await openNode(page, 'MCP Verbatim');
  await parameter(page, 'item').waitFor();
  const box = page.getByTestId('empty-fields-notice');
  const before = await box.count();
  const explain = parameter(page, 'showDescriptions').locator('.el-switch');
  await explain.click();
  await box.waitFor();
  const explained = await box.innerText();
  await explain.click();
  await box.waitFor({ state: 'hidden' });
  await closeNode(page);
  return { before, explained };
}
