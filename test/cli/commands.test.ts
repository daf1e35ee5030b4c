import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { commands } from '../../src/cli/commands.js';
import { startHttpServer } from '../../test-support/servers/http.js';
import { temporaryFolder } from '../mcp/temporary-folder.js';
import { cli } from './run.js';

const folder = temporaryFolder();

test.each(['everything', 'filesystem', 'memory', 'sequential-thinking'])(
  'check passes the official server "%s"',
  async (name) => {
    const main = new URL(`../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`, import.meta.url);
    const started = ['--', process.execPath, fileURLToPath(main), ...(name === 'filesystem' ? [folder] : [])];
    expect(await cli(['check', '--strict', '--only', 'schema', ...started])).toMatchObject({ code: 0 });
  },
);

test('A taken port gives an error without a stack trace', async () => {
  await using server = await startHttpServer({});
  const { port } = new URL(server.url);
  const said = `error: Cannot listen on 127.0.0.1:${port} (EADDRINUSE). Choose another --port or --host.\n`;
  expect(await cli(['serve', '--port', port, '--url', server.url])).toEqual({ code: 2, stdout: '', stderr: said });
});

test.each(Object.keys(commands))('The help of %s has examples and fits a terminal of 80 columns', async (name) => {
  const { stdout } = await cli([name, '--help']);
  expect(stdout).toMatch(/\nExamples\n {2}mcp-verbatim /);
  expect((await cli(['help', name])).stdout).toBe(stdout);
  const { stdout: overview } = await cli(['--help']);
  expect(overview).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
  expect(`${overview}\n${stdout}`.split('\n').filter((line) => line.length > 80)).toEqual([]);
});
