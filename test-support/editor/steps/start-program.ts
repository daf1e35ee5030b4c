import { fileURLToPath } from 'node:url';
import {
  addToCredential,
  chooseKind,
  closedByItself,
  fillCredential,
  newCredential,
  saveCredential,
} from '../credential.js';
import { runNode } from '../node-panel.js';
import type { Scene } from './scene.js';

/** Where npx finds the server without asking the registry. */
const checkout = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * In the open MCP Verbatim Tool: makes a credential for a server that n8n starts, and asks for the tools.
 *
 * @returns what there was to see
 */
export async function startProgram({ editor: { page } }: Scene) {
  await newCredential(page, 'Everything');
  await chooseKind(page, 'Started by a Command (Stdio)');
  await fillCredential(page, { command: 'npx' });
  await addToCredential(page, 'args', ['-y', '@modelcontextprotocol/server-everything']);
  await fillCredential(page, { workingDirectory: checkout });
  await saveCredential(page);
  await closedByItself(page);

  await runNode(page, 'success');
  const count = page
    .getByTestId('output-panel')
    .getByTestId('ndv-items-count')
    .getByText(/^\d\d items$/);
  await count.waitFor();
  return { count: await count.innerText() };
}
