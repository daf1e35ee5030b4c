import { existsSync, readFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { connect, type Session } from '../../../src/mcp/index.js';
import { isRunning } from '../../../test-support/servers/process-state.js';
import { stdioServer } from '../../../test-support/servers/stdio.js';
import { until, withinSomeLimit } from '../../../test-support/waiting.js';
import { failureOf, textOf, toolNamed } from '../calling.js';
import { temporaryFolder } from '../temporary-folder.js';

const folder = temporaryFolder();
let files = 0;
const newFile = () => join(folder, `${files++}.txt`);

describe('a stdio server', () => {
  test('is started without a shell', async () => {
    await using session = await connect(stdioServer('plain', '$HOME; echo "x" > /dev/null && `id`'));
    expect(session).toMatchObject({
      transport: 'stdio',
      serverInfo: { name: 'plain', version: '1' },
      protocolVersion: '2025-11-25',
    });
  });

  test('gets the documented base environment and what the user gives, and nothing else', async () => {
    vi.stubEnv('MCP_VERBATIM_SECRET_OF_THE_HOST', 'do not hand on');
    await using session = await connect({ ...stdioServer(), env: { GIVEN: 'yes', LANG: 'tlh' } });
    const environment = JSON.parse(textOf(await session.callTool(toolNamed('environment'), {}))) as Record<
      string,
      string
    >;
    expect(environment).toMatchObject({ GIVEN: 'yes', LANG: 'tlh', PATH: process.env['PATH'] });
    const allowed = ['HOME', 'LANG', 'LC_ALL', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER', 'GIVEN'];
    expect(Object.keys(environment).filter((name) => !allowed.includes(name))).toEqual([]);
  });

  describe.each<[string, number, string, (session: Session) => Promise<unknown>]>([
    ['dies at once', 3, 'fatal: no configuration found', async () => {}],
    ['dies on initialize', 4, 'fatal: cannot initialize', async () => {}],
    ['dies on list', 5, 'fatal: cannot list', (session: Session) => session.listTools()],
    ['dies on call', 6, 'fatal: cannot call', (session: Session) => session.callTool(toolNamed('echo'), {})],
    [
      'dies after call',
      7,
      'fatal: had enough',
      async (session: Session) => {
        expect(textOf(await session.callTool(toolNamed('echo'), {}))).toBe('last words');
        await until(() => session.ended);
        return session.callTool(toolNamed('echo'), {});
      },
    ],
  ])('that %s', (behaviour, exitCode, words, use) => {
    test('gives an error with its exit code and the end of its stderr', async () => {
      const error = await failureOf(connect(stdioServer(behaviour)).then(use));
      expect(error).toMatchObject({ code: 'SERVER_EXITED', exitCode, stderr: expect.stringContaining(words) });
      expect(error.message).toContain(`exit code ${exitCode}`);
      expect(error.message).toContain(words);
      expect(error.outcomeUnknown).toBe(behaviour === 'dies on call');
    });
  });

  test('that dies in the middle of a line gives an error at once', async () => {
    await using session = await connect(stdioServer('dies in the middle of a line'));
    expect(await failureOf(session.callTool(toolNamed('echo'), {}))).toMatchObject({
      code: 'SERVER_EXITED',
      exitCode: 0,
    });
  });

  test.each([['hangs on initialize'], ['hangs on list']])(
    'that %s is given up after the time limit',
    async (behaviour) => {
      const error = await failureOf(
        connect(stdioServer(behaviour), { idleTimeoutMs: 300 }).then((session) =>
          session.listTools().finally(() => session.close()),
        ),
      );
      expect(error).toMatchObject({ code: 'TIMEOUT', idleTimeoutMs: 300 });
    },
  );

  test.each([
    ['prints noise'],
    ['answers with wrong ids first'],
    ['answers with ids as text'],
    ['answers twice'],
    ['answers notifications with errors'],
    ['answers in batches'],
    ['logs what looks like an answer'],
    ['answers without saying JSON-RPC'],
    ['floods stderr'],
  ])('that %s is understood', async (behaviour) => {
    await using session = await connect(stdioServer(behaviour));
    for (const text of ['one', 'two'])
      expect(textOf(await session.callTool(toolNamed('echo'), { text }))).toBe(`{"text":"${text}"}`);
  });

  test.each([
    ['cannot parse', { code: 'SERVER_ERROR', rpcCode: -32700, message: expect.stringContaining('Parse error') }],
    [
      'answers with neither',
      {
        code: 'PROTOCOL_VIOLATION',
        message: expect.stringContaining(
          'neither a result object nor an error: {"jsonrpc":"2.0","id":1,"surprise":true}',
        ),
      },
    ],
  ])('that %s gives an error at once', async (behaviour, error) => {
    await using session = await connect(stdioServer(behaviour));
    expect(await failureOf(session.callTool(toolNamed('echo'), {}))).toMatchObject(error);
  });

  test.each([
    ['answers with a wrong id', 'It sent an answer to a request with the id 1001, which was never sent.'],
    ['prints its answer badly', '{"jsonrpc":"2.0","id":1,"result":{'],
  ])('that %s is given up after the time limit, with what it sent instead', async (behaviour, words) => {
    await using session = await connect(stdioServer(behaviour));
    const error = await withinSomeLimit(
      (idleTimeoutMs) => failureOf(session.callTool(toolNamed('echo'), {}, { idleTimeoutMs })),
      ({ message }) => message.includes(words),
    );
    expect(error).toMatchObject({ code: 'TIMEOUT', message: expect.stringContaining(words) });
  });

  test('that asks for input is told that there is nobody to ask', async () => {
    await using session = await connect(stdioServer('wants input'));
    expect(textOf(await session.callTool(toolNamed('echo'), {}))).toContain('-32601');
  });

  test('that floods notifications is heard out', async () => {
    let heard = 0;
    await using session = await connect(stdioServer('floods notifications', 20_000), { onNotification: () => heard++ });
    expect(textOf(await session.callTool(toolNamed('echo'), {}))).toBe('after the flood');
    expect(heard).toBe(20_000);
  });

  test('that floods pings gets an answer to some of them, and its own answer is heard', async () => {
    await using session = await connect(stdioServer('pings much', 20_000));
    expect(textOf(await session.callTool(toolNamed('echo'), {}))).toBe('after the pings');
  });

  test('that prints nothing but short lines does not hold the event loop, and is given up', async () => {
    let turns = 0;
    let turn = setImmediate(function next() {
      turns++;
      turn = setImmediate(next);
    });
    const error = await failureOf(connect(stdioServer('floods short lines'), { idleTimeoutMs: 60_000 }));
    clearImmediate(turn);
    expect(error).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('without a single MCP message'),
    });
    expect(turns).toBeGreaterThan(2);
  });

  test('that asks whoever started it something is given up with what it asked', async () => {
    const error = await withinSomeLimit(
      (idleTimeoutMs) => failureOf(connect(stdioServer('asks whoever started it'), { idleTimeoutMs })),
      ({ message }) => message.includes('Please log in'),
    );
    expect(error).toMatchObject({
      code: 'TIMEOUT',
      message: expect.stringContaining('Please log in at https://example.com/login'),
      outcomeUnknown: false,
    });
  });

  test('answers 100 calls at once, each its own', async () => {
    await using session = await connect(stdioServer());
    const numbers = Array.from({ length: 100 }, (_, n) => ({ n }));
    const results = await Promise.all(numbers.map((args) => session.callTool(toolNamed('echo'), args)));
    expect(results.map(({ structuredContent }) => structuredContent)).toEqual(numbers);
  });

  test('that reads slowly does not make listeners pile up', async () => {
    const warnings: string[] = [];
    const listen = ({ name }: Error) => warnings.push(name);
    process.on('warning', listen);
    await using session = await connect(stdioServer('plain'));
    const calls = Array.from({ length: 50 }, () => session.callTool(toolNamed('echo'), { text: 'x'.repeat(200_000) }));
    await Promise.all(calls);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', listen);
    expect(warnings).toEqual([]);
  });
});

