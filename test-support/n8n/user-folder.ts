import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { N8nApi } from './api.js';
import { cacheFolder } from '../cached.js';
import type { Host } from './install.js';
import { startN8n } from './start.js';

/** The account of the local n8n. It protects nothing: n8n listens on loopback, and its folder is temporary. */
export const owner = { email: 'demo@example.com', password: 'Verbatim-1', firstName: 'Demo', lastName: 'Owner' };

/**
 * Creates a temporary user folder with a migrated database and an owner. It copies a template that the first call
 * makes, because n8n's first start runs hundreds of migrations.
 *
 * @returns its path; the caller removes it
 */
export async function createUserFolder(host: Host, onProgress: (step: string) => void = () => {}): Promise<string> {
  const template = join(cacheFolder, `n8n-${host.key}-user`);
  if (!existsSync(template)) {
    onProgress('Preparing the database of n8n (once)');
    await createTemplate(host, template);
  }
  const folder = await mkdtemp(join(tmpdir(), 'mcp-verbatim-n8n-'));
  await cp(template, folder, { recursive: true });
  return folder;
}

async function createTemplate(host: Host, template: string): Promise<void> {
  const unfinished = `${template}.unfinished-${process.pid}`;
  try {
    await mkdir(unfinished, { recursive: true });
    const n8n = await startN8n(host, { userFolder: unfinished });
    try {
      await N8nApi.setUp(n8n.url, owner);
    } finally {
      await n8n.stop();
    }
    // n8n writes the compiled editor anew at every start.
    await rm(join(unfinished, '.cache'), { recursive: true, force: true });
    await rename(unfinished, template).catch((error: unknown) => {
      if (!existsSync(template)) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}
