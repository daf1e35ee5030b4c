import { isList } from '../json/index.js';
import { generalOptions } from './arguments.js';
import type { Env } from './context.js';
import { keep, kept } from './kept.js';
import type { Options, Usage } from './usage/option.js';

const file = 'tools.json';

/**
 * What the last of these words may become, for a shell: a line for each, what it is behind a tab.
 *
 * @param words what stands behind the program's name, up to the word that is typed
 */
export function candidates(words: readonly string[], usages: Readonly<Record<string, Usage>>, env: Env): string[] {
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  // Behind it stands another program's line.
  if (before.includes('--')) return [];
  const name = before.find((word) => Object.hasOwn(usages, word));
  const usage = name === undefined ? undefined : usages[name];
  return possible().filter((candidate) => candidate.startsWith(typed));

  function possible(): string[] {
    const options: Options = { ...usage?.options, ...generalOptions };
    const option = before.at(-1)?.startsWith('--') === true ? options[before.at(-1)?.slice(2) ?? ''] : undefined;
    if (option?.value !== undefined) return option.value === 'TOOL' ? toolNames(env) : [...(option.choices ?? [])];
    if (typed.startsWith('-'))
      return described(Object.entries(options).map(([each, { about }]) => [`--${each}`, about]));
    if (!usage) return described(Object.entries(usages).map(([each, { summary }]) => [each, summary]));
    const isFirst = before.at(-1) === name;
    const form = isFirst ? usage.operands?.[0]?.form : undefined;
    return form === 'TOOL' ? toolNames(env) : form === 'SHELL' ? ['bash', 'zsh', 'fish'] : [];
  }
}

function described(pairs: readonly (readonly [string, string])[]): string[] {
  return pairs.map(([word, about]) => `${word}\t${about}`);
}

/** Those of the last list. */
function toolNames(env: Env): string[] {
  const { tools } = kept(env, file);
  return isList(tools) ? tools.filter((name) => typeof name === 'string').filter((name) => isPlain.test(name)) : [];
}

/** Remembers the names of tools for the shell. It is no matter if that fails. */
export function rememberTools(names: readonly string[], env: Env): void {
  try {
    keep(env, file, { tools: names.filter((name) => isPlain.test(name)) });
  } catch {
    // A home that cannot be written to.
  }
}

/** What no shell reads as anything but a word (2025-11-25, Tool Names); a server could call a tool $(reboot). */
const isPlain = /^[A-Za-z\d_][\w./-]{0,127}$/;
