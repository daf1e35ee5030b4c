import { isList } from '../json/index.js';
import type { Env } from './context.js';
import { keepIfPossible, readSettings } from './settings.js';

const file = 'tools.json';

export function toolNames(env: Env): string[] {
  const { tools } = readSettings(env, file);
  return isList(tools) ? tools.filter((name) => typeof name === 'string').filter((name) => isPlain.test(name)) : [];
}

export function rememberTools(names: readonly string[], env: Env): void {
  keepIfPossible(env, file, { tools: names.filter((name) => isPlain.test(name)) });
}

/** Names that a shell reads as one plain word (2025-11-25, Tool Names); a server could call a tool $(reboot). */
const isPlain = /^[A-Za-z\d_][\w./-]{0,127}$/;
