import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { StdioAddress } from '../../../src/mcp/index.js';
import type { McpError } from '../../../src/mcp/errors/errors.js';
import type { Transport } from '../../../src/mcp/transport/transport.js';
import { stdioTransport } from '../../../src/mcp/stdio/stdio.js';
import { secretMask } from '../../../src/secrets/index.js';
import { settled, until } from '../../../test-support/waiting.js';
import { failureOf } from '../calling.js';
import { temporaryFolder } from '../temporary-folder.js';
import { byForce } from './by-force.js';

/** The members of errors, with their texts. */
const { ended, unstarted } = JSON.parse(readFileSync(new URL('./ends.json', import.meta.url), 'utf8')) as {
  ended: [how: string, script: string, maxMessageBytes: number, received: string[], error: object][];
  unstarted: Record<string, object>;
};
const membersOf = (error: McpError | undefined) =>
  JSON.parse(JSON.stringify(Object.assign({ message: error?.message }, error))) as object;

/** The servers are shell scripts, which start at once. */
describe.skipIf(process.platform === 'win32')('The stdio transport', () => {
  const folder = temporaryFolder();
  const opened: Transport[] = [];

  afterEach(async () => {
    vi.restoreAllMocks();
    await Promise.all(opened.splice(0).map(async (transport) => transport.close()));
  });

  function prepared(address: Partial<StdioAddress>, maxMessageBytes = 100_000) {
    const transport = stdioTransport(
      { transport: 'stdio', command: 'sh', ...address },
      { maxMessageBytes, mask: secretMask(['a-secret-value']) },
    );
    opened.push(transport);
    const received: string[] = [];
    /** The failure of each reported end. */
    const ends: (McpError | undefined)[] = [];
    const receive = (text: string) => text.startsWith('{"jsonrpc"') && received.push(text) > 0;
    const send = (text: string) => transport.send({ text, method: '', signal: new AbortController().signal });
    const ended = (failure: McpError | undefined) => void ends.push(failure);
    const start = async () => transport.start({ receive, isPending: () => false, ended });
    return { transport, received, ends, send, start };
  }

  async function running(script: string, maxMessageBytes?: number) {
    const server = prepared({ args: ['-c', script] }, maxMessageBytes);
    await server.start();
    return server;
  }

  /** The servers that still run. This call is synchronous, so the process sees no exit meanwhile. */
  function children(): string[] {
    const options = ['--ppid', String(process.pid), '-o', 'stat=,comm='];
    const { stdout } = spawnSync('ps', options, { encoding: 'utf8' });
    return stdout.split('\n').filter((line) => /^[^Z].* sh$/.test(line));
  }

  const message = '{"jsonrpc":"2.0","method":"a"}';

  test('The stdio transport removes a byte order mark and the carriage return of a line end, and keeps one within a message', async () => {
    const lines = `\\357\\273\\277${message}\\n${message}\\r\\n{"jsonrpc":\\r"2.0"}\\r\\n`;
    const { received, transport } = await running(`printf '${lines}'; cat`);
    await until(() => received.length === 3);
    expect(received).toEqual([message, message, '{"jsonrpc":\r"2.0"}']);
    expect(transport.diagnostics!()).toBeUndefined();
  });

  test.each([
    [
      'what is no message, with secrets hidden, behind which stands stderr',
      `echo 'no key' >&2; echo 'log in: a-secret-value'; echo; echo '   '; echo '{"level":30}'`,
      'It printed, instead of MCP:\nlog in: [hidden]\n{"level":30}\nIt wrote to stderr:\nno key',
    ],
    ['a line that has not ended', "printf 'Log in: a-secret-value'", 'It printed, instead of MCP:\nLog in: [hidden]'],
    [
      'the beginning of a long line',
      `printf '%04096d' 0; echo end`,
      `It printed, instead of MCP:\n${'0'.repeat(4096)}`,
    ],
    ['stderr alone', "echo 'no key' >&2", 'It wrote to stderr:\nno key'],
  ])('The stdio transport reports %s', async (_, script, expected) => {
    const { transport } = await running(`${script}; cat`);
    // Either of the two pipes may be read first.
    await until(() => transport.diagnostics!() === expected);
  });

  test('The stdio transport reports an end as soon as the output is read to its end', async () => {
    const { ends, send } = await running('read go; echo "no key" >&2; exit 3');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await send('go');
    await until(() => ends.length > 0);
    expect(ends).toMatchObject([{ code: 'SERVER_EXITED', stderr: 'no key' }]);
  });

  test.each(ended)(
    'The stdio transport reports once that a server %s, and sends it nothing more',
    async (_, script, bound, messages, error) => {
      const { received, ends, transport, send } = await running(script, bound);
      await until(() => ends.length > 0);
      await transport.close();
      expect(received).toEqual(messages);
      expect(ends.map(membersOf)).toEqual([error]);
      expect(await failureOf(send(message))).toBe(ends[0]);
    },
  );

  test('The stdio transport starts a server in its folder, and hands on what it writes to stderr if that is wanted', async () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    for (const stderr of ['pipe', 'inherit'] as const) {
      const script = `echo ${stderr} >&2; printf '{"jsonrpc":"2.0","in":"%s"}' "$(pwd -P)"`;
      const { received, ends, start } = prepared({ args: ['-c', script], cwd: folder, stderr });
      await start();
      await until(() => ends.length > 0);
      expect(received).toEqual([`{"jsonrpc":"2.0","in":"${realpathSync(folder)}"}`]);
      expect(ends).toMatchObject([{ exitCode: 0, stderr }]);
    }
    expect(write.mock.calls.map(([text]) => String(text))).toEqual(['inherit\n']);
  });

  const printed = (lines: number) => `yes "$(printf %01000d 0)" | head -n ${lines}`;

  test('The stdio transport does not block the event loop while a server prints many short lines', async () => {
    let turns = 0;
    let turn = setImmediate(function next() {
      turns++;
      turn = setImmediate(next);
    });
    const { received } = await running(`yes | head -c 300000; echo '${message}'; cat`);
    await until(() => received.length === 1);
    clearImmediate(turn);
    expect(turns).toBeGreaterThan(2);
  });

  test('The stdio transport keeps a server that prints more than 8 MB with a message in between', async () => {
    const half = `${printed(7500)}; echo '${message}'`;
    const { received, ends } = await running(`${half}; ${half}; cat`);
    await until(() => received.length === 2 || ends.length > 0);
    expect(ends).toEqual([]);
  });

  test('The stdio transport waits for a server that does not read', async () => {
    const { send, transport } = await running('exec sleep 60');
    let sent = 0;
    const sending = [1, 2].map(() => send('x'.repeat(1_000_000)).then(() => sent++));
    await settled();
    expect(sent).toBe(0);
    await byForce(() => transport.close());
    await Promise.all(sending);
    const failure = await failureOf(send(message));
    expect(failure).toMatchObject({ code: 'CONNECTION_LOST', message: expect.stringContaining('is closed') as string });
  });

  test.each([
    ['output', 'exec >&-; exec sleep 60', 'has closed its output'],
    ['input', 'exec <&-; exec sleep 60', 'reads no more of what it is sent'],
  ])('The stdio transport notices that a server has closed its %s', async (_, script, words) => {
    const { send, ends } = await running(script);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    while (ends.length === 0) {
      void send(message).catch(() => {});
      await vi.advanceTimersByTimeAsync(100);
      await settled();
    }
    // By then a server that does not end by itself is killed.
    await vi.advanceTimersByTimeAsync(2000);
    expect(ends).toMatchObject([{ code: 'CONNECTION_LOST', message: expect.stringContaining(words) as string }]);
  });

  // In the second case a grandchild keeps stderr open, so that the exit code is waited for.
  test.each(['exec >&-; read go; exit 7', 'exec >&-; sleep 60 & read go; exit 7'])(
    'The stdio transport reports the exit code of a server that closes its output first, however busy this process is (%s)',
    async (script) => {
      const { send, ends } = await running(script);
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      // This timer gives the server a moment to end.
      await until(() => vi.getTimerCount() === 1);
      void send('go');
      while (children().length > 0);
      vi.advanceTimersByTime(100);
      await settled();
      vi.advanceTimersByTime(100);
      await until(() => ends.length > 0);
      expect(ends).toMatchObject([{ code: 'SERVER_EXITED', exitCode: 7 }]);
    },
  );

  describe('when it is closed', () => {
    test('The stdio transport closes stdin when it is closed, which ends most servers', async () => {
      const kill = vi.spyOn(process, 'kill');
      const { transport, ends } = await running('cat; exit 0');
      // With fake timers, a slow end does not matter.
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      await transport.close();
      expect(ends).toEqual([undefined]);
      expect(kill.mock.calls.map(([, signal]) => signal)).not.toContain('SIGTERM');
    });

    test('The stdio transport asks by SIGTERM two seconds after it is closed, and insists by SIGKILL two seconds later', async () => {
      const kill = vi.spyOn(process, 'kill');
      const signals = () => kill.mock.calls.map(([, signal]) => signal);
      const file = join(folder, 'asked');
      const { transport, received } = await running(
        `trap 'echo asked > ${file}' TERM; echo '${message}'; while :; do sleep 0.02; done`,
      );
      await until(() => received.length === 1);
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const closing = transport.close();
      const pass = async (ms: number) => {
        await vi.advanceTimersByTimeAsync(ms);
        await settled();
      };
      await pass(1999);
      expect(signals()).toEqual([]);
      await pass(1);
      expect(signals()).toEqual(['SIGTERM']);
      await until(() => existsSync(file));
      await pass(1999);
      expect(signals()).toEqual(['SIGTERM']);
      await pass(1);
      expect(signals()).toContain('SIGKILL');
      await closing;
    });

    test('The stdio transport reports no failure of a server that goes wrong when it is closed', async () => {
      const { transport, ends } = await running(`cat; echo '${message} '; sleep 0.05`, message.length);
      await transport.close();
      expect(ends).toEqual([undefined]);
    });

    test('The stdio transport can be closed repeatedly, even if nothing was started', async () => {
      const { transport, start } = prepared({ command: 'no-such-program-anywhere' });
      await failureOf(start());
      await transport.close();
      await transport.close();
    });
  });

  test.each<[string, Partial<StdioAddress>]>([
    ['is not there', { command: 'no-such-program-anywhere' }],
    ['may not be executed', { command: fileURLToPath(import.meta.url) }],
    ['gets too much', { args: ['x'.repeat(3_000_000)] }],
    ['is in no folder', { cwd: join(folder, 'nowhere') }],
    ['has a name that is none', { command: '/dev/null/sh' }],
  ])('The stdio transport says so if the command %s', async (what, address) => {
    const { command = 'sh', cwd = folder } = address;
    const failure = JSON.stringify(membersOf(await failureOf(prepared(address).start())));
    expect(JSON.parse(failure.replaceAll(cwd, 'FOLDER').replaceAll(command, 'COMMAND'))).toEqual(unstarted[what]);
  });

  test("On Windows, the stdio transport says that no shell is used, and ends only the server's own process", async () => {
    const { platform } = process;
    Object.defineProperty(process, 'platform', { value: 'win32' });
    try {
      const { transport: missing, start } = prepared({ command: 'no-such-program-anywhere' });
      expect((await failureOf(start())).hint).toContain('On Windows');
      const kill = vi.spyOn(process, 'kill');
      const { transport, ends } = await running('exec sleep 60');
      await Promise.all([missing.close(), byForce(() => transport.close())]);
      expect(ends).toEqual([undefined]);
      expect(kill).not.toHaveBeenCalled();
    } finally {
      Object.defineProperty(process, 'platform', { value: platform });
    }
  });
});
