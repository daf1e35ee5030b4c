import { singleNodeWorkflow, verbatim } from '../../n8n/workflows.js';
import { choose, closeNode, fill, openNode, outputHint, parameter, runNode } from '../node-panel.js';
import { visit } from '../editor.js';
import type { Scene } from './scene.js';

/**
 * Chooses another credential in the open panel of a call with a filled form.
 *
 * @param first a server with a tool `order`
 * @param second another server, whose tool `order` has other arguments, some of them by a pattern
 * @returns the texts that were visible
 */
export async function changeServer({ editor: { page }, stage: { api } }: Scene, first: string, second: string) {
  const credentialOf = async (name: string, address: string) =>
    await api.createCredential(name, 'mcpVerbatimHttpApi', { url: address, transport: 'http', authentication: 'none' });
  const mcpVerbatimHttpApi = await credentialOf('First shop', first);
  await credentialOf('Second shop', second);
  const tool = { __rl: true, mode: 'list', value: 'order', cachedResultName: 'order' };
  const call = verbatim({ mcpVerbatimHttpApi }, { operation: 'call', tool, argumentsMode: 'form' });
  await visit(page, `/workflow/${await api.createWorkflow(singleNodeWorkflow(call))}`);

  await openNode(page, 'MCP Verbatim');
  await fill(parameter(page, 'item'), 'a book');
  await choose(page, page.getByTestId('node-credentials-select'), 'Second shop');
  await page.getByTestId('empty-fields-notice').getByText('Further arguments').waitFor();
  const kept = await parameter(page, 'item').locator('input, textarea').first().inputValue();
  await runNode(page, 'success');
  const hint = await outputHint(page);
  await closeNode(page);
  return { kept, hint };
}
