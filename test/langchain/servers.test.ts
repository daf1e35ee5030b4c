import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { connect } from '../../src/internal.js';
import { interruptOn, McpServersError, mcpTools } from '../../src/langchain/index.js';
import type { ApprovalRule, McpTool, McpToolsOptions } from '../../src/langchain/index.js';
import { until } from '../../test-support/waiting.js';
import { startServer, type TestServer } from './server.js';
import { findPersons, received, sent, tool, toolCall } from './tools.js';

let one: TestServer;
let other: TestServer;
const refused = 'http://127.0.0.1:1/mcp';

beforeAll(async () => {
  one = await startServer(
    [
      { definition: findPersons },
      tool('search', { annotations: { readOnlyHint: true } }),
      tool('delete', { annotations: { destructiveHint: true } }),
      tool('append', { annotations: { destructiveHint: false } }),
      { definition: { name: 'broken', inputSchema: null } },
    ],
    'one',
  );
  other = await startServer([tool('search'), tool('lookup')], 'other');
});
afterAll(async () => {
  await one.close();
  await other.close();
});

const named = (tools: readonly McpTool[], name: string) => tools.find((each) => each.name === name);
const both = () => ({ mcpServers: { left: { url: one.url }, right: { url: other.url } } });

describe('one server', () => {
  test('A server can be an open session of the program, which stays open', async () => {
    await using session = await connect({ url: one.url });
    const tools = await mcpTools(session);
    await tools.close();
    expect(session.ended).toBe(false);
    await expect(named(tools, 'search')?.invoke({})).resolves.toBe('{}');
  });

  test('A server with an ended session is connected to once for all waiting calls', async () => {
    const abort = new AbortController();
    await using tools = await mcpTools({ url: one.url }, { signal: abort.signal });
    await (await tools.session()).close();
    abort.abort(); // it was for the first connection
    const search = named(tools, 'search');
    const [first, second] = await Promise.all([tools.session(), tools.session(), search?.invoke({})]);
    expect(first.ended).toBe(false);
    expect(second).toBe(first);
  });
});

const endless = tool('endless', {}, () => new Promise(() => {}));
const afterTenSeconds = {
  artifact: { error: { code: 'TIMEOUT', message: expect.stringContaining('10000') as string } },
};

