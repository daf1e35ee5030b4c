import type { Locator, Page } from 'playwright-core';
import { rename } from './canvas.js';
import { fill, take } from './node-panel.js';

export function dialog(page: Page): Locator {
  return page.getByTestId('editCredential-modal');
}

/**
 * Begins a new credential in the open node and names it.
 *
 * @returns the text beside the node's button for it
 */
export async function newCredential(page: Page, name: string): Promise<string> {
  const none = page.getByTestId('node-credentials-empty-state');
  const select = page.getByTestId('node-credentials-select');
  await none.or(select).first().waitFor();
  const text = await none.or(select).first().innerText();
  if (await none.isVisible()) {
    await none.getByRole('button').click();
  } else {
    await take(select, page.getByTestId('node-credentials-select-item-new'));
  }
  await dialog(page).waitFor();
  await rename(page, page.getByTestId('credential-name'), name);
  return text;
}

/** Chooses another type of credential than the dialog's first one. */
export async function chooseKind(page: Page, kind: string): Promise<void> {
  await page.getByTestId('credential-mode-dropdown-trigger').click();
  await page.getByRole('menuitem', { name: kind }).click();
}

export async function fillCredential(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(fields))
    await fill(dialog(page).getByTestId(`parameter-input-${name}`), text);
}

/** Adds entries to a list in the dialog, and fills each. */
export async function addToCredential(page: Page, list: string, texts: string[]): Promise<void> {
  const collection = dialog(page).getByTestId(`fixed-collection-${list}`);
  for (const [index, text] of texts.entries()) {
    await collection.getByTestId('fixed-collection-add').click();
    await fill(collection.getByTestId('parameter-input-value').nth(index), text);
  }
}

/** Saves the credential, which n8n then tests. Saving again before n8n has answered would create a second one. */
export async function saveCredential(page: Page): Promise<void> {
  const saved = page.waitForResponse(
    (response) =>
      /\/rest\/credentials(\/(?!test$)[^/]+)?$/.test(new URL(response.url()).pathname) &&
      ['POST', 'PATCH'].includes(response.request().method()),
  );
  await page.getByTestId('credential-save-button').click();
  await saved;
}

/** n8n closes a credential's dialog after a successful test. */
export async function closedByItself(page: Page): Promise<void> {
  await dialog(page).waitFor({ state: 'hidden' });
}

/** Opens the dialog of the open node's credential. */
export async function openCredential(page: Page): Promise<void> {
  await page.getByTestId('credential-edit-button').click();
  await dialog(page).waitFor();
}

export async function closeCredential(page: Page): Promise<void> {
  await dialog(page).locator('.el-dialog__headerbtn').click();
  await closedByItself(page);
}
