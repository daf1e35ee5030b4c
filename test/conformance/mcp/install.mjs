import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Installs the lockfile of a folder beside this file once, into a cache folder in the home directory, without running
 * scripts. The cache folder is named after the lockfile, so a changed lockfile installs anew.
 *
 * @param {'suites' | 'published'} name
 * @param {string[]} options more options of `npm ci`; other options install anew, too
 * @returns the path of its node_modules
 */
export function installLocked(name, options = []) {
  const pins = fileURLToPath(new URL(name, import.meta.url));
  const lockfile = readFileSync(join(pins, 'package-lock.json'));
  const key = createHash('sha256').update(lockfile).update(options.join(' ')).digest('hex').slice(0, 16);
  const root = join(homedir(), '.cache', 'mcp-verbatim', `conformance-${name}-${key}`);
  if (!existsSync(root)) installInto(root, pins, options);
  return join(root, 'node_modules');
}

/** The final name appears once everything is in place, so an interrupted installation is never used. */
function installInto(root, pins, options) {
  const unfinished = `${root}.unfinished-${process.pid}`;
  try {
    mkdirSync(unfinished, { recursive: true });
    for (const file of ['package.json', 'package-lock.json']) cpSync(join(pins, file), join(unfinished, file));
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...options], {
      cwd: unfinished,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    renameSync(unfinished, root);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}
