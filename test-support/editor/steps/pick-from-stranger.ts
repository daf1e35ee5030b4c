import { say, steps } from '../../model/script.js';
import { modelNodeFor } from '../../n8n/scripted-model.js';
import { agentWorkflow, behindInput, verbatim, verbatimTool } from '../../n8n/workflows.js';
import { nodeOnCanvas, runWorkflow } from '../canvas.js';
import { choose, closeNode, dragOnto, openNode, outputError, parameter, runNode, take } from '../node-panel.js';
import { visit } from '../editor.js';
import type { Scene } from './scene.js';

/**
 * Behind an item with a secret: chooses a tool of a server whose texts are expressions, keeps the form's defaults and
 * chooses its values, drops a value onto its JSON, switches to arguments as JSON, and runs each of these. Then it
 * selects and approves the tool for an agent.
 *
 * @param url the server's
 * @param secret a value in the item before the node
 * @param constant the only value that the tool accepts
 * @returns the texts that were visible
 */
export async function pickFromStranger(
  { editor: { page }, stage: { api, model } }: Scene,
  url: string,
  secret: string,
  constant: string,
) {
  const mcpVerbatimHttpApi = await api.createCredential('Stranger', 'mcpVerbatimHttpApi', {
    url,
    server: 'http',
    authentication: 'none',
  });
  const parameters = { operation: 'call', tool: { __rl: true, mode: 'list', value: '' }, argumentsMode: 'form' };
  const node = verbatim({ mcpVerbatimHttpApi }, parameters);
  const workflow = behindInput({ password: secret, kind: 'circle' }, node);
  await visit(page, `/workflow/${await api.createWorkflow(workflow)}`);
  await openNode(page, 'MCP Verbatim');
  await page.getByTestId('ndv-input-panel').getByRole('button', { name: 'Execute previous nodes' }).click();
  await page.getByTestId('run-data-schema-item').filter({ hasText: 'kind' }).last().waitFor();
  await page.getByTestId('rlc-input').click();
  await page.getByTestId('rlc-item').first().click();
  await page.getByTestId('mapping-fields-container').waitFor();
  const picked = await page.getByTestId('rlc-input').inputValue();
  const notice = await page.getByTestId('empty-fields-notice').innerText();
  await runNode(page, 'success');
  const more = page.getByTestId('add-fields-select');
  for (const name of [/^choice/, /^inner/]) await take(more, page.getByRole('menuitem', { name }));
  await choose(page, parameter(page, 'choice'), /first"$/);
  await runNode(page, 'success');

  const inner = parameter(page, 'inner');
  await dragOnto(page, page.getByTestId('run-data-schema-item').filter({ hasText: 'kind' }).last(), inner);
  await inner.getByText('{{ $json.kind }}').waitFor();
  await runNode(page, 'danger');
  const { description: dropped } = await outputError(page);

  await choose(page, parameter(page, 'argumentsMode'), 'As JSON');
  await parameter(page, 'arguments').getByText('constant').first().waitFor();
  const json = await parameter(page, 'arguments').locator('.cm-content').innerText();
  await runNode(page, 'danger');
  const { title: example } = await outputError(page);
  await closeNode(page);

  const toolNode = verbatimTool(
    { mcpVerbatimHttpApi },
    { include: 'selected', tools: [], options: { approvedTools: { values: { approved: '' } } } },
  );
  const agent = agentWorkflow(await modelNodeFor(api, model), [toolNode], { input: { password: secret } });
  await visit(page, `/workflow/${await api.createWorkflow(agent)}`);
  await nodeOnCanvas(page, 'MCP Verbatim Tool').waitFor();
  await openNode(page, 'MCP Verbatim Tool');
  const tools = page.locator('.el-select-dropdown', { hasText: 'description of the tool' });
  await take(parameter(page, 'tools'), tools.locator('.el-select-dropdown__item').first());
  await page.keyboard.press('Tab');
  await choose(page, parameter(page, 'approved'), /^Approve What the Server Has Now/);
  await closeNode(page);
  model.play(
    steps((request) => {
      const [first] = request.tools ?? [];
      return { calls: [{ name: first?.function.name ?? '', arguments: { constant } }] };
    }, say('Done.')),
  );
  await runWorkflow(page);
  const exposed = model.requests[0]?.json as { tools: { function: { parameters: unknown } }[] };
  return {
    picked,

    notice,
    dropped,
    json,
    example,
    exposed: exposed.tools.map((tool) => tool.function.parameters),
  };
}
