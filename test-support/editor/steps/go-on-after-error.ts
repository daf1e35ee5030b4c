import { singleNodeWorkflow, verbatim } from '../../n8n/workflows.js';
import { choose, closeNode, openNode, outputAsJson, runNode } from '../node-panel.js';
import type { Scene } from './scene.js';

/**
 * Lets a node whose call does not fit go on after the error: with its regular output, then with a second one.
 *
 * @returns what there was to see
 */
export async function goOnAfterError({ editor: { page, url }, stage: { api, server } }: Scene) {
  const data = { url: server.url, transport: 'http', authentication: 'none' };
  const mcpVerbatimHttpApi = await api.createCredential('Failing', 'mcpVerbatimHttpApi', data);
  const tool = { __rl: true, mode: 'list', value: 'book_table', cachedResultName: 'book_table' };
  const call = { operation: 'call', tool, argumentsMode: 'json', arguments: '{"date":"2026-12-24","guests":"four"}' };
  const node = verbatim({ mcpVerbatimHttpApi }, call);
  await page.goto(`${url}/workflow/${await api.createWorkflow(singleNodeWorkflow(node))}`);
  await openNode(page, 'MCP Verbatim');
  await runNode(page, 'danger');

  await page.getByTestId('ndv').getByText('Settings', { exact: true }).first().click();
  const onError = page.getByTestId('parameter-input-onError');
  const output = page.getByTestId('output-panel');
  await choose(page, onError, 'Continue');
  await runNode(page, 'success');
  const regular = await outputAsJson(page);

  await choose(page, onError, 'Continue (using error output)');
  await runNode(page, 'success');
  await output.getByText('Error Branch (1 item)').click();
  await output.locator('.json-data').getByText('/guests').waitFor();
  const onBranch = await outputAsJson(page);
  await closeNode(page);
  return { regular, onBranch };
}
