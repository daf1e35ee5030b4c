import type { Scene } from './scene.js';

/** The dialog that installs a community node, filled in but not sent. */
export async function lookAtInstallation({ editor: { page, url }, look }: Scene): Promise<void> {
  await page.goto(`${url}/settings/community-nodes`);
  await page
    .getByRole('button', { name: /Install/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog').last();
  await dialog.locator('input[type="text"], input:not([type])').first().fill('n8n-nodes-mcp-verbatim');
  await look('install', page.locator('.el-dialog').last());
}
