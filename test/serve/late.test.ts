import { beforeEach, expect, test, vi } from 'vitest';
import { identityInHandshake } from '../../src/serve/revisions.js';
import { Group } from '../../src/serve/upstream/group.js';

beforeEach(() => void vi.useFakeTimers());

/** Lets time pass and runs the timers. */
async function after(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  await vi.advanceTimersByTimeAsync(1);
}

/** A server in this process that answers only when it is released. */
function server(name: string, start: Promise<void> = Promise.resolve()) {
  const results: Record<string, unknown> = {
    initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name, version: '1' } },
    'tools/list': { tools: [{ name: 'tool', inputSchema: { type: 'object' } }] },
  };
  const fetch = async (_: unknown, { body }: RequestInit = {}) => {
    await start;
    const { id, method } = JSON.parse(typeof body === 'string' ? body : '{}') as { id?: number; method?: string };
    const result = results[method ?? ''];
    return result && id !== undefined
      ? Response.json({ jsonrpc: '2.0', id, result })
      : new Response(null, { status: 202 });
  };
  return { name, address: { url: `https://${name}.example/mcp`, fetch: fetch as typeof globalThis.fetch } };
}

function joined(...servers: ReturnType<typeof server>[]) {
  const log: string[] = [];
  const announced = vi.fn();
  const identity = identityInHandshake({ protocolVersion: '2025-11-25' }, '{}');
  const owner = { identity, announce: announced, ask: () => Promise.reject(new Error('nobody')) };
  const settings = { tool: {}, log: (line: string) => void log.push(line) };
  const all = new Group(servers, owner, settings);
  const names = async () => (await all.listed()).tools.map(({ tool }) => tool.name);
  return { all, log, names, announced };
}

let [open, fail] = [() => {}, (_error: Error) => {}];
const late = () => new Promise<void>((resolve, reject) => ([open, fail] = [resolve, reject]));

test('Clients with other servers do not wait for a slow one, which is announced once it is connected', async () => {
  const { all, log, names, announced } = joined(server('late', late()), server('quick'));
  const introduced = all.introduction();
  await after(10_000);
  expect((await introduced).capabilities).toBe('{"tools":{}}');
  expect(log).toContainEqual(expect.stringMatching(/^It is still starting/));
  expect(await names()).toEqual(['quick_tool']);
  expect(announced).not.toHaveBeenCalled();
  open();
  await after(10);
  expect(announced).toHaveBeenCalledWith('notifications/tools/list_changed', {}, '{}');
  expect(await names()).toEqual(['late_tool', 'quick_tool']);
  await all.close();
});

test('A slow server that cannot be reached in the end is logged, and not announced', async () => {
  const { all, log, names, announced } = joined(server('late', late()), server('quick'));
  const introduced = all.introduction();
  await after(10_000);
  await introduced;
  fail(new Error('refused'));
  await after(10);
  expect([await names(), announced.mock.calls]).toEqual([['quick_tool'], []]);
  expect(log).toEqual(['server started', 'It is still starting. Its tools appear when it is ready.', 'server failed']);
  await all.close();
});

test('A slow server is waited for if no other is ready', async () => {
  const { all } = joined(server('one', late()), server('two', new Promise(() => {})));
  const introduced = all.introduction();
  await after(20_000);
  open();
  await after(10);
  expect((await introduced).capabilities).toBe('{"tools":{}}');
  // The other session does not delay closing.
  const closed = all.close();
  await after(2000);
  await closed;
  await expect(all.listed()).rejects.toThrow('The connection to the server is closed.');
});
