/**
 * `npm run fetch:packages`: installs the packages that tests and measurements beside LangChain and the peers need, by
 * each folder's lockfile. Nothing else installs them, so a test run never fetches anything from the registry.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cannotRun } from './cannot-run.js';
import { cached, npm } from './cached.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const library = join(root, 'packages', 'mcp-verbatim');

if (process.argv[1] === fileURLToPath(import.meta.url)) void installAll(process.argv.slice(2));

async function installAll(folders: string[]): Promise<void> {
  for (const folder of folders) await install(resolve(folder));
}

/**
 * A folder with a package.json, its lockfile and the installed packages. The built `mcp-verbatim` is put among them as
 * it would be published, so that both resolve the same copies of LangChain.
 *
 * @param folder its path from the project's root
 * @returns its absolute path; undefined if `npm run fetch:packages` has not been run, so that a test can skip visibly
 * @throws in CI if it has not been run, or if the package has not been built
 */
export function fetchedPackages(folder: string): string | undefined {
  const path = join(root, folder);
  if (isInstalled(path)) {
    putOwnPackage(join(path, 'node_modules', 'mcp-verbatim'));
    return path;
  }
  if (process.env['CI']) throw new Error(`The packages of ${folder} are missing: npm run fetch:packages`);
  return undefined;
}

/** For measurements, which cannot run without them. */
export function requiredPackages(folder: string): string {
  return fetchedPackages(folder) ?? cannotRun(`The packages of ${folder} are missing: npm run fetch:packages`);
}

/** Installed once per lockfile into the cache folder; a checkout has hard links to the files. */
async function install(path: string): Promise<void> {
  if (isInstalled(path)) return;
  console.log(`${path}: npm ci`);
  const hash = lockfileHash(path);
  const installed = await cached(`packages-${hash.slice(0, 16)}`, async (unfinished) => {
    for (const file of ['package.json', 'package-lock.json']) cpSync(join(path, file), join(unfinished, file));
    await npm(unfinished, ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
  });
  const target = join(path, 'node_modules');
  rmSync(target, { recursive: true, force: true });
  linked(join(installed, 'node_modules'), target);
  writeFileSync(stamp(path), hash);
}

function linked(from: string, to: string): void {
  try {
    execFileSync('cp', ['-Rl', from, to], { stdio: 'ignore' });
  } catch {
    // Another file system allows no hard links.
    rmSync(to, { recursive: true, force: true });
    cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  }
}

function isInstalled(path: string): boolean {
  return existsSync(stamp(path)) && readFileSync(stamp(path), 'utf8') === lockfileHash(path);
}

function stamp(path: string): string {
  return join(path, 'node_modules', '.installed-lockfile');
}

function lockfileHash(path: string): string {
  return createHash('sha256')
    .update(readFileSync(join(path, 'package-lock.json')))
    .digest('hex');
}

/** Test files run in parallel, so the package is put there once for each build, and completely. */
function putOwnPackage(target: string): void {
  if (!existsSync(join(library, 'dist'))) throw new Error('The package is not built; run npm run build first.');
  const build = String(statSync(join(library, 'dist')).mtimeMs);
  const isThere = () => existsSync(join(target, build));
  if (isThere()) return;
  const unfinished = `${target}.${process.pid}`;
  for (const part of ['package.json', 'dist']) cpSync(join(library, part), join(unfinished, part), { recursive: true });
  writeFileSync(join(unfinished, build), '');
  try {
    rmSync(target, { recursive: true, force: true });
    renameSync(unfinished, target);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!isThere()) throw error; // another process was faster
  }
}
