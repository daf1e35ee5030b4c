import * as sdk from '@modelcontextprotocol/client';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { WireTap } from '../../src/mcp/tap.js';

/**
 * Pins what the tap relies on in the SDK's client: that it settles a request on a stand-in, in both eras, that it
 * hands a request to the transport before `request` returns, and that it takes ids for numbers. When an update of the
 * SDK changes any of this, these tests fail before any user does.
 */
class ScriptedTransport implements Transport {
  onmessage?: NonNullable<Transport['onmessage']>;
  onclose?: () => void;
  sent: JSONRPCMessage[] = [];
  constructor(private readonly answers: Record<string, object>) {}
  async start() {}
  async close() {
    this.onclose?.();
  }
  async send(message: JSONRPCMessage) {
    this.sent.push(message);
    if (!('method' in message) || !('id' in message)) return;
    const answer = this.answers[message.method];
    queueMicrotask(() => this.onmessage?.({ jsonrpc: '2.0', id: message.id, ...answer } as JSONRPCMessage));
  }
}

const anything = { '~standard': { version: 1 as const, vendor: 'test', validate: (value: unknown) => ({ value }) } };
const initialize = {
  result: { protocolVersion: '2025-11-25', capabilities: { tools: {}, odd: null }, serverInfo: { name: 'odd' } },
};
const discover = {
  result: {
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {} },
    ttlMs: 0,
    cacheScope: 'private',
  },
};

/** Results that the client itself would refuse, reorder or trim. */
const hostile: [string, string, object][] = [
  [
    'tools/list',
    'odd tools',
    { tools: [{ description: null, name: 'a', x: 1, inputSchema: { required: null, type: 'object' } }, null] },
  ],
  ['tools/list', 'no tools', { tools: 'none' }],
  ['tools/call', 'unknown content', { content: [{ type: 'hologram' }], structuredContent: 7 }],
  ['tools/call', 'no content', { isError: true }],
  ['resources/read', 'odd contents', { contents: [{ text: 1 }] }],
  ['prompts/get', 'odd messages', { messages: [{}] }],
  ['completion/complete', 'odd completion', { completion: null }],
];

describe.each([
  ['handshake', '2025-11-25', { mode: 'legacy' as const }],
  ['discovery', '2026-07-28', { mode: { pin: '2026-07-28' } }],
])('the tap, in a connection by %s (%s)', (_, version, versionNegotiation) => {
  const connected = async (answers: Record<string, object>) => {
    const transport = new ScriptedTransport({ initialize, 'server/discover': discover, ...answers });
    const tap = new WireTap(transport, { onNotification: () => {} });
    const client = new sdk.Client({ name: 'test', version: '1' }, { capabilities: {}, versionNegotiation });
    await client.connect(tap);
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    return { client, tap, transport };
  };

  test.each(hostile)('keeps the result of %s as it came: %s', async (method, _, result) => {
    const { client, tap } = await connected({ [method]: { result } });
    const { sent, answer } = tap.capture(() =>
      client.request({ method, params: { name: 'x' } }, anything, { allowInputRequired: true }),
    );
    await sent;
    expect(answer()).toEqual({ result });
    const received = answer() as { result: object };
    expect(received.result).toBe(result);
  });

  test('keeps an error as it came', async () => {
    const error = { code: -32000, message: 'no', data: { why: [1] } };
    const { client, tap } = await connected({ 'tools/call': { error } });
    const { sent, answer } = tap.capture(() =>
      client.request({ method: 'tools/call', params: { name: 'x' } }, anything),
    );
    await expect(sent).rejects.toThrow('no');
    expect(answer()).toEqual({ error });
  });

  test('knows requests that run at the same time apart', async () => {
    const { client, tap } = await connected({ 'tools/call': { result: { a: 1 } }, 'tools/list': { result: { b: 2 } } });
    const captures = ['tools/call', 'tools/list', 'tools/call'].map((method) =>
      tap.capture(() => client.request({ method, params: { name: 'x' } }, anything, { allowInputRequired: true })),
    );
    await Promise.all(captures.map(({ sent }) => sent));
    expect(captures.map(({ answer }) => answer())).toEqual([
      { result: { a: 1 } },
      { result: { b: 2 } },
      { result: { a: 1 } },
    ]);
  });

  test('tells the server of no capability that a user would be needed for', async () => {
    const { transport } = await connected({});
    const first = transport.sent[0] as { params: Record<string, unknown> };
    const meta = (first.params['_meta'] ?? {}) as Record<string, unknown>;
    expect(first.params['capabilities'] ?? meta['io.modelcontextprotocol/clientCapabilities']).toEqual({});
  });
});
