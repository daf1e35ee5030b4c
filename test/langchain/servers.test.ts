import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../../src/index.js';
import { interruptOn, mcpTools } from '../../src/langchain/index.js';
import type { ApprovalRequest } from '../../src/langchain/index.js';
import { stdioServer } from '../../test-support/servers/stdio.js';
import { startServer } from './server.js';
import type { TestServer } from './server.js';
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

const both = () => ({ mcpServers: { left: { url: one.url }, right: { url: other.url } } });

describe('one server', () => {
  test('needs no prefix and reports what was set aside', async () => {
    await using tools = await mcpTools({ url: one.url });
    expect(tools.map(({ name }) => name)).toEqual(['fg_findPersons', 'search', 'delete', 'append']);
    expect(tools.report).toMatchObject([{ server: 'one', status: 'connected', setAside: [{ name: 'broken' }] }]);
  });

  test('can be a session that somebody else opened, and that stays open', async () => {
    await using session = await connect({ url: one.url });
    const tools = await mcpTools(session);
    await tools.close();
    expect(session.ended).toBe(false);
    await expect(tools.find(({ name }) => name === 'search')?.invoke({})).resolves.toBe('{}');
  });

  test('outlives the signal that it was connected with', async () => {
    const abort = new AbortController();
    await using tools = await mcpTools({ url: one.url }, { signal: abort.signal });
    abort.abort();
    await expect(tools.find(({ name }) => name === 'search')?.invoke({})).resolves.toBe('{}');
  });

  test('is not opened again by calls that come after the tools were closed', async () => {
    const tools = await mcpTools({ url: one.url });
    await tools.close();
    await expect(tools.find(({ name }) => name === 'search')?.invoke({})).rejects.toMatchObject({
      code: 'SESSION_CLOSED',
    });
  });

  test('can be a command, as people write it in an mcp.json', async () => {
    const { command, args = [] } = stdioServer('plain');
    await using tools = await mcpTools({ command, args });
    await expect(tools.find(({ name }) => name === 'echo')?.invoke({ text: 'hello' })).resolves.toBe(
      '{"text":"hello"}',
    );
  });

  test('throws when it cannot be reached', async () => {
    await expect(mcpTools({ url: refused })).rejects.toMatchObject({ name: 'ConnectionError' });
  });

  test('is connected to again after its session has ended, once for all the calls that find it so', async () => {
    const abort = new AbortController();
    await using tools = await mcpTools({ url: one.url }, { signal: abort.signal });
    await (await tools.session()).close();
    abort.abort(); // was for connecting the first time
    const search = tools.find(({ name }) => name === 'search');
    const [first, second] = await Promise.all([tools.session(), tools.session(), search?.invoke({})]);
    expect(first.ended).toBe(false);
    expect(second).toBe(first);
  });
});

