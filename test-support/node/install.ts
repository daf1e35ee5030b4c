import { createHash } from 'node:crypto';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assertPlatform, cached, npm } from '../cached.js';

export const nodeVersions = ['20', '22', '24'] as const;

/**
 * A pinned Node.js from the registry, installed once outside the checkout.
 *
 * @returns the folder of its programs `node` and `npm`
 */
export async function nodeFolder(major: string): Promise<string> {
  assertPlatform();
  const key = createHash('sha256')
    .update(await readFile(join(here, 'package-lock.json')))
    .digest('hex');
  const folder = await cached(`node-${key.slice(0, 16)}`, async (unfinished) => {
    for (const file of ['package.json', 'package-lock.json']) await copyFile(join(here, file), join(unfinished, file));
    await npm(unfinished, ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
  });
  return join(folder, 'node_modules', `node-${major}`, 'bin');
}

const here = import.meta.dirname;
