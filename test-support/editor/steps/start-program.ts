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

/** The folder in which npx finds the server without the registry. */
const checkout = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * In the open MCP Verbatim Tool: creates a credential for a server that n8n starts, and lists the tools.
 *
 * @returns the texts that were visible
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
