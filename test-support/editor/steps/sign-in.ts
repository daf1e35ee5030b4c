import {
  chooseKind,
  closeCredential,
  closedByItself,
  fillCredential,
  newCredential,
  openCredential,
  saveCredential,
} from '../credential.js';
import { outputAsJson, runNode } from '../node-panel.js';
import type { Scene } from './scene.js';

/**
 * In the open MCP Verbatim Tool: creates an OAuth2 credential, signs in, and lists the tools.
 *
 * @returns the texts that were visible
 */
export async function signIn({ editor: { page }, protectedServer }: Scene) {
  await newCredential(page, 'My account');
  await chooseKind(page, 'At a URL, with OAuth2');
  await fillCredential(page, { serverUrl: protectedServer.url });
  await saveCredential(page);
  const popup = page.waitForEvent('popup');
  await page.getByTestId('quick-connect-button').click();
  await popup;
  await closedByItself(page);

  await openCredential(page);
  await page.getByTestId('oauth-connect-success-banner').waitFor();
  const banner = await page.getByTestId('oauth-connect-success-banner').innerText();
  await closeCredential(page);

  await runNode(page, 'success');
  await page.getByTestId('output-panel').getByText('This is what an agent sees').waitFor();
  const output = await outputAsJson(page);
  return { banner, output };
}
