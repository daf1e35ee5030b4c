import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer } from '../langchain/server.js';
import { tool } from '../langchain/tools.js';
import { bin, built, everything } from './built.js';
import { cli, containing } from './run.js';

let home: string;
let env: Record<string, string>;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'mcp-verbatim-completion-'));
  mkdirSync(join(home, 'bin'));
  symlinkSync(bin, join(home, 'bin', 'mcp-verbatim'));
  env = { XDG_CONFIG_HOME: home, HOME: home, PATH: `${join(home, 'bin')}:${process.env['PATH'] ?? ''}` };
  await built(['list', ...everything], { env });
});
afterAll(() => rmSync(home, { recursive: true }));

/** How each shell is asked, without a terminal, what a line may become: the words of it, the last one being typed. */
const shells = {
  bash: (words: readonly string[]) => [
    '-c',
    `eval "$(mcp-verbatim completion bash)"; COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
     _mcp_verbatim; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  zsh: (words: readonly string[]) => [
    '-fc',
    `compdef() { : }; _files() { : }; compadd() { shift; print -l -- "$@" }
     eval "$(mcp-verbatim completion zsh)"; words=(${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length}
     _mcp_verbatim`,
  ],
  fish: (words: readonly string[]) => [
    '-c',
    `mcp-verbatim completion fish | source; complete -C '${words.join(' ')}' | string replace -r '\\t.*' ''; true`,
  ],
};

describe.each(Object.entries(shells))('%s', (shell, asked) => {
  const isThere = spawnSync(shell, ['--version']).status === 0;
  test.runIf(isThere || shell === 'bash').each([
    [
      ['call', 'get-s'],
      ['get-structured-content', 'get-sum'],
    ],
    [['sho'], ['show']],
    [['check', '--fail'], ['--fail-on']],
    [
      ['check', '--fail-on', ''],
      ['error', 'note', 'warning'],
    ],
    [['list', '--schema', 'get-sum'], ['get-sum']],
  ])('completes %j', (words, expected) => {
    const output = execFileSync(shell, asked(['mcp-verbatim', ...words]), { env, cwd: home, encoding: 'utf8' });
    expect(output.trim().split('\n').sort()).toEqual(expect.arrayContaining(expected));
    expect(output.trim().split('\n')).toHaveLength(expected.length);
  });
});

test('offers no tool whose name a shell would read as anything but a word', async () => {
  const names = ['$(touch pwned)', '`id`', 'a b', 'x;reboot', '-rf', '*', 'good.tool/one-2'];
  await using server = await startServer(names.map((name) => tool(name)));
  await cli(['list', '--url', server.url], { env: { XDG_CONFIG_HOME: join(home, 'other') } });
  const { stdout } = await cli(['__complete', 'call', ''], { env: { XDG_CONFIG_HOME: join(home, 'other') } });
  expect(stdout).toBe('good.tool/one-2\n');
});

test('says nothing of what stands behind --, which is another program', async () => {
  expect(await cli(['__complete', 'list', '--', 'n'], { env })).toMatchObject({ code: 0, stdout: '' });
});

test('knows three shells', async () => {
  expect(await cli(['completion', 'tcsh'])).toMatchObject({ code: 2, stderr: containing('one of bash, zsh, fish') });
});
