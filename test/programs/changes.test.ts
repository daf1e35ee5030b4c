import { expect, onTestFinished, test } from 'vitest';
import { agentTools, connect } from '../../src/index.js';
import { mcpTools as records } from '../../src/frameworks/ai-sdk.js';
import { mcpTools } from '../../src/langchain/index.js';
import { type Exchange, type HttpServer, startHttpServer } from '../../test-support/servers/http.js';
import { settled, until } from '../../test-support/waiting.js';

interface ChangingServer {
  http: HttpServer;
  /** Replaces the tools' names, by an error if there are none, and announces that as often as wanted. */
  change(names: string[] | undefined, times?: number): void;
  lists(): number;
  /** Holds the next list back until this is called. */
  hold(): () => void;
}

async function changing(of: string): Promise<ChangingServer> {
  let names: string[] | undefined = [`${of}_first`, 'both'];
  let held: Promise<void> | undefined;
  let announce: ReturnType<Exchange['stream']>;
  const about = { capabilities: { tools: { listChanged: true } }, instructions: `Of ${of}.` };
  const http = await startHttpServer({
    initialize: ({ introduce }) => introduce(about, { 'mcp-session-id': of }),
    'tools/list': async ({ result, status }: Exchange) => {
      const listed = names?.map((name) => ({ name, description: `Named ${name}.`, inputSchema: { type: 'object' } }));
      const wait = held;
      held = undefined;
      await wait;
      if (listed) result({ tools: listed });
      else status(500);
    },
    GET: ({ stream }) => void (announce = stream()),
  });
  onTestFinished(() => http.close());
  return {
    http,
    change(changed, times = 1) {
      names = changed;
      for (let time = 0; time < times; time++) announce({ method: 'notifications/tools/list_changed' });
    },
    lists: () => http.methods().filter((method) => method === 'tools/list').length,
    hold() {
      let release = () => {};
      held = new Promise<void>((resolve) => (release = resolve));
      return release;
    },
  };
}

test.each([
  ['agentTools', agentTools],
  ['mcpTools', mcpTools],
] as const)('The tools of %s, their search and their report follow what servers announce', async (_, open) => {
  const [one, two] = [await changing('one'), await changing('two')];
  const mcpServers = { one: { url: one.http.url }, two: { url: two.http.url } };
  await using tools = await open({ mcpServers }, { toolSearch: 'on', always: ['both'], model: 'openai:gpt-5.1' });
  const names = () => tools.map(({ name }) => name);
  const searched = () => tools.find(({ name }) => name === 'search_tools')!.description;
  const reported = () => tools.report.map(({ tools: listed, status }) => [status, ...listed]);
  const own = ['search_tools', 'describe_tools', 'call_tool'];
  expect(names().sort()).toEqual([...own, 'one__both', 'two__both'].sort());
  const counted = (count: number) => expect(searched()).toContain(`${count} tools`);
  counted(4);

  one.change(['one_later', 'one_last', 'both']);
  await until(() => reported()[0]!.includes('one__one_last'));
  expect(reported()).toEqual([
    ['connected', 'one__one_later', 'one__one_last', 'one__both'],
    ['connected', 'two__two_first', 'two__both'],
  ]);
  counted(5);
  expect([one.lists(), two.lists()]).toEqual([2, 1]);

  const release = two.hold();
  two.change(['two_held']);
  await until(() => two.lists() === 2);
  two.change(['two_last'], 3);
  release();
  await until(() => reported()[1]!.includes('two__two_last'));
  await settled();
  expect(two.lists()).toBe(3);
  expect(names().sort()).toEqual([...own, 'one__both'].sort());

  one.change(undefined, 0);
  two.change(['two_fresh'], 0);
  await expect(tools.refresh()).resolves.toBeUndefined();
  const kept = ['failed', 'one__one_later', 'one__one_last', 'one__both'];
  expect(reported()).toEqual([kept, ['connected', 'two__two_fresh']]);
  expect(tools.instructions).toBe(
    'The server "one" is not available: its tools are missing.\n\nAbout the tools of "two":\n> Of two.',
  );
  two.change(undefined, 0);
  await expect(tools.refresh()).rejects.toThrow('HTTP 500');
  expect(reported().map(([status]) => status)).toEqual(['failed', 'failed']);

  one.change(['one_again'], 0);
  expect(await (await tools.session('one')).listTools()).toMatchObject({ tools: [{ name: 'one_again' }] });
  expect(reported()).toEqual([
    ['connected', 'one__one_again'],
    ['failed', 'two__two_fresh'],
  ]);
  counted(2);
  await expect(tools.session('none')).rejects.toThrow('There is no server "none"; there is "one", "two".');
});

test.each([
  ['agentTools', agentTools],
  ['mcpTools', mcpTools],
] as const)('Once the tools of %s are closed, they hear nothing of a session that stays open', async (_, open) => {
  const server = await changing('one');
  await using session = await connect({ url: server.http.url });
  const heard: [string, unknown][] = [];
  const tools = await open(session, { onNotification: (method, _params, name) => heard.push([method, name]) });
  server.change(['later']);
  await until(() => tools.map(({ name }) => name).includes('later'));
  expect(heard).toEqual([['notifications/tools/list_changed', 'http']]);
  const release = server.hold();
  server.change(['held']);
  await until(() => server.lists() === 3);
  server.change(['queued']);
  await until(() => heard.length === 3);
  await tools.close();
  release();
  const ended = new Promise<void>((resolve) => session.onNotification(() => resolve()));
  server.change(['last']);
  await ended;
  expect(await session.listTools()).toMatchObject({ tools: [{ name: 'last' }] });
  await settled();
  // The list that was under way is taken, and the one that was announced after it is not asked for.
  expect([heard.length, server.lists(), tools.map(({ name }) => name)]).toEqual([3, 4, ['held']]);
});

test('A record of tools by name follows its server, and no tool has the name of another member', async () => {
  const server = await changing('one');
  server.change(['close', 'both', '__proto__', 'report'], 0);
  await using tools = await records({ url: server.http.url });
  const names = () => Object.keys(tools).sort();
  expect(names()).toEqual(['__proto_30e2af', 'both', 'close_310ff2', 'report_845e91']);
  server.change(['later', 'both']);
  await until(() => names().includes('later'));
  expect(names()).toEqual(['both', 'later']);
});
