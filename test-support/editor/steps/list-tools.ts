import { newWorkflow, openNodePanel, searchNodes, takeNode } from '../canvas.js';
import {
  closeCredential,
  closedByItself,
  dialog,
  fillCredential,
  newCredential,
  openCredential,
  saveCredential,
} from '../credential.js';
import { outputAsJson, runNode } from '../node-panel.js';
import type { Scene } from './scene.js';

export const credentialName = 'Demo server';

/**
 * In an empty workflow: finds MCP Verbatim, creates a credential for it, wrong at first, and lists the tools.
 *
 * @param wrongUrl a URL at which nothing listens
 * @returns the texts that were visible
 */
export async function listTools({ editor: { page }, stage }: Scene, wrongUrl: string) {
  await newWorkflow(page, 'Book a table');
  await openNodePanel(page);
  const byAction = await searchNodes(page, 'list tools', 'MCP Verbatim');
  await page.keyboard.press('Control+a');
  const found = await searchNodes(page, 'mcp', 'MCP Verbatim');
  const actions = await takeNode(page, 'MCP Verbatim', 'List tools');

  const connect = await newCredential(page, credentialName);
  await fillCredential(page, { url: wrongUrl });
  await saveCredential(page);
  await dialog(page).getByText('More details').click();
  await dialog(page).getByText(wrongUrl).waitFor();
  const refusal = await dialog(page).innerText();

  await fillCredential(page, { url: stage.server.url });
  await saveCredential(page);
  await closedByItself(page);
  await openCredential(page);
  await dialog(page).getByText('Connection tested successfully').waitFor();
  await closeCredential(page);

  await runNode(page, 'success');
  const output = await outputAsJson(page);
  return { byAction, found, actions, connect, refusal, output };
}
