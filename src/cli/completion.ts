import { generalOptions } from './arguments.js';
import { commands, loadCommand } from './commands.js';
import type { Env } from './context.js';
import { toolNames } from './files.js';

/** What the last of these words, which follow the program's name, may become: a line each, described after a tab. */
export async function candidates(words: readonly string[], env: Env): Promise<string[]> {
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  // After it comes another program's command line.
  if (before.includes('--')) return [];
  const name = before.find((word) => Object.hasOwn(commands, word));
  const command = await loadCommand(name);
  const options = Object.entries({ ...command?.options, ...generalOptions });
  const option = options.find(([each]) => `--${each}` === before.at(-1))?.[1];
  return possible().filter((candidate) => candidate.startsWith(typed));

  function possible(): readonly string[] {
    const form = option ? option.value : before.at(-1) === name ? command?.operands?.[0]?.form : undefined;
    if (form === 'TOOL') return toolNames(env);
    if (form === 'SHELL') return ['bash', 'zsh', 'fish'];
    if (option?.value !== undefined) return option.choices ?? [];
    if (typed.startsWith('-')) return options.map(([each, { about }]) => `--${each}\t${about}`);
    return command ? [] : Object.entries(commands).map(([each, { summary }]) => `${each}\t${summary}`);
  }
}
