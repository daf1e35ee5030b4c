import { getEventListeners } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { connect, type Session } from '../../src/mcp/index.js';
import { stdioServer } from '../../test-support/servers/stdio.js';
import { until } from '../../test-support/waiting.js';
import { failureOf, textOf, toolNamed } from './calling.js';
import { given, closeAfterEach, connected } from './serving.js';
import { temporaryFolder } from './temporary-folder.js';

closeAfterEach();

describe('a call', () => {
  const log = join(temporaryFolder(), 'log.txt');
  const timesCancelled = () => (existsSync(log) ? readFileSync(log, 'utf8').split('cancelled').length - 1 : 0);
  let session: Session;
  beforeAll(async () => {
    session = await connect(stdioServer('plain', log));
  });
  afterAll(() => session.close());

  test('A call sends the arguments as they are', async () => {
    const args = JSON.parse(
      '{"b":1,"a":{"__proto__":{"x":1},"constructor":null},"tool":"t","emoji":"🙂","empty":""}',
    ) as Record<string, unknown>;
    const { structuredContent } = await session.callTool(toolNamed('echo'), args);
    expect(JSON.stringify(structuredContent)).toBe(JSON.stringify(args));
  });

  test('A call is given up after its time limit or when it is cancelled, and the server is told', async () => {
    const late = failureOf(session.callTool(toolNamed('hang'), {}, { idleTimeoutMs: 100 }));
    expect(await late).toMatchObject({ code: 'TIMEOUT', idleTimeoutMs: 100 });
    await until(() => timesCancelled() === 1);
    const caller = new AbortController();
    const cancelled = failureOf(session.callTool(toolNamed('hang'), {}, { signal: caller.signal }));
    caller.abort();
    expect(await cancelled).toMatchObject({ code: 'CANCELLED' });
    await until(() => timesCancelled() === 2);
    expect(textOf(await session.callTool(toolNamed('echo'), { text: 'next' }))).toBe('{"text":"next"}');
  });

  test('A late answer to a cancelled call is ignored', async () => {
    await using server = await connect(stdioServer('answers after cancellation'));
    const caller = new AbortController();
    const call = failureOf(server.callTool(toolNamed('hang'), {}, { signal: caller.signal }));
    caller.abort();
    expect(await call).toMatchObject({ code: 'CANCELLED' });
    expect(textOf(await server.callTool(toolNamed('echo'), { text: 'next' }))).toBe('{"text":"next"}');
  });

  test.each([Infinity, 2 ** 31])('A call may take as long as it likes (%s ms)', async (limit) => {
    const limits = { idleTimeoutMs: limit, maxDurationMs: limit };
    const { structuredContent } = await session.callTool(toolNamed('echo'), { a: 1 }, limits);
    expect(structuredContent).toEqual({ a: 1 });
  });

  test('A call leaves no listener on a signal that is used for many', async () => {
    const { signal } = new AbortController();
    for (let n = 0; n < 3; n++) await session.callTool(toolNamed('echo'), {}, { signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

/** @opentelemetry/api keeps a program's registrations under this key. */
const registry = Symbol.for('opentelemetry.js.api.1');
const shared = globalThis as { [registry]?: unknown };
const before = shared[registry];
afterEach(() => {
  shared[registry] = before;
});

async function opened(address: { headers?: Record<string, string> } = {}) {
  const server = await given({});
  const calls = () => server.seen.filter(({ message }) => message.method === 'tools/call');
  return { session: await connected(server, {}, address), calls };
}

test.each([
  ['Content-Type', 'text/plain'],
  ['Mcp-Session-Id', 'mine'],
  ['Host', 'elsewhere'],
  ['a b', 'x'],
  ['X-A', 'secret\r\nX-B: c'],
  ['X-A', 5],
  ['__proto__', 'x1'],
])('The headers of a call cannot be %s: %s, and the error does not show the value', async (name, value) => {
  const { session, calls } = await opened();
  const error = await failureOf(session.callTool(toolNamed('echo'), {}, { headers: { [name]: value as string } }));
  expect(error).toBeInstanceOf(TypeError);
  expect(String(error)).toContain(name);
  expect(String(error)).not.toContain(String(value));
  expect(calls()).toEqual([]);
});

test("The metadata of a call passes on the caller's trace, and no other context", async () => {
  const { session, calls } = await opened();
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  shared[registry] = {
    context: { active: () => 'here' },
    propagation: {
      inject(context: unknown, carrier: object, { set }: { set(carrier: object, key: string, value: string): void }) {
        if (context !== 'here') return;
        set(carrier, 'traceparent', traceparent);
        set(carrier, 'tracestate', 'a=1');
        set(carrier, 'baggage', 'user=7');
      },
    },
  };
  await session.callTool(toolNamed('echo'), {});
  expect(calls()[0]?.message.params?.['_meta']).toEqual({ traceparent, tracestate: 'a=1', progressToken: 1 });
  await session.callTool(toolNamed('echo'), {}, { meta: { traceparent: 'mine' } });
  expect(calls()[1]?.message.params?.['_meta']).toEqual({ traceparent: 'mine', tracestate: 'a=1', progressToken: 2 });
});

test('A call is sent even if telemetry fails', async () => {
  const { session, calls } = await opened();
  shared[registry] = { propagation: { inject: () => expect.fail() } };
  await session.callTool(toolNamed('echo'), {});
  expect(calls()).toHaveLength(1);
});
