import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { startServer } from '../langchain/server.js';
import { tool } from '../langchain/tools.js';
import { temporaryFolder } from '../mcp/temporary-folder.js';
import { bin, built, everything } from './built.js';
import { cli, containing } from './run.js';

const home = temporaryFolder();
const env = { XDG_CONFIG_HOME: home, HOME: home, PATH: `${join(home, 'bin')}:${process.env['PATH'] ?? ''}` };
beforeAll(async () => {
  mkdirSync(join(home, 'bin'));
  symlinkSync(bin, join(home, 'bin', 'mcp-verbatim'));
  await built(['list', ...everything], { env });
});

const lines: [words: string[], expected: string[]][] = [
  [
    ['call', 'get-s'],
    ['get-structured-content', 'get-sum'],
  ],
  [['check', '--str'], ['--strict']],
  [
    ['serve', '--tool-search', ''],
    ['auto', 'off', 'on'],
  ],
];

test.each([
  ['sho', 'show'],
  ['list --schema get-sum', 'get-sum'],
])('of "%s" is made "%s"', async (line, expected) => {
  const { stdout } = await cli(['__complete', ...line.split(' ')], { env });
  expect(stdout).toMatch(new RegExp(`^${expected}(?:\t.*)?\n$`));
});

const list = (words: readonly string[]) => words.map((word) => `'${word}'`).join(' ');

/** How each shell is asked, without a terminal, what a line may become: the words of it, the last one being typed. */
const shells: Record<string, [option: string, begin: string, ask: (words: readonly string[]) => string]> = {
  bash: [
    '-c',
    'eval "$(mcp-verbatim completion bash)"',
    (words) => `COMP_WORDS=(${list(words)}); COMP_CWORD=${words.length - 1}
      _mcp_verbatim; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  zsh: [
    '-fc',
    `compdef() { : }; _files() { : }; compadd() { shift; print -l -- "$@" }; eval "$(mcp-verbatim completion zsh)"`,
    (words) => `words=(${list(words)}); CURRENT=${words.length}; _mcp_verbatim`,
  ],
  fish: [
    '-c',
    'mcp-verbatim completion fish | source',
    (words) => `complete -C '${words.join(' ')}' | string replace -r '\\t.*' ''`,
  ],
};

describe.each(Object.entries(shells))('%s', (shell, [option, begin, ask]) => {
  const isThere = spawnSync(shell, ['--version']).status === 0;
  test.runIf(isThere || shell === 'bash')('completes options, their values and tools', () => {
    const script = [begin, ...lines.map(([words]) => `${ask(['mcp-verbatim', ...words])}; echo end`)].join('\n');
    const output = execFileSync(shell, [option, script], { env, cwd: home, encoding: 'utf8' });
    const offered = output.split('end\n').map((text) => text.trim().split('\n').sort());
    expect(offered.slice(0, -1)).toEqual(lines.map(([, expected]) => expected));
  });
});

test('offers no tool whose name a shell would read as anything but a word', async () => {
  const names = ['$(touch pwned)', '`id`', 'a b', 'x;reboot', '-rf', '*', 'good.tool/one-2'];
  await using server = await startServer(names.map((name) => tool(name)));
  const other = { env: { XDG_CONFIG_HOME: join(home, 'other') } };
  await cli(['list', '--url', server.url], other);
  const { stdout } = await cli(['__complete', 'call', ''], other);
  expect(stdout).toBe('good.tool/one-2\n');
});

test('says nothing of what stands behind --, which is another program', async () => {
  expect(await cli(['__complete', 'list', '--', 'n'], { env })).toMatchObject({ code: 0, stdout: '' });
});

test('knows three shells', async () => {
  expect(await cli(['completion', 'tcsh'])).toMatchObject({ code: 2, stderr: containing('one of bash, zsh, fish') });
});