describe('several servers', () => {
  test.each([
    [(server: string) => `mcp__${server}__`, 'mcp__left__search'],
    ['all_', 'all_search'],
  ])('Several servers get the prefixes that %s sets', async (prefix, name) => {
    await using tools = await mcpTools(both(), { prefix });
    expect(tools.map((each) => each.name)).toContain(name);
  });

  test('With onServerError "throw", one failing server ends all of several', async () => {
    const all = mcpTools({ mcpServers: { ...both().mcpServers, down: { url: refused } } }, { onServerError: 'throw' });
    await expect(all).rejects.toMatchObject({ servers: { down: { name: 'ConnectionError' } } });
  });

  test('The error names all of several servers and their errors if all fail', async () => {
    const all = mcpTools({ mcpServers: { down: { url: refused }, wrong: { command: '/no/such/program' } } });
    await expect(all).rejects.toBeInstanceOf(McpServersError);
    await expect(all).rejects.toMatchObject({
      message: expect.stringMatching(/down: .*127\.0\.0\.1[^]*wrong: .*no\/such\/program/) as string,
      servers: { down: { name: 'ConnectionError' }, wrong: { name: 'ConnectionError' } },
    });
  });

  test.each([
    ['several', { mcpServers: { down: { url: refused }, gone: { url: refused } } }, ['down', 'gone']],
    ['one', { url: refused }, ['mcp']],
  ])(
    'If all servers fail, the result is empty and has a report, if a report was asked for: %s',
    async (_case, source, names) => {
      await using tools = await mcpTools(source, { onServerError: 'report' });
      expect([...tools]).toEqual([]);
      expect(tools.report.map(({ server, status }) => [server, status])).toEqual(names.map((name) => [name, 'failed']));
      await expect(tools.session()).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
    },
  );

  test('The timeout, tools, media and repairs of one server win over those for all', async () => {
    const definitions = [
      tool('picture', {}, () => ({ content: [{ type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' }] })),
      endless,
      { definition: findPersons },
    ];
    await using first = await startServer(definitions);
    await using second = await startServer(definitions);
    const mcpServers = {
      first: { url: first.url, media: 'text' as const, idleTimeoutMs: 10_000, repairs: '-integers' as const },
      second: { url: second.url, include: ['picture', 'find_relatives'], exclude: ['find_relatives'] },
    };
    await using tools = await mcpTools({ mcpServers }, { idleTimeoutMs: 20_000 });
    const invoke = async (name: string, args = {}): Promise<unknown> =>
      named(tools, name)?.invoke(toolCall(name, args));
    expect(tools.map(({ name }) => name).filter((name) => name.startsWith('second'))).toEqual(['second__picture']);
    expect(await invoke('first__picture')).toMatchObject({ content: expect.stringContaining('image/png') as string });
    expect(await invoke('second__picture')).toMatchObject({ content: [{ type: 'image_url' }] });
    expect(await overtime(first, 10_000, () => invoke('first__endless'))).toMatchObject(afterTenSeconds);
    expect(await invoke('first__find_relatives', sent)).toMatchObject({ status: 'error' });
  });

  test.each([
    ['for one server', (url: string) => ({ mcpServers: { a: { url, defaultToolTimeout: 10_000 } } })],
    ['for all servers', (url: string) => ({ mcpServers: { a: { url } }, defaultToolTimeout: 10_000 })],
  ])('The key `defaultToolTimeout` of an mcp.json sets the timeout %s', async (_case, source) => {
    await using server = await startServer([endless]);
    await using tools = await mcpTools(source(server.url));
    const answer = await overtime(server, 10_000, async () => await tools[0]?.invoke(toolCall('endless', {})));
    expect(answer).toMatchObject(afterTenSeconds);
  });
});

test('An excluded name that no server has is an error, with the name that was probably meant', async () => {
  const said = '"one" has no tool "serach", which is to be left out. Did you mean "search"?';
  await expect(mcpTools({ url: one.url }, { exclude: ['serach'] })).rejects.toThrow(said);
  const { url } = one;
  const mcpServers = { left: { url, exclude: ['lookup'] }, right: { url } };
  await expect(mcpTools({ mcpServers })).rejects.toThrow('"left" has no tool "lookup", which is to be left out.');
});

test('A selected name may be that of a skipped tool, or of a tool of a server that failed', async () => {
  await using aside = await mcpTools({ url: one.url }, { include: ['broken', 'search'] });
  expect(aside).toHaveLength(1);
  const servers = { mcpServers: { left: { url: one.url }, down: { url: refused } } };
  await using some = await mcpTools(servers, { include: ['search', 'remote'] });
  expect(some).toHaveLength(1);
});

test.each(['its address', 'a session that somebody else opened'])(
  "A notification is reported with its server's name, given by %s, until the tools are closed",
  async (by) => {
    const heard: unknown[] = [];
    const loud = tool('loud', {}, async (_args, { notify }) => {
      await notify('notifications/message', { level: 'info', data: 'working' });
      return { content: [] };
    });
    await using server = await startServer([loud]);
    await using session = await connect({ url: server.url });
    const onNotification = (method: string, params: object, name: string) => void heard.push([method, params, name]);
    const louder = by === 'its address' ? { url: server.url } : session;
    const tools = await mcpTools({ mcpServers: { louder } }, { onNotification });
    await tools[0]?.invoke(toolCall('loud', {}));
    expect(heard).toEqual([['notifications/message', { level: 'info', data: 'working' }, 'louder']]);
    await tools.close();
    const [listed] = (await session.listTools()).tools;
    if (listed) await session.callTool(listed, {});
    expect(heard).toHaveLength(1);
  },
);

describe('hooks', () => {
  test("Hooks may replace the arguments, which are then repaired and checked like the model's", async () => {
    await using tools = await mcpTools({ url: one.url }, { before: () => ({ arguments: sent }) });
    one.calls.length = 0;
    await tools[0]?.invoke(toolCall('find_relatives', {}));
    await using kept = await mcpTools({ url: one.url }, { before: () => ({ arguments: undefined, meta: {} }) });
    await kept[0]?.invoke(toolCall('find_relatives', sent));
    const call = { name: 'find_relatives', arguments: received };
    expect(one.calls).toEqual([call, call]);
  });

  test('Hooks may replace the output', async () => {
    await using tools = await mcpTools(
      { url: one.url },
      { after: ({ tool, arguments: args }) => `${tool.name} ${JSON.stringify(args)}` },
    );
    await expect(named(tools, 'search')?.invoke({ a: 1 })).resolves.toBe('search {"a":1}');
  });

  test('A call is not sent if its hook returns no time as its time limit', async () => {
    await using tools = await mcpTools({ url: one.url }, { before: () => ({ idleTimeoutMs: -1 }) });
    one.calls.length = 0;
    await expect(named(tools, 'delete')?.invoke(toolCall('delete', { id: 7 }))).rejects.toThrow('"idleTimeoutMs"');
    expect(one.calls).toEqual([]);
  });

  test('The hook before a call may set its time limit', async () => {
    const silent = tool(
      'silent',
      {},
      (_, { signal }) => new Promise((_resolve, reject) => signal.addEventListener('abort', reject)),
    );
    await using server = await startServer([silent, tool('quick')]);
    const before: McpToolsOptions['before'] = ({ tool: { name } }) =>
      name === 'silent' ? { idleTimeoutMs: 100 } : undefined;
    await using tools = await mcpTools({ url: server.url }, { before });
    await expect(named(tools, 'silent')?.invoke({})).rejects.toMatchObject({ code: 'TIMEOUT', idleTimeoutMs: 100 });
    await expect(named(tools, 'quick')?.invoke(toolCall('quick', {}))).resolves.toMatchObject({ status: 'success' });
  });
});

test.each<[rule: ApprovalRule | undefined, expected: string[]]>([
  [undefined, ['p_find_relatives', 'p_delete']],
  ['destructive', ['p_find_relatives', 'p_delete']],
  ['not-read-only', ['p_find_relatives', 'p_delete', 'p_append']],
  ['all', ['p_find_relatives', 'p_search', 'p_delete', 'p_append']],
  [({ name }, server) => `${server} ${name}` === 'one search', ['p_search']],
])('Approval of %s tools follows the annotations, or their defaults if a server sets none', async (rule, expected) => {
  await using tools = await mcpTools({ url: one.url }, { prefix: 'p_' });
  const wanted = tools.map(({ name }) => [name, expected.includes(name)]);
  expect(interruptOn(tools, rule)).toEqual(Object.fromEntries(wanted));
  expect(wanted).toHaveLength(4);
});

/** The outcome of a call that the server receives and leaves unanswered, after its time limit. */
async function overtime(server: TestServer, ms: number, call: () => Promise<unknown>): Promise<unknown> {
  const { length } = server.calls;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const running = call();
    await until(() => server.calls.length > length);
    vi.advanceTimersByTime(ms);
    return await running;
  } finally {
    vi.useRealTimers();
  }
}
