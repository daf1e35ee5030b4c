import type { Given, Usage } from './option.js';

export const completion = {
  summary: 'has a shell complete commands, options and the names of tools',
  operands: [{ form: 'SHELL', needed: 'a shell, bash, zsh or fish' }],
  about: `Prints a script for bash, zsh or fish. With it the shell completes commands, options, what an option takes, and
the names of tools as list showed them last.`,
  options: {},
  examples: [
    'completion bash >> ~/.bash_completion',
    'completion zsh > "${fpath[1]}/_mcp-verbatim"',
    'completion fish > ~/.config/fish/completions/mcp-verbatim.fish',
  ],
} satisfies Usage;

export type CompletionGiven = Given<typeof completion>;
