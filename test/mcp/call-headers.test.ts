import { afterEach, describe, expect, test } from 'vitest';
import { failureOf, toolNamed } from './calling.js';
import { closeAfterEach, connected, given } from './serving.js';

closeAfterEach();

/** Where @opentelemetry/api keeps what a program has registered. */
const registry = Symbol.for('opentelemetry.js.api.1');
const shared = globalThis as { [registry]?: unknown };
const before = shared[registry];
afterEach(() => {
  shared[registry] = before;
});

async function opened(address: { headers?: Record<string, string> } = {}) {
  const server = await given(({ plain }) => plain());
  return { session: await connected(server, {}, address), calls: () => server.seen.filter(isCall) };
}

function isCall({ message }: { message: { method: string } }): boolean {
  return message.method === 'tools/call';
}

describe('the headers of a call', () => {
  test('stand beside those of the address, and in place of those of the same name', async () => {
    const { session, calls } = await opened({ headers: { 'X-Tenant': 'a', 'X-Team': 'b' } });
    await session.callTool(toolNamed('echo'), {}, { headers: { 'x-tenant': 'c', 'X-Request': '1' } });
    expect(calls()[0]?.headers).toMatchObject({ 'x-tenant': 'c', 'x-team': 'b', 'x-request': '1' });
    await session.callTool(toolNamed('echo'), {});
    expect(calls()[1]?.headers).toMatchObject({ 'x-tenant': 'a' });
  });

  test.each([
    ['Content-Type', 'text/plain'],
    ['Mcp-Session-Id', 'mine'],
    ['Host', 'elsewhere'],
    ['a b', 'x'],
    ['X-A', 'secret\r\nX-B: c'],
    ['X-A', 5],
    ['__proto__', 'x1'],
  ])('cannot be %s: %s, and the value is not told', async (name, value) => {
    const { session, calls } = await opened();
    const error = await failureOf(session.callTool(toolNamed('echo'), {}, { headers: { [name]: value as string } }));
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toContain(name);
    expect(String(error)).not.toContain(String(value));
    expect(calls()).toEqual([]);
  });
});

describe('the metadata of a call', () => {
  test('is its _meta, beside the entries of the protocol', async () => {
    const { session, calls } = await opened();
    const meta = { 'example.com/user': { id: 7 }, progressToken: 'mine' };
    await session.callTool(toolNamed('echo'), {}, { meta });
    expect(calls()[0]?.message.params?.['_meta']).toEqual({ ...meta, progressToken: expect.any(Number) });
  });

  test('hands on the trace that the caller is in, and nothing else of it', async () => {
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

  test('is sent all the same where telemetry fails', async () => {
    const { session, calls } = await opened();
    shared[registry] = { propagation: { inject: () => expect.fail() } };
    await session.callTool(toolNamed('echo'), {});
    expect(calls()).toHaveLength(1);
  });
});
