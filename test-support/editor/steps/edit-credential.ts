import { modelNodeFor } from '../../n8n/scripted-model.js';
import { agentWorkflow, verbatimTool } from '../../n8n/workflows.js';
import { nodeOnCanvas } from '../canvas.js';
import { closeCredential, fillCredential, openCredential, saveCredential } from '../credential.js';
import { choose, closeNode, openNode, parameter } from '../node-panel.js';
import { visit } from '../editor.js';
import type { Scene } from './scene.js';

/**
 * Corrects the URL of a credential in its dialog while a node's panel is open, and then chooses another credential.
 *
 * @param first a URL at which nothing listens
 * @param second a server called `second`, with a tool `order`
 * @param third a server called `third`
 * @returns the notice before the correction and while the panel stayed open; the first choice of tools after the panel was
 *   reopened, and for the other credential
 */
export async function editCredential(
  { editor: { page }, stage: { api, model } }: Scene,
  first: string,
  second: string,
  third: string,
) {
  const credentialOf = async (name: string, address: string) =>
    await api.createCredential(name, 'mcpVerbatimHttpApi', { url: address, transport: 'http', authentication: 'none' });
  const mcpVerbatimHttpApi = await credentialOf('Moved shop', first);
  await credentialOf('Third shop', third);
  const agent = agentWorkflow(await modelNodeFor(api, model), [verbatimTool({ mcpVerbatimHttpApi })]);
  await visit(page, `/workflow/${await api.createWorkflow(agent)}`);
  await nodeOnCanvas(page, 'MCP Verbatim Tool').waitFor();
  await openNode(page, 'MCP Verbatim Tool');
  const notice = page.getByTestId('empty-fields-notice').first();
  await notice.getByText('ECONNREFUSED').waitFor();
  const before = await notice.innerText();
  await openCredential(page);
  await fillCredential(page, { url: second });
  await saveCredential(page);
  await closeCredential(page);
  const whileOpen = await notice.innerText();
  await closeNode(page);
  await openNode(page, 'MCP Verbatim Tool');
  const include = parameter(page, 'include').locator('input');
  const untilHas = async (count: string) => {
    await page.waitForFunction(([input, text]) => (input as { value: string }).value.includes(text as string), [
      await include.elementHandle(),
      count,
    ] as const);
    return await include.inputValue();
  };
  const afterwards = await untilHas('1 tool');
  const warnings = await notice.count();
  await choose(page, page.getByTestId('node-credentials-select'), 'Third shop');
  const ofOther = await untilHas('2 tools');
  await closeNode(page);
  return { before, whileOpen, afterwards, warnings, ofOther };
}
