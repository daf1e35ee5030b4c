import { existsSync, readFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { connect, type Session } from '../../../src/mcp/index.js';
import { bundled } from '../../../test-support/bundled.js';
import { programPath } from '../../../test-support/servers/program.js';
import { isRunning } from '../../../test-support/servers/process-state.js';
import { stdioServer } from '../../../test-support/servers/stdio.js';
import { until } from '../../../test-support/waiting.js';
import { failureOf, textOf, toolNamed } from '../calling.js';
import { temporaryFolder } from '../temporary-folder.js';
import { byForce } from './by-force.js';

const folder = temporaryFolder();
const host = await bundled(programPath('host.mts'), folder);
let files = 0;
const newFile = () => join(folder, `${files++}.txt`);

describe('a stdio server', () => {
  test('A stdio server is started without a shell', async () => {
    await using session = await connect(stdioServer('plain', '$HOME; echo "x" > /dev/null && `id`'));
    expect(session).toMatchObject({
      transport: 'stdio',
      serverInfo: { name: 'plain', version: '1' },
      protocolVersion: '2025-11-25',
    });
  });

  test('A stdio server gets the documented base environment and what the user gives, and nothing else', async () => {
    vi.stubEnv('MCP_VERBATIM_SECRET_OF_THE_HOST', 'do not hand on');
    vi.stubEnv('TERM', '() { :; }; echo vulnerable');
    const inherited = {
      HOME: '/',
      LC_ALL: 'C',
      LOGNAME: 'me',
      SHELL: '/bin/sh',
      TMPDIR: '/tmp',
      TZ: 'UTC',
      USER: 'me',
    };
    for (const [name, value] of Object.entries({ ...inherited, LANG: 'C' })) vi.stubEnv(name, value);
    await using session = await connect({ ...stdioServer(), env: { GIVEN: 'yes', LANG: 'tlh' } });
    const environment = JSON.parse(textOf(await session.callTool(toolNamed('environment'), {}))) as object;
    expect(environment).toEqual({ ...inherited, GIVEN: 'yes', LANG: 'tlh', PATH: process.env['PATH'] });
  });

  test.each(['prints noise', 'answers in batches', 'answers without saying JSON-RPC', 'floods stderr'])(
    'The messages of a stdio server that %s are read',
    async (behaviour) => {
      await using session = await connect(stdioServer(behaviour));
      for (const text of ['one', 'two'])
        expect(textOf(await session.callTool(toolNamed('echo'), { text }))).toBe(`{"text":"${text}"}`);
    },
  );

  test('All notifications of a stdio server that floods them are read', async () => {
    let heard = 0;
    await using session = await connect(stdioServer('floods notifications', 20_000), { onNotification: () => heard++ });
    expect(textOf(await session.callTool(toolNamed('echo'), {}))).toBe('after the flood');
    expect(heard).toBe(20_000);
  });

  test('A stdio server that floods pings gets answers to some, and its own answer is read', async () => {
    await using session = await connect(stdioServer('pings much', 20_000));
    expect(textOf(await session.callTool(toolNamed('echo'), {}))).toBe('after the pings');
  });

  test('A stdio server can answer 100 long calls at once without piling up listeners', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();
    await using session = await connect(stdioServer());
    const all = Array.from({ length: 100 }, (_, n) => ({ n, text: 'x'.repeat(100_000) }));
    const results = await Promise.all(all.map((args) => session.callTool(toolNamed('echo'), args)));
    expect(results).toMatchObject(all.map(({ n }) => ({ structuredContent: { n } })));
    expect(warned.mock.calls).toEqual([]);
    warned.mockRestore();
  });
});

describe('the end of a stdio server', () => {
  const isGone = (pid: number) => until(() => !isRunning(pid));

  test.each([
    ['is closed', (session: Session) => byForce(() => session.close())],
    ['loses its server', (session: Session) => failureOf(session.callTool(toolNamed('echo'), {}))],
  ])('The grandchildren of a stdio server end with it when the session %s', async (_, end) => {
    const file = newFile();
    const session = await connect(stdioServer('has a grandchild', file));
    const grandchild = Number(readFileSync(file, 'utf8'));
    expect(isRunning(grandchild)).toBe(true);
    await end(session);
    await isGone(grandchild);
  });

  test('A stdio server ends when connecting is cancelled', async () => {
    const file = newFile();
    const cancel = new AbortController();
    const connecting = failureOf(connect(stdioServer('hangs with a grandchild', file), { signal: cancel.signal }));
    // The running grandchild shows that the group has started.
    await until(() => existsSync(file) && readFileSync(file, 'utf8') !== '');
    await byForce(() => cancel.abort());
    expect(await connecting).toMatchObject({ code: 'CANCELLED' });
    await isGone(Number(readFileSync(file, 'utf8')));
  });

  test.each([
    ['fails', 'throw new Error("host")'],
    ['is ended by SIGTERM', 'process.kill(process.pid, "SIGTERM")'],
    ['is ended by SIGHUP', 'process.kill(process.pid, "SIGHUP")'],
  ])('A stdio server ends when the host %s', async (_, end) => {
    const { grandchild } = await endedHost(end);
    await isGone(grandchild);
  });

  // n8n listens once, so it is no longer a listener when later listeners are called.
  test('A stdio server keeps running while a host that handles SIGTERM with process.once shuts down', async () => {
    const handler = 'let code = 41; process.once("SIGTERM", () => (code++, setTimeout(() => process.exit(code), 100)))';
    const { code, grandchild } = await endedHost('process.kill(process.pid, "SIGTERM")', handler);
    expect(code).toBe(42);
    await isGone(grandchild);
  });

  async function endedHost(end: string, begin = ''): Promise<{ code: number | null; grandchild: number }> {
    const file = newFile();
    const args = [host, JSON.stringify(stdioServer('has a grandchild', file)), end, begin];
    const child = spawn(process.execPath, args, { stdio: 'ignore' });
    const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
    const grandchild = Number(readFileSync(file, 'utf8'));
    expect(grandchild).toBeGreaterThan(0);
    return { code, grandchild };
  }
});
