import { modelNodeFor } from '../../n8n/scripted-model.js';
import { agentWorkflow, singleNodeWorkflow, verbatim, verbatimTool } from '../../n8n/workflows.js';
import { nodeOnCanvas } from '../canvas.js';
import { choose, closeNode, fill, offeredIn, openNode, outputHint, parameter, runNode } from '../node-panel.js';
import type { Scene } from './scene.js';

/**
 * Chooses another credential in panels that are open: of a call whose form is filled in, and of tools for an agent, in a
 * workflow with the legacy execution order.
 *
 * @param first a server with a tool `order`
 * @param second another one, whose tool `order` takes something else
 * @returns what there was to see
 */
export async function changeServer(
  { editor: { page, url }, stage: { api, model } }: Scene,
  first: string,
  second: string,
) {
  const credentialOf = async (name: string, address: string) =>
    await api.createCredential(name, 'mcpVerbatimHttpApi', { url: address, transport: 'http', authentication: 'none' });
  const mcpVerbatimHttpApi = await credentialOf('First shop', first);
  await credentialOf('Second shop', second);
  const callOf = async (tool: object) => {
    const call = verbatim({ mcpVerbatimHttpApi }, { operation: 'call', tool, argumentsMode: 'form' });
    await page.goto(`${url}/workflow/${await api.createWorkflow(singleNodeWorkflow(call))}`);
  };
  await callOf({ __rl: true, mode: 'list', value: 'order', cachedResultName: 'order' });

  await openNode(page, 'MCP Verbatim');
  await fill(parameter(page, 'item'), 'a book');
  const notice = page.getByTestId('empty-fields-notice');
  await notice.getByText('The first shop.').waitFor();
  await choose(page, page.getByTestId('node-credentials-select'), 'Second shop');
  await notice.getByText('The second shop.').waitFor();
  const kept = await parameter(page, 'item').locator('input, textarea').first().inputValue();
  await runNode(page, 'success');
  const hint = await outputHint(page);
  await closeNode(page);

  // n8n asks for no notice again when the tool is chosen by its name; what stands there says whose it is.
  await callOf({ __rl: true, mode: 'name', value: 'order' });
  await openNode(page, 'MCP Verbatim');
  await notice.getByText('The first shop.').waitFor();
  await choose(page, page.getByTestId('node-credentials-select'), 'Second shop');
  const byName = [await notice.innerText()];
  await closeNode(page);
  await openNode(page, 'MCP Verbatim');
  await notice.getByText('The second shop.').waitFor();
  byName.push(await notice.innerText());
  await closeNode(page);

  const modelNode = await modelNodeFor(api, model);
  const agent = agentWorkflow(modelNode, [verbatimTool({ mcpVerbatimHttpApi })]);
  await page.goto(`${url}/workflow/${await api.createWorkflow({ ...agent, settings: {} })}`);
  await nodeOnCanvas(page, 'MCP Verbatim Tool').waitFor();
  await openNode(page, 'MCP Verbatim Tool');
  await notice.getByText('legacy execution order').waitFor();
  const legacy = await notice.innerText();
  await choose(page, page.getByTestId('node-credentials-select'), 'Second shop');
  const choices = await offeredIn(page, parameter(page, 'include'), 'of second');
  await closeNode(page);
  return { kept, hint, byName, legacy, choices };
}