describe('several servers', () => {
  test("have their names in front of their tools', while each is called by its own", async () => {
    await using tools = await mcpTools(both());
    expect(tools.map(({ name }) => name)).toEqual([
      'left__fg_findPersons',
      'left__search',
      'left__delete',
      'left__append',
      'right__search',
      'right__lookup',
    ]);
    other.calls.length = 0;
    await tools.find(({ name }) => name === 'right__search')?.invoke({ q: 1 });
    expect(other.calls).toEqual([{ name: 'search', arguments: { q: 1 } }]);
  });

  test('get unique names without prefixes too', async () => {
    await using tools = await mcpTools(both(), { prefix: false });
    const names = tools.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  test('are offered in part by name or predicate', async () => {
    await using tools = await mcpTools(both(), {
      include: ['search', 'lookup'],
      exclude: (tool, server) => server === 'right' && tool.name === 'search',
    });
    expect(tools.map(({ name }) => name)).toEqual(['left__search', 'right__lookup']);
  });

  test('work without the one that fails, which the report names', async () => {
    await using tools = await mcpTools({ mcpServers: { ...both().mcpServers, down: { url: refused } } });
    expect(tools.report.map(({ server, status }) => [server, status])).toEqual([
      ['left', 'connected'],
      ['right', 'connected'],
      ['down', 'failed'],
    ]);
    expect(tools.report[2]?.error).toMatchObject({ name: 'ConnectionError' });
  });

  test('are all given up when one fails and that was asked for', async () => {
    const servers = { mcpServers: { ...both().mcpServers, down: { url: refused } } };
    await expect(mcpTools(servers, { onServerError: 'throw' })).rejects.toMatchObject({ name: 'ConnectionError' });
  });
});

describe('hooks', () => {
  test("may replace the arguments, which are then repaired and checked like the model's", async () => {
    await using tools = await mcpTools({ url: one.url }, { before: () => ({ arguments: sent }) });
    one.calls.length = 0;
    await tools[0]?.invoke(toolCall('fg_findPersons', {}));
    expect(one.calls).toEqual([{ name: 'fg_findPersons', arguments: received }]);
  });

  test('may replace the output', async () => {
    await using tools = await mcpTools(
      { url: one.url },
      { after: ({ tool, arguments: args }) => `${tool.name} ${JSON.stringify(args)}` },
    );
    await expect(tools.find(({ name }) => name === 'search')?.invoke({ a: 1 })).resolves.toBe('search {"a":1}');
  });
});

describe('human approval', () => {
  test.each([
    ['destructive', ['fg_findPersons', 'delete']],
    ['not-read-only', ['fg_findPersons', 'delete', 'append']],
    ['all', ['fg_findPersons', 'search', 'delete', 'append']],
  ] as const)(
    'of %s tools is decided by annotations, and by their defaults where a server says nothing',
    async (rule, expected) => {
      await using tools = await mcpTools({ url: one.url });
      const gated = Object.entries(interruptOn(tools, rule)).filter(([, needed]) => needed);
      expect(gated.map(([name]) => name)).toEqual(expected);
    },
  );

  test('is asked about repaired arguments, and a no reaches the model, not the server', async () => {
    const asked: ApprovalRequest[] = [];
    const ask = (request: ApprovalRequest) => {
      asked.push(request);
      return { approved: false as const, reason: 'not today' };
    };
    await using tools = await mcpTools({ url: one.url }, { approval: { ask } });
    one.calls.length = 0;
    const answer: unknown = await tools[0]?.invoke(toolCall('fg_findPersons', sent));
    expect(asked).toMatchObject([{ server: 'one', arguments: received }]);
    expect(answer).toMatchObject({ status: 'error', content: expect.stringContaining('not today') as string });
    expect(one.calls).toEqual([]);
  });

  test.each([[undefined], [null], ['no'], ['yes'], [1], [{}], [{ approved: 'yes' }], [[true]]])(
    'is not given by %j, which a person may have resumed the run with',
    async (resumed) => {
      await using tools = await mcpTools({ url: one.url }, { approval: { ask: () => resumed as never } }); // not an answer by its type
      one.calls.length = 0;
      expect(await tools[0]?.invoke(toolCall('fg_findPersons', sent))).toMatchObject({
        status: 'error',
        artifact: { error: { code: 'NOT_APPROVED' } },
      });
      expect(one.calls).toEqual([]);
    },
  );

  test('is not asked about arguments that would be refused anyway', async () => {
    await using tools = await mcpTools(
      { url: one.url },
      { approval: { ask: () => Promise.reject(new Error('asked')) } },
    );
    const answer: unknown = await tools[0]?.invoke(toolCall('fg_findPersons', {}));
    expect(answer).toMatchObject({ status: 'error', content: expect.stringContaining('queries') as string });
  });

  test('given, lets the call through with its repairs', async () => {
    await using tools = await mcpTools({ url: one.url }, { approval: { ask: () => true } });
    const answer: unknown = await tools[0]?.invoke(toolCall('fg_findPersons', sent));
    expect(answer).toMatchObject({ status: 'success', artifact: { arguments: received, repairs: [{}, {}] } });
  });
});
