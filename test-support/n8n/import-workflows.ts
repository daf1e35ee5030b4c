import { readFile, readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { N8nApi, Workflow } from './api.js';

const folder = fileURLToPath(new URL('../../demo/workflows', import.meta.url));

/** The address in the workflow files. */
export const demoServerPort = 7331;

/**
 * Creates the demo's credentials and workflows. The files are as a person would import them: credentials are found by
 * name, and the demo server's address is replaced if it differs.
 *
 * @returns the workflow ids by file name, without extension
 */
export async function importWorkflows(api: N8nApi, serverUrl: string, modelUrl: string): Promise<Map<string, string>> {
  const server = { url: serverUrl, transport: 'http', authentication: 'none' };
  const credentials = new Map([
    ['Demo server', await api.createCredential('Demo server', 'mcpVerbatimHttpApi', server)],
    ['Scripted model', await api.createCredential('Scripted model', 'openAiApi', { apiKey: 'none', url: modelUrl })],
  ]);
  const ids = new Map<string, string>();
  for (const file of (await readdir(folder)).filter((name) => name.endsWith('.json')).sort()) {
    const text = await readFile(`${folder}/${file}`, 'utf8');
    const workflow = importedWorkflow(
      text.replaceAll(`http://127.0.0.1:${demoServerPort}/mcp`, serverUrl),
      credentials,
    );
    ids.set(file.replace(/\.json$/, ''), await api.createWorkflow(workflow));
  }
  return ids;
}

/**
 * A workflow as n8n has it after a person imported it: credentials are found by name.
 *
 * @param text a file of this repository
 * @throws if it names a missing credential
 */
export function importedWorkflow(
  text: string,
  credentials: ReadonlyMap<string, { id: string; name: string }>,
): Workflow {
  const workflow = JSON.parse(text) as Workflow; // our own files
  for (const node of workflow.nodes) {
    for (const [type, { name }] of Object.entries(node.credentials ?? {})) {
      const created = credentials.get(name);
      if (created === undefined) throw new Error(`${workflow.name}: there is no credential named "${name}".`);
      node.credentials![type] = created;
    }
  }
  return workflow;
}