describe('the end of a stdio server', () => {
  const isGone = (pid: number) => until(() => !isRunning(pid));

  test.each([
    ['is closed', (session: Session) => session.close()],
    ['loses its server', (session: Session) => failureOf(session.callTool(toolNamed('echo'), {}))],
  ])('takes the grandchildren along when the session %s', async (_, end) => {
    const file = newFile();
    const session = await connect(stdioServer('has a grandchild', file));
    const grandchild = Number(readFileSync(file, 'utf8'));
    expect(isRunning(grandchild)).toBe(true);
    await end(session);
    await isGone(grandchild);
  });

  test('comes when connecting is cancelled', async () => {
    const file = newFile();
    const cancel = new AbortController();
    const connecting = failureOf(connect(stdioServer('hangs with a grandchild', file), { signal: cancel.signal }));
    // The grandchild shows that the group is up.
    await until(() => existsSync(file) && readFileSync(file, 'utf8') !== '');
    cancel.abort();
    expect(await connecting).toMatchObject({ code: 'CANCELLED' });
    await isGone(Number(readFileSync(file, 'utf8')));
  });

  test.each([
    ['exits', 'process.exit(0)'],
    ['is ended by SIGTERM', 'process.kill(process.pid, "SIGTERM")'],
    ['fails', 'throw new Error("host")'],
  ])('comes when the host %s', async (_, end) => {
    const { grandchild } = await endedHost(end);
    await isGone(grandchild);
  });

  // n8n listens once, and so is no longer among the listeners when those after it are called.
  test.each(['on', 'once'])(
    'waits for a host that handles SIGTERM by process.%s to shut down as it likes',
    async (listen) => {
      const handler = `let code = 41; process.${listen}("SIGTERM", () => (code++, setTimeout(() => process.exit(code), 100)))`;
      const { code, grandchild } = await endedHost('process.kill(process.pid, "SIGTERM")', handler);
      expect(code).toBe(42);
      await isGone(grandchild);
    },
  );

  async function endedHost(end: string, begin = ''): Promise<{ code: number | null; grandchild: number }> {
    const file = newFile();
    const host = fileURLToPath(new URL('../../../test-support/servers/host.mts', import.meta.url));
    const child = spawn(process.execPath, ['--import', 'tsx', host, file, end, begin], {
      stdio: ['ignore', 'ignore', 'ignore'],
    });
    const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
    const grandchild = Number(readFileSync(file, 'utf8'));
    expect(grandchild).toBeGreaterThan(0);
    return { code, grandchild };
  }
});
