import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import { modelNodeFor } from '../../n8n/scripted-model.js';
import { agentWorkflow, verbatimTool } from '../../n8n/workflows.js';
import { choose, closeNode, offeredIn, openNode, parameter, runNode } from '../node-panel.js';
import { visit } from '../editor.js';
import type { Scene } from './scene.js';

/**
 * Opens the panel of MCP Verbatim Tool for a server with very many tools and with every option.
 *
 * @param manyUrl a server with tools up to `tool_299`
 * @param every the node's options
 * @returns the texts that were visible
 */
export async function manyTools(
  { editor: { page }, stage: { api, model } }: Scene,
  manyUrl: string,
  every: readonly INodeProperties[],
  approved: string,
) {
  const data = { url: manyUrl, transport: 'http', authentication: 'none' };
  const mcpVerbatimHttpApi = await api.createCredential('Many tools', 'mcpVerbatimHttpApi', data);
  const modelNode = await modelNodeFor(api, model);
  const untouched = Object.fromEntries(every.map((option) => [option.name, chosen(option)]));
  const own = { approvedTools: { values: { approved } }, toolSearch: { values: { mode: 'off' } } };
  const options = { ...untouched, ...own };
  const node = verbatimTool({ mcpVerbatimHttpApi }, { options });
  const workflow = agentWorkflow(modelNode, [node]);
  await visit(page, `/workflow/${await api.createWorkflow(workflow)}`);
  await openNode(page, 'MCP Verbatim Tool');

  const panel = page.getByTestId('node-parameters');
  for (const { name, type } of every) {
    await (
      type === 'fixedCollection' ? panel.getByTestId(`fixed-collection-${name}`) : parameter(page, name)
    ).waitFor();
  }
  const left = await page.getByPlaceholder('Add Option').count();
  await runNode(page, 'success');
  const count = await page.getByTestId('output-panel').getByTestId('ndv-items-count').innerText();

  await choose(page, parameter(page, 'include'), /^Selected/);
  const { length: offered } = await offeredIn(page, parameter(page, 'tools'), 'tool_299');
  await page.keyboard.press('Tab');
  await closeNode(page);
  return { left, count, offered };
}

/**
 * The value that n8n stores for an option that was added and not edited. A group of several needs an entry to be shown.
 */
function chosen({ type, default: value, options, typeOptions }: INodeProperties): unknown {
  if (type !== 'fixedCollection') return value;
  const [group] = options as INodePropertyCollection[]; // a fixed collection's
  const untouched = Object.fromEntries(group!.values.map((field) => [field.name, field.default]));
  return { [group!.name]: typeOptions?.multipleValues === true ? [untouched] : untouched };
}
