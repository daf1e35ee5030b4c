import type { Locator, Page } from 'playwright-core';
import { visit } from './editor.js';

/** Opens an empty workflow and names it. */
export async function newWorkflow(page: Page, name: string): Promise<void> {
  await visit(page, '/workflow/new');
  await page.getByTestId('canvas-add-button').waitFor();
  await rename(page, page.getByTestId('workflow-name-input'), name);
  // While the name has the focus, it receives the keys.
  await page.locator('.vue-flow__pane').click({ position: { x: 100, y: 100 } });
}

/** Overwrites a name that is edited in place. */
export async function rename(page: Page, title: Locator, name: string): Promise<void> {
  await title.click();
  await title.locator('input').waitFor();
  await page.keyboard.press('Control+a');
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await title.getByTestId('inline-edit-preview').getByText(name, { exact: true }).waitFor();
}

/** Opens the node panel with n8n's key for it. */
export async function openNodePanel(page: Page): Promise<void> {
  await page.keyboard.press('n');
}

/** Opens the node panel by dragging a connection from a node's output into empty space. */
export async function drawConnection(page: Page, from: string): Promise<void> {
  await drag(page, page.locator(`[data-test-id="canvas-node-output-handle"][data-node-name="${from}"]`), 150, 200);
}

/** Opens the node panel with the plus behind a node. */
export async function plusBehind(page: Page, node: string): Promise<void> {
  await page
    .locator(`[data-test-id="canvas-node-output-handle"][data-node-name="${node}"]`)
    .getByTestId('canvas-handle-plus')
    .click();
}

/** Opens the node panel with the plus below a node, at the input for sub-nodes of one kind. */
export async function plusBelow(page: Page, node: string, kind: 'ai_languageModel' | 'ai_tool'): Promise<void> {
  const input = `[data-test-id="canvas-node-input-handle"][data-node-name="${node}"][data-connection-type="${kind}"]`;
  await page.locator(input).getByTestId('canvas-handle-plus').click();
}

/**
 * Types into the search of the open node panel.
 *
 * @param expected a node that the search has to find
 * @returns the nodes that the panel then shows
 */
export async function searchNodes(page: Page, words: string, expected: string): Promise<string[]> {
  await page.getByTestId('node-creator-search-bar').waitFor();
  await page.keyboard.type(words);
  await found(page, expected).waitFor();
  return (await page.getByTestId('node-creator-item-name').allInnerTexts()).map((name) => name.trim());
}

/**
 * Chooses a node that the search found, or one of its actions; its panel opens.
 *
 * @returns the text of the list that had the action
 */
export async function takeNode(page: Page, name: string, action?: string): Promise<string> {
  await found(page, name).click();
  const creator = page.getByTestId('node-creator');
  let actions = '';
  if (action !== undefined) {
    const item = creator.getByText(action, { exact: true });
    await item.waitFor();
    actions = await creator.innerText();
    await item.click();
  }
  await page.getByTestId('ndv').waitFor();
  return actions;
}

function found(page: Page, name: string): Locator {
  return page
    .getByTestId('node-creator-item-name')
    .filter({ hasText: new RegExp(`^\\s*${name}\\s*$`) })
    .first();
}

export function nodeOnCanvas(page: Page, name: string): Locator {
  return page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
}

/** Moves something with the mouse by this many pixels. */
export async function drag(page: Page, what: Locator, right: number, down: number): Promise<void> {
  // Waits until it no longer moves.
  await what.hover();
  const box = await what.boundingBox();
  if (box === null) throw new Error('What is to be dragged is not on the screen.');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.down();
  await page.mouse.move(x + right, y + down, { steps: 10 });
  await page.mouse.up();
}

/** Runs the whole workflow, and resolves when it has succeeded. */
export async function runWorkflow(page: Page): Promise<void> {
  const done = page.getByText('Workflow executed successfully');
  await done.first().waitFor({ state: 'hidden' });
  await page.getByTestId('execute-workflow-button').click();
  await done.first().waitFor();
}
