import type { Locator, Page } from 'playwright-core';
import { nodeOnCanvas } from './canvas.js';

/** Opens a node's panel with a double click, and repeats the click: n8n now and then loses one while it draws. */
export async function openNode(page: Page, name: string): Promise<void> {
  const panel = page.getByTestId('ndv');
  await untilDone(async (limit) => {
    if (!(await panel.isVisible())) await nodeOnCanvas(page, name).dblclick(limit);
    await panel.waitFor(limit);
  });
}

/** Closes a node's panel and any open list in it. Escape would close the panel only if the list was gone. */
export async function closeNode(page: Page): Promise<void> {
  await page.getByTestId('ndv-close-button').click();
  await page.getByTestId('ndv').waitFor({ state: 'hidden' });
}

/** Presses "Execute step" and waits for the mark of its outcome. */
export async function runNode(page: Page, end: 'success' | 'danger'): Promise<void> {
  const answered = page.waitForResponse((response) => /\/rest\/workflows\/[^/]+\/run/.test(response.url()));
  await page.getByTestId('node-execute-button').click();
  await answered;
  await page.getByTestId('output-panel').getByTestId(`node-run-status-${end}`).waitFor();
}

/**
 * Switches the output to JSON.
 *
 * @returns its visible text, without spaces and line breaks
 */
export async function outputAsJson(page: Page): Promise<string> {
  const output = page.getByTestId('output-panel');
  await output.getByTestId('radio-button-json').click();
  await output.locator('.json-data').waitFor();
  return (await output.locator('.json-data').innerText()).replace(/\s/g, '');
}

/** The error in the node's panel. A failed run may open the log as well, which shows the error again. */
export async function outputError(page: Page): Promise<{ title: string; description: string }> {
  const output = page.getByTestId('output-panel');
  return {
    title: await output.getByTestId('node-error-message').innerText(),
    description: await output.getByTestId('node-error-description').innerText(),
  };
}

/** The hints above the node's output. */
export async function outputHint(page: Page): Promise<string> {
  return (await page.getByTestId('output-panel').getByTestId('node-hint').innerText()).trim();
}

export function parameter(page: Page, name: string): Locator {
  return page.getByTestId('node-parameters').getByTestId(`parameter-input-${name}`);
}

/** Fills a field of text or code, and leaves it, so that n8n takes the value. */
export async function fill(field: Locator, text: string): Promise<void> {
  const input = field.locator('input, textarea, .cm-content').first();
  await input.fill(text);
  await input.blur();
}

/** Chooses from a list of options. */
export async function choose(page: Page, field: Locator, option: string | RegExp): Promise<void> {
  await take(field, options(page).getByText(option, { exact: true }));
  await options(page).first().waitFor({ state: 'hidden' });
}

/** Chooses an option of a list. */
export async function take(list: Locator, option: Locator): Promise<void> {
  await whileOpen(list, option, (limit) => option.click(limit));
}

/** Opens a list whose options come from the server. */
export async function openList(page: Page, field: Locator, expected: string): Promise<void> {
  await page.locator('.el-select-dropdown__item', { hasText: expected }).first().waitFor({ state: 'attached' });
  const option = options(page).filter({ hasText: expected }).first();
  await whileOpen(field, option, (limit) => option.waitFor(limit));
}

/**
 * The entries of a list whose options come from the server, read while it is open: it may close by itself. Another list
 * may still be open beside it.
 */
export async function offeredIn(page: Page, field: Locator, expected: string): Promise<string[]> {
  const list = page.locator('.el-select-dropdown', { hasText: expected });
  for (;;) {
    await openList(page, field, expected);
    const offered = await list.locator(options(page)).allInnerTexts();
    if (offered.some((text) => text.includes(expected))) return offered;
  }
}

/** n8n closes a list that is opened while its panel is redrawn or options arrive, so it is opened again. */
async function whileOpen(
  list: Locator,
  option: Locator,
  act: (limit: { timeout: number }) => Promise<void>,
): Promise<void> {
  await untilDone(async (limit) => {
    if (!(await option.isVisible())) await list.click(limit);
    await act(limit);
  });
}

async function untilDone(act: (limit: { timeout: number }) => Promise<void>): Promise<void> {
  for (let triesLeft = 5; ; triesLeft -= 1) {
    try {
      await act({ timeout: 10_000 });
      return;
    } catch (error) {
      if (triesLeft === 1) throw error;
    }
  }
}

/** The options of the open list. */
function options(page: Page): Locator {
  return page.locator('.el-select-dropdown__item:visible');
}

/** Switches a field to an expression, unless it is one already, and fills it. */
export async function fillExpression(field: Locator, expression: string): Promise<void> {
  if (!(await field.locator('.cm-content').isVisible())) {
    const surroundings = field.locator('xpath=ancestor::*[.//*[@data-test-id="radio-button-expression"]][1]');
    await surroundings.getByTestId('radio-button-expression').click();
  }
  await fill(field, expression);
}

/** n8n notices a drag once the mouse has moved. */
export async function dragOnto(page: Page, value: Locator, field: Locator): Promise<void> {
  const grip = value.locator('[data-target="mappable"], [class*=pill]').first();
  await grip.hover();
  await page.mouse.down();
  await page.mouse.move(400, 300, { steps: 5 });
  const box = await field.boundingBox();
  if (box === null) throw new Error('The field is not on the screen.');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 15 });
  await page.mouse.up();
}
