import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Builds the package and packs it as it would be published.
 *
 * @param into the folder for the tarball
 * @returns the tarball's path, or MCP_VERBATIM_TARBALL if it is set
 */
export async function packPackage(into: string): Promise<string> {
  const ready = process.env['MCP_VERBATIM_TARBALL'];
  if (ready) return ready;
  // Built here and not by npm's "prepack", because the project's own .npmrc turns scripts off.
  await run(process.execPath, ['build.mjs'], { cwd: root });
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', into], {
    cwd: root,
  });
  const [packed] = JSON.parse(stdout) as { filename: string }[];
  return join(into, packed!.filename);
}

/**
 * Installs a tarball as a community package by n8n's own steps (2.41: community-packages.service.js, downloadPackage):
 * unpack, strip every dependency but the plain ones, install those without scripts, enter the package in the ledger.
 * n8n loads it at its next start.
 */
export async function installCommunityPackage(userFolder: string, tarball: string): Promise<void> {
  const nodes = join(userFolder, '.n8n', 'nodes');
  const unpacked = join(nodes, 'unpacked');
  await mkdir(unpacked, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);
  const all = Object.entries(await readJson(join(unpacked, 'package.json')));
  const manifest = Object.fromEntries(all.filter(([name]) => !stripped.includes(name)));
  await writeFile(join(unpacked, 'package.json'), JSON.stringify(manifest, null, 2));

  const { name, version } = manifest as { name: string; version: string };
  const folder = join(nodes, 'node_modules', name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, '..'), { recursive: true });
  await run('mv', [unpacked, folder]);
  const install = ['install', '--audit=false', '--fund=false', '--bin-links=false', '--install-strategy=shallow'];
  await run('npm', [...install, '--ignore-scripts=true', '--package-lock=false'], { cwd: folder });

  const ledgerFile = join(nodes, 'package.json');
  const fresh: Record<string, unknown> = { name: 'installed-nodes', private: true };
  const ledger = await readJson(ledgerFile).catch(() => fresh);
  ledger['dependencies'] = { ...(ledger['dependencies'] as object | undefined), [name]: version };
  await writeFile(ledgerFile, JSON.stringify(ledger, null, 2));
}

async function readJson(file: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>; // package.json files are objects
}

const stripped = ['devDependencies', 'peerDependencies', 'optionalDependencies'];
