import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isObject, type JsonObject, messageOf, parseJson } from '../json/index.js';
import type { Env } from './context.js';
import { UsageError } from './command.js';

export function fileError(path: string, how: 'read' | 'written', error: unknown): UsageError {
  return new UsageError(`${path} cannot be ${how}: ${messageOf(error)}`);
}

/** Does something with a file. @throws UsageError that names the file */
export function withFile<T>(path: string, how: 'read' | 'written', work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw fileError(path, how, error);
  }
}

/** @throws UsageError if it cannot be read, or is larger than this many MB */
export function readText(path: string, mostMb = Infinity): string {
  const isSmall = () => statSync(path).size <= mostMb * 1024 * 1024;
  const text = withFile(path, 'read', () => (isSmall() ? readFileSync(path, 'utf8') : undefined));
  if (text === undefined) throw new UsageError(`${path} is larger than ${mostMb} MB.`);
  return text;
}

export function readSettings(env: Env, name: string): JsonObject {
  const path = pathOf(env, name);
  try {
    const content = path === undefined ? undefined : parseJson(readFileSync(path, 'utf8'));
    return isObject(content) ? content : {};
  } catch {
    return {};
  }
}

/** In a file that nobody else can read, which takes the place of the one before as a whole. */
export function writeSettings(env: Env, name: string, content: JsonObject): void {
  const path = placeOf(env, name);
  const fresh = `${path}.${process.pid}`;
  withFile(path, 'written', () => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(fresh, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600 });
    renameSync(fresh, path);
  });
}

/** Does something while no other process does so with this file. A lock is over when its process is, or after a minute. */
export async function whileLocked(env: Env, name: string, work: () => Promise<void> | void): Promise<void> {
  const path = `${placeOf(env, name)}.lock`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  while (!isMine(path)) {
    if (isOver(path)) rmSync(path, { force: true });
    else await setTimeout(25);
  }
  try {
    await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function isMine(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (isObject(error) && error['code'] === 'EEXIST') return false;
    throw fileError(path, 'written', error);
  }
}

function isOver(path: string): boolean {
  try {
    const owner = Number(readFileSync(path, 'utf8'));
    if (Date.now() - statSync(path).mtimeMs > 60_000) return true;
    if (owner > 0) process.kill(owner, 0); // asks only whether it is there
    return false;
  } catch (error) {
    return isObject(error) && error['code'] === 'ESRCH';
  }
}

function placeOf(env: Env, name: string): string {
  const path = pathOf(env, name);
  if (path === undefined) throw new UsageError('There is no folder of settings: set HOME or XDG_CONFIG_HOME.');
  return path;
}

/** In the user's own folder of settings, by the XDG base directories or, on Windows, APPDATA. */
function pathOf({ XDG_CONFIG_HOME, APPDATA, HOME }: Env, name: string): string | undefined {
  const settings = XDG_CONFIG_HOME || APPDATA || (HOME ? join(HOME, '.config') : undefined);
  return settings ? join(settings, 'mcp-verbatim', name) : undefined;
}
