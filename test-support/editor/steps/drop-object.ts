import { behindInput, verbatim } from '../../n8n/workflows.js';
import { dragOnto, openNode, outputError, parameter, runNode } from '../node-panel.js';
import type { Scene } from './scene.js';

/**
 * Drops an object onto a list of objects, and runs what the error advises.
 *
 * @param person an object that the list takes
 * @returns the advice, and what was sent then
 */
export async function dropObject({ editor: { page, url }, stage: { api, server } }: Scene, person: object) {
  const data = { url: server.url, transport: 'http', authentication: 'none' };
  const mcpVerbatimHttpApi = await api.createCredential('Persons', 'mcpVerbatimHttpApi', data);
  const tool = { __rl: true, mode: 'list', value: 'find_relatives', cachedResultName: 'find_relatives' };
  const find = verbatim({ mcpVerbatimHttpApi }, { operation: 'call', tool, argumentsMode: 'form' });
  await page.goto(`${url}/workflow/${await api.createWorkflow(behindInput({ q: person }, find))}`);
  const queries = parameter(page, 'queries');

  await openNode(page, 'MCP Verbatim');
  await queries.waitFor();
  await page.getByTestId('ndv-input-panel').getByRole('button', { name: 'Execute previous nodes' }).click();
  await dragOnto(page, page.getByTestId('run-data-schema-item').filter({ hasText: 'q' }).first(), queries);
  await queries.getByText('{{ $json.q }}').waitFor();
  await runNode(page, 'danger');
  const { description: dropped } = await outputError(page);
  const [, works = ''] = /^If the value is one entry of it: (.*)$/m.exec(dropped) ?? [];
  const form = { mappingMode: 'defineBelow', value: { queries: `=${works}` } };
  const advised = { ...find, parameters: { ...find.parameters, form } };
  await api.run(await api.createWorkflow(behindInput({ q: person }, advised)), 'Start');
  return { dropped, sent: server.calls.at(-1)?.arguments };
}
