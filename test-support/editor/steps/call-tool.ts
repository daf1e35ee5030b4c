import { drawConnection, nodeOnCanvas, searchNodes, takeNode } from '../canvas.js';
import {
  choose,
  closeNode,
  fill,
  fillExpression,
  outputAsJson,
  outputError,
  parameter,
  runNode,
} from '../node-panel.js';
import type { Scene } from './scene.js';

/**
 * Beside the first node: calls a tool with a form in which a number is typed as text, and then with text that is no
 * number.
 *
 * @returns the texts that were visible
 */
export async function callTool({ editor: { page }, look }: Scene) {
  await closeNode(page);
  await drawConnection(page, 'When clicking ‘Execute workflow’');
  await searchNodes(page, 'mcp', 'MCP Verbatim');
  await takeNode(page, 'MCP Verbatim', 'Call a tool');

  await page.getByTestId('rlc-input').click();
  const choices = page.getByTestId('rlc-item');
  await choices.nth(1).waitFor();
  const offered = await choices.allInnerTexts();
  await page.keyboard.type('book');
  await choices.filter({ hasText: 'paint_canvas' }).waitFor({ state: 'hidden' });
  await choices.first().waitFor();
  const matching = await choices.allInnerTexts();
  await choices.first().click();

  await fill(parameter(page, 'date'), '2026-12-24');
  await choose(page, parameter(page, 'courses'), '3');
  await fill(parameter(page, 'seating'), '{"area":"terrace","heater":true}');
  await fill(parameter(page, 'note'), 'By the window, please');
  const labels = await page.getByTestId('mapping-fields-container').locator('label [class*=title]').allInnerTexts();
  await page
    .locator('label[for="tool"]')
    .evaluate((label: { scrollIntoView(options: object): void }) => label.scrollIntoView({ block: 'start' }));
  await look('form', page.getByTestId('node-parameters'));
  await fillExpression(parameter(page, 'guests'), '{{ "4" }}');
  await page.getByTestId('parameter-expression-preview-guests').getByText('4', { exact: true }).waitFor();

  await runNode(page, 'success');
  const output = await outputAsJson(page);

  await fillExpression(parameter(page, 'guests'), '{{ "four" }}');
  await page.getByTestId('parameter-expression-preview-guests').getByText('four', { exact: true }).waitFor();
  await runNode(page, 'danger');
  const error = await outputError(page);
  await look('call-error', page.getByTestId('output-panel'), 300);
  await closeNode(page);
  const onCanvas = await nodeOnCanvas(page, 'Call a tool').innerText();
  return { offered, matching, labels, output, error, onCanvas };
}
