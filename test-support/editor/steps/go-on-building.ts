import type { Page } from 'playwright-core';
import type { Workflow } from '../../n8n/api.js';
import { verbatim } from '../../n8n/workflows.js';
import { nodeOnCanvas } from '../canvas.js';
import { closeNode, dragOnto, fillExpression, openNode, outputError, parameter, runNode } from '../node-panel.js';
import { visit } from '../editor.js';
import type { Scene } from './scene.js';

/**
 * In an existing workflow: drags a value onto an object, pins data, renames, duplicates, undoes and copies.
 *
 * @returns the texts that were visible
 */
export async function goOnBuilding({ editor: { page, url }, stage: { api, server } }: Scene) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url });
  const credential = await api.createCredential('Canvas', 'mcpVerbatimHttpApi', {
    url: server.url,
    server: 'http',
    authentication: 'none',
  });
  await visit(page, `/workflow/${await api.createWorkflow(painting(credential))}`);
  const shape = parameter(page, 'shape');

  await openNode(page, 'Paint');
  await shape.waitFor();
  await page.getByTestId('ndv-input-panel').getByRole('button', { name: 'Execute previous nodes' }).click();
  await dragOnto(page, page.getByTestId('run-data-schema-item').filter({ hasText: 'what' }).last(), shape);
  await shape.getByText('{{ $json.what }}').waitFor();
  await runNode(page, 'danger');
  const { description: dragged } = await outputError(page);

  const [, works = ''] = /^If the value is its "kind": (.*)$/m.exec(dragged) ?? [];
  await fillExpression(shape, works);
  await page.getByTestId('parameter-expression-preview-shape').getByText('[Object').waitFor();
  await runNode(page, 'success');
  const mended = server.calls.at(-1)?.arguments;

  await page.getByTestId('ndv-pin-data').click();
  await closeNode(page);
  const before = server.calls.length;
  await page.getByTestId('execute-workflow-button').first().click();
  await page.getByText('Workflow executed successfully').first().waitFor();
  const callsWhilePinned = server.calls.length - before;

  await nodeOnCanvas(page, 'Paint').click();
  await page.keyboard.press('F2');
  await page.getByText('Rename Node: Paint').waitFor();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Painter');
  await page.keyboard.press('Enter');
  await nodeOnCanvas(page, 'Painter').click();
  await page.keyboard.press('Control+d');
  const duplicate = await shapeOf(page, 'Painter1');
  await page.keyboard.press('Control+z');
  await nodeOnCanvas(page, 'Painter1').waitFor({ state: 'detached' });
  await nodeOnCanvas(page, 'Painter').click();
  await copyToClipboard(page, '"name": "Painter"');
  await page.keyboard.press('Control+v');
  const copy = await shapeOf(page, 'Painter1');
  return { dragged, mended, callsWhilePinned, duplicate, copy };
}

function painting(credential: { id: string; name: string }): Workflow {
  const tool = { __rl: true, mode: 'list', value: 'paint_canvas', cachedResultName: 'paint_canvas' };
  const paint = verbatim({ mcpVerbatimHttpApi: credential }, { operation: 'call', tool, argumentsMode: 'form' });
  return {
    name: 'Paint',
    nodes: [
      { name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, position: [0, 0], parameters: {} },
      {
        name: 'Idea',
        type: 'n8n-nodes-base.set',
        typeVersion: 3.4,
        position: [200, 0],
        parameters: { mode: 'raw', jsonOutput: '{"what":"circle"}' },
      },
      { ...paint, name: 'Paint', position: [400, 0] },
    ],
    connections: {
      Start: { main: [[{ node: 'Idea', type: 'main', index: 0 }]] },
      Idea: { main: [[{ node: 'Paint', type: 'main', index: 0 }]] },
    },
    settings: { executionOrder: 'v1' },
  };
}

async function shapeOf(page: Page, node: string): Promise<string> {
  await openNode(page, node);
  const field = parameter(page, 'shape');
  await field.waitFor();
  const text = await field.innerText();
  await closeNode(page);
  return text.trim();
}

/** n8n writes to the clipboard some time after the keys. Pasting sooner would paste the old content. */
async function copyToClipboard(page: Page, expected: string): Promise<void> {
  await page.keyboard.press('Control+c');
  await page.waitForFunction(
    `navigator.clipboard.readText().then((text) => text.includes(${JSON.stringify(expected)}))`,
  );
}
