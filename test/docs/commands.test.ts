import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../mcp/temporary-folder.js';
import { command, writeNpx } from './npx.js';
import { type Block, blocksIn, pages } from './pages.js';

const blocks = pages.flatMap(blocksIn).filter(({ language }) => /^(sh|bash)$/.test(language));
/** test:install installs the packed packages; the registry's are not installed here. */
const isInstallation = ({ code }: Block) => /^(npm install \S.*\n)+$/.test(code);
const toRun = blocks.filter((block) => block.comment === undefined && !isInstallation(block));

const folder = temporaryFolder();

interface Outcome {
  status: number;
  stdout: string;
  stderr: string;
}

/** The outcome of each line, without `npx`. Pages repeat lines; each is run once. */
const outcomes = new Map<string, Promise<Outcome>>();

beforeAll(() => {
  const servers = { everything: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-everything'] } };
  writeFileSync(join(folder, 'mcp.json'), JSON.stringify({ mcpServers: servers }));
  writeNpx(folder);
  writeFileSync(join(folder, 'mcp-verbatim'), `#!/bin/sh\nexec "${process.execPath}" "${command}" "$@"\n`, { mode: 0o755 });
});

test.each(toRun.map((block) => ({ ...block, at: `${block.page}, line ${block.line}` })))(
  'Every command at $at ends as it should',
  async ({ code }) => {
    for (const line of code.split('\n').filter((line) => line.trim() !== '')) {
      const named = line.replace(/^npx /, '');
      const ended = outcomes.get(named) ?? shell(line);
      outcomes.set(named, ended);
      const { status, stdout, stderr } = await ended;
      // `check` and `diff` exit with 1 if they find something.
      expect([0, / (check|diff) /.test(line) ? 1 : 0], `${line}\n${stderr}`).toContain(status);
      if (!line.includes('>')) expect(stdout, line).not.toBe('');
    }
  },
);

test.each(blocks.filter(({ comment }) => comment !== undefined))(
  'The command at $page, line $line, has a reason not to be run here',
  ({ comment }) => {
    expect(comment).toMatch(/^not run: \w/);
  },
);

function shell(line: string): Promise<Outcome> {
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}`, HOME: folder };
  return new Promise((resolve) => {
    execFile('sh', ['-c', line], { cwd: folder, env }, (error, stdout, stderr) => {
      resolve({ status: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr });
    });
  });
}
