import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { importedWorkflow } from '../../n8n/import-workflows.js';
import { nodeOnCanvas } from '../canvas.js';
import type { Scene } from './scene.js';

const name = 'agent-with-three-servers';
const file = fileURLToPath(new URL(`../../../docs/workflows/${name}.json`, import.meta.url));
/** The folder in which npx finds the servers without the registry. */
const checkout = fileURLToPath(new URL('../../..', import.meta.url));

/** A picture of a workflow to import, with the credentials that its note asks for. */
export async function lookAtWorkflow({ editor: { page, url }, stage: { api, model }, look }: Scene): Promise<void> {
  const server = async (name: string, program: string) => {
    const args = { values: ['-y', `@modelcontextprotocol/${program}`].map((value) => ({ value })) };
    const data = { command: 'npx', args, environment: {}, workingDirectory: checkout };
    return await api.createCredential(name, 'mcpVerbatimStdioApi', data);
  };
  const credentials = new Map([
    ['Everything server', await server('Everything server', 'server-everything')],
    ['Memory server', await server('Memory server', 'server-memory')],
    ['Thinking server', await server('Thinking server', 'server-sequential-thinking')],
    ['OpenAi account', await api.createCredential('OpenAi account', 'openAiApi', { apiKey: 'none', url: model.url })],
  ]);
  await page.setViewportSize({ width: 1200, height: 720 });
  const workflow = importedWorkflow(await readFile(file, 'utf8'), credentials);
  await page.goto(`${url}/workflow/${await api.createWorkflow(workflow)}`);
  await nodeOnCanvas(page, 'Start').waitFor();
  const logs = page.getByTestId('logs-overview-body');
  if (await logs.isVisible()) await page.getByTestId('logs-overview-header').getByText('Logs').click();
  await logs.waitFor({ state: 'hidden' });
  await page.getByTestId('zoom-to-fit').click();
  await look(`workflow-${name}`, page.locator('.vue-flow'));
  await page.setViewportSize({ width: 1440, height: 900 });
}
