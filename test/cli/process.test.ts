import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startHttpServer } from '../../test-support/servers/http.js';
import { temporaryFolder } from '../mcp/temporary-folder.js';
import { bin, start } from './built.js';
import { cli, matching } from './run.js';
import { stdioServer } from '../../test-support/servers/stdio.js';
import { until } from '../../test-support/waiting.js';

const unknown = 'Whether the server has carried out the request is unknown';

describe('the command as a process', () => {
  test('The command can be run by its file, through its shebang', () => {
    expect(readFileSync(bin, 'utf8').startsWith('#!/usr/bin/env node\n')).toBe(true);
    expect(execFileSync(bin, ['--version'], { encoding: 'utf8' })).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test("The command loads little for --help: neither the library nor Intl, and two of Node's modules", () => {
    const read = new Map<string, string>();
    const follow = (file: string) => {
      if (read.has(file)) return;
      const code = readFileSync(file, 'utf8');
      read.set(file, code);
      for (const [, next] of code.matchAll(/^(?:import|export)\b[^'"]*["'](\.[^"']+)["']/gm))
        follow(join(dirname(file), next!));
    };
    follow(bin);
    const code = [...read.values()].join('\n');
    expect(code.length).toBeLessThan(95_000); // the layer of JSON is bundled as one file
    const ofNode = [...code.matchAll(/^import\b[^'"]*["'](node:[^"']+)["']/gm)].map(([, name]) => name);
    expect(ofNode.sort()).toEqual(['node:tty', 'node:util']);
    expect(code).not.toContain('Intl.');
  });

  test.each([
    ['call echo', 'tools/call'],
    ['list', 'tools/list'],
    ['show echo', 'tools/list'],
    ['check', 'tools/list'],
    ['approve', 'tools/list'],
    ['diff', 'tools/list'],
    ['types', 'tools/list'],
    ['login', 'tools/list'],
    ['observe --play', 'tools/list'],
    ['read r:1', 'resources/read'],
    ['resources', 'resources/list'],
    ['resources', 'resources/templates/list'],
    ['prompts', 'prompts/list'],
    ['prompt hello', 'prompts/get'],
  ])(
    'The command %s, which waits for %s, leaves the server and ends with 130 when interrupted',
    async (command, hanging) => {
      let hangs = false;
      let isLeft = false;
      await using server = await startHttpServer({
        initialize: ({ introduce }) => introduce({ capabilities: { tools: {}, resources: {}, prompts: {} } }),
        'resources/list': { resources: [] },
        [hanging]: ({ plain, response }) => (hangs ? response.on('close', () => (isLeft = true)) : plain()),
      });
      const cwd = temporaryFolder(onTestFinished);
      const interruption = new AbortController();
      const at = ['--url', server.url];
      if (command === 'diff') expect(await cli(['approve', ...at], { cwd })).toMatchObject({ code: 0 });
      hangs = true;
      server.seen.length = 0;
      const env = { HOME: cwd };
      const running = cli([...command.split(' '), ...at], { cwd, env, signal: interruption.signal });
      await until(() => server.methods().includes(hanging));
      interruption.abort();
      // A call may have run by then.
      const said = command === 'call echo' ? matching(new RegExp(`^error: .*\n  ${unknown}.*\n$`)) : '';
      expect(await running).toEqual({ code: 130, stdout: '', stderr: said });
      await until(() => isLeft);
    },
  );

  test('The command says that the outcome of a call is unknown for HTTP 502, and not for 429', async () => {
    let status = 502;
    await using server = await startHttpServer({ 'tools/call': (exchange) => exchange.status(status) });
    const called = async () => (await start(['call', 'echo', '--url', server.url]).ended).stderr;
    expect(await called()).toContain(unknown);
    status = 429;
    expect(await called()).not.toContain(unknown);
  });

  test('SIGTERM ends the command with 143 through its own listener, with or without a server to end first', async () => {
    const options = ['serve', '--port', '0', '--url', 'http://127.0.0.1:9/mcp'];
    const child = spawn(bin, options, { stdio: ['ignore', 'ignore', 'pipe'] });
    const ended = new Promise((resolve) => child.on('exit', (...how) => resolve(how)));
    await new Promise((resolve) => child.stderr.once('data', resolve));
    child.kill('SIGTERM');
    expect(await ended).toEqual([143, null]);
  });

  test.each([
    ['closed', '| :', 'code 5\n'],
    ['full', '> /dev/full', /^error: The output cannot be written: ENOSPC.*\ncode 5\n$/],
  ])('The command ends with 5 if its output is %s, without a stack trace', (_what, to, said) => {
    const { command, args = [] } = stdioServer('plain');
    const quoted = [bin, 'list', '--', command, ...args].map((word) => `'${word}'`).join(' ');
    const line = `{ ${quoted}; echo "code $?" >&2; } ${to}`;
    const { stderr } = spawnSync('sh', ['-c', line], { encoding: 'utf8' });
    expect(stderr).toEqual(typeof said === 'string' ? said : expect.stringMatching(said));
  });
});
