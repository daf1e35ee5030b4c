import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type * as Library from '../../src/index.js';
import { startHttpServer } from '../../test-support/servers/http.js';
import { until } from '../../test-support/waiting.js';
import { startServer, type TestServer } from '../langchain/server.js';
import { findPersons, received, sent, tool } from '../langchain/tools.js';

const built = new URL('../../packages/mcp-verbatim/dist/esm/index.js', import.meta.url).href;
const { agentTools } = (await import(built)) as typeof Library; // built from it

const stdioServer = new URL('../../test-support/servers/stdio.mjs', import.meta.url).pathname;
const stdio = { command: process.execPath, args: [stdioServer, 'plain'] };
const text = (words: string) => ({ content: [{ type: 'text', text: words }] });

let aborted: string[] = [];
const tools = [
  { definition: findPersons },
  tool('fail', {}, () => ({ ...text('No such page.'), isError: true })),
  tool('wait', {}, (_args, { signal }) => {
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        aborted.push('wait');
        resolve(text('aborted'));
      });
    });
  }),
  tool('read', { title: 'Read it', annotations: { readOnlyHint: true } }),
  tool('add', { annotations: { destructiveHint: false } }),
  tool('plain'),
];

describe('agentTools', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer(tools);
  });
  afterAll(() => server.close());

  const toolOf = (all: Library.AgentTools, name: string) => all.find((each) => each.name === name)!;
  /** Opens the tools, works with one, and closes them. */
  async function withTool<T>(
    name: string,
    work: (tool: Library.AgentTool) => Promise<T>,
    options?: Library.AgentToolsOptions,
  ): Promise<T> {
    await using all = await agentTools({ url: server.url }, options);
    server.calls.length = 0;
    return await work(toolOf(all, name));
  }

  test.each<Library.AgentToolsOptions>([{ provider: 'cohere' }, { model: 'cohere:command-a-03-2025' }])(
    "agentTools does not apply the rules of LangChain's client: %j",
    async (options) => {
      await using all = await agentTools({ url: server.url }, options);
      const { inputSchema, tool: own } = toolOf(all, 'find_relatives');
      expect(inputSchema).toBe(own.inputSchema);
      expect(all.report[0]?.notes).toEqual([]);
    },
  );

  test('agentTools returns each tool with the schema object of its server', async () => {
    await using all = await agentTools({ url: server.url }, { providerSafe: false });
    expect(all.map(({ name }) => name)).toEqual(tools.map(({ definition }) => definition['name']));
    const found = toolOf(all, 'find_relatives');
    expect(JSON.stringify(found.inputSchema)).toBe(JSON.stringify(findPersons.inputSchema));
    expect(found.inputSchema).toBe(found.tool.inputSchema);
    expect(toolOf(all, 'read')).toMatchObject({ title: 'Read it', description: 'Does read.', server: 'test' });
  });

  test("agentTools repairs arguments given as values or as a model's text, and reports the repairs", async () => {
    for (const args of [sent, JSON.stringify(sent)]) {
      const outcome = await withTool('find_relatives', (found) => found.call(args));
      expect(server.calls).toEqual([{ name: 'find_relatives', arguments: received }]);
      expect(outcome).toMatchObject({ isError: false, text: JSON.stringify(received), warnings: [] });
      expect(outcome.repairs).toHaveLength(2);
      expect(outcome.error).toBeUndefined();
    }
  });

  test.each([
    ['Python', `{'queries': [{'group': '123e4567-e89b-12d3-a456-426614174000',}], 'tags': None}`],
    ['a code fence', '```json\n{"queries":[{"group":"123e4567-e89b-12d3-a456-426614174000"}],"tags":null}\n```'],
    ['JSON within JSON', JSON.stringify('{"queries":[{"group":"123e4567-e89b-12d3-a456-426614174000"}],"tags":null}')],
  ])('agentTools reads arguments that are %s', async (_, written) => {
    const { isError } = await withTool('find_relatives', (found) => found.call(written));
    expect(isError).toBe(false);
    const queries = [{ group: '123e4567-e89b-12d3-a456-426614174000' }];
    expect(server.calls).toEqual([{ name: 'find_relatives', arguments: { queries, tags: null } }]);
  });

  test('agentTools sends numbers that JavaScript does not hold as the model wrote them', async () => {
    const { text: answer } = await withTool('plain', (plain) => plain.call('{"id":12345678901234567890}'));
    expect(server.calls).toHaveLength(1);
    expect(answer).toContain('12345678901234567');
  });

  test.each([
    ['cut short', '{"queries":[{"gro', 'JSON'],
    ['a list', '[1]', 'another JSON value'],
    ['two of a name', '{"limit":1,"limit":2}', 'duplicate key "limit"'],
    ['of another type', '{"queries":[],"limit":"many"}', '/limit'],
  ])(
    'agentTools refuses arguments that are %s with a message for the model, and sends nothing',
    async (_, args, words) => {
      const outcome = await withTool('find_relatives', (found) => found.call(args));
      expect(outcome).toMatchObject({ isError: true, error: { code: 'INVALID_ARGUMENTS' } });
      expect(outcome.text).toContain('The tool was not called.');
      expect(outcome.text).toContain(words);
      expect(outcome.parts).toEqual([{ type: 'text', text: outcome.text }]);
      expect(server.calls).toEqual([]);
    },
  );

  test('agentTools can check arguments without calling', async () => {
    await withTool('find_relatives', async ({ check }) => {
      expect(await check(JSON.stringify(sent))).toMatchObject({ isError: false, arguments: received });
      expect(await check({ limit: 1 })).toMatchObject({ isError: true, error: { code: 'INVALID_ARGUMENTS' } });
      expect(server.calls).toEqual([]);
    });
    expect(await withTool('find_relatives', ({ check }) => check(sent), { repairs: 'off' })).toHaveProperty('error');
  });

  test('For frameworks that expect a string, agentTools returns the text of a call or throws', async () => {
    expect(await withTool('find_relatives', (found) => found.callOrThrow(sent))).toBe(JSON.stringify(received));
    const failed = withTool('fail', (fail) => fail.callOrThrow({}));
    await expect(failed).rejects.toMatchObject({ message: 'No such page.' });
    const refused = withTool('find_relatives', (found) => found.callOrThrow({ queries: [], limit: 'many' }));
    await expect(refused).rejects.toMatchObject({ cause: { code: 'INVALID_ARGUMENTS' } });
    await expect(refused).rejects.toThrow('The tool was not called.');
    const cancelled = withTool('wait', (wait) => wait.callOrThrow({}, { signal: AbortSignal.abort() }));
    await expect(cancelled).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('agentTools throws an AbortError for an aborted call, and cancels it at the server', async () => {
    aborted = [];
    const controller = new AbortController();
    await withTool('wait', async ({ call }) => {
      const outcome = call({}, { signal: controller.signal }).then(
        () => undefined,
        (error: unknown) => error,
      );
      await until(() => server.calls.length === 1);
      controller.abort();
      expect(await outcome).toMatchObject({ name: 'AbortError', cause: { code: 'CANCELLED', outcomeUnknown: true } });
      await until(() => aborted.length === 1);
      await expect(call({}, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
    });
    expect(server.calls).toHaveLength(1);
  });

  test.each([
    [undefined, []],
    ['destructive' as const, ['find_relatives', 'fail', 'wait', 'plain']],
    ['not-read-only' as const, ['find_relatives', 'fail', 'wait', 'add', 'plain']],
    [({ name }: Library.CatalogueTool) => name === 'read', ['read']],
  ])('agentTools needs approval by the rule %s', async (rule, expected) => {
    await using all = await agentTools({ url: server.url }, rule && { needsApproval: rule });
    expect(all.filter(({ needsApproval }) => needsApproval).map(({ name }) => name)).toEqual(expected);
  });

  test('With tool search, agentTools needs approval for the call tool if any tool needs it', async () => {
    const needsApproval = ({ name }: Library.CatalogueTool) => name === 'plain';
    await using all = await agentTools({ url: server.url }, { toolSearch: 'on', needsApproval });
    expect(all.map((each) => [each.name, each.needsApproval])).toEqual([
      ['search_tools', false],
      ['describe_tools', false],
      ['call_tool', true],
    ]);
    server.calls.length = 0;
    expect((await toolOf(all, 'search_tools').call({ query: 'relatives' })).text).toContain('find_relatives');
    const called = await toolOf(all, 'call_tool').call({ name: 'find_relatives', arguments: sent });
    expect(called.isError).toBe(false);
    expect(server.calls).toEqual([{ name: 'find_relatives', arguments: received }]);
    const refused = await toolOf(all, 'call_tool').call({ name: 'find_relatives', arguments: { limit: 'x' } });
    expect(refused.text).toContain('The schema of its arguments: {"type":"object"');
    expect(await toolOf(all, 'call_tool').check({ name: 'nothing' })).toMatchObject({ isError: true });
  });

  test('agentTools fills in hidden fixed arguments from the context of each call, and never throws an error of their functions', async () => {
    const options: Library.AgentToolsOptions = {
      fixed: {
        find_relatives: {
          limit: (context) => {
            if (context === undefined) throw new Error('nobody');
            return context;
          },
        },
      },
    };
    await withTool(
      'find_relatives',
      async ({ inputSchema, call, check }) => {
        expect(inputSchema['properties']).not.toHaveProperty('limit');
        await call({ queries: sent.queries }, { context: 7 });
        expect(server.calls).toEqual([{ name: 'find_relatives', arguments: { queries: received.queries, limit: 7 } }]);
        expect(await check({ queries: sent.queries }, { context: 7 })).toMatchObject({ arguments: { limit: 7 } });
        const failed = await call({ queries: sent.queries });
        expect(failed).toMatchObject({ isError: true, error: { message: 'nobody' } });
        expect(failed.text).not.toContain('nobody');
      },
      options,
    );
  });

  test('agentTools opens several servers, and reports one that fails without stopping', async () => {
    const gone = { command: 'no-such' };
    const left = { off: { ...gone, disabled: true }, out: { ...gone, enabled: false } };
    const mcpServers = { there: { url: server.url, include: ['plain'] }, ...left, here: stdio, gone };
    const all = await agentTools({ mcpServers });
    expect(all.map(({ name }) => name)).toContain('there__plain');
    expect(all.report.map(({ server: name, status }) => [name, status])).toEqual([
      ['there', 'connected'],
      ['here', 'connected'],
      ['gone', 'failed'],
    ]);
    expect(all.instructions).toContain('"gone" is not available');
    expect(await toolOf(all, 'here__echo').call({ text: 'hello' })).toMatchObject({ isError: false });
    await all.close();
    expect(await toolOf(all, 'here__echo').call({})).toMatchObject({
      isError: true,
      error: { code: 'SESSION_CLOSED' },
    });
  });

  test('agentTools reads the timeout of an entry as milliseconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await using silent = await startHttpServer(() => vi.advanceTimersByTime(1000));
    const opening = agentTools({ mcpServers: { silent: { url: silent.url, timeout: 1000 } } });
    await expect(opening).rejects.toThrow('within 1000 ms');
  });

  test('agentTools sends the own names of arguments, keeps a result that breaks its promise, and repeats what it refuses', async () => {
    const schemas = {
      inputSchema: { type: 'object', properties: { 'a b': { type: 'integer' } } },
      outputSchema: { type: 'object', required: ['sum'] },
    };
    const pay = tool('pay', { ...schemas, annotations: { title: 'Pay it' } }, () => ({
      content: [],
      structuredContent: { of: 1 },
    }));
    await using shop = await startServer([pay]);
    await using all = await agentTools({ url: shop.url }, { provider: 'anthropic', outputSchema: 'fail' });
    const [{ title, inputSchema, call }] = all as unknown as [Library.AgentTool];
    expect([title, inputSchema]).toEqual(['Pay it', { type: 'object', properties: { a_b: { type: 'integer' } } }]);
    const broken = { isError: true, result: { structuredContent: { of: 1 } }, error: { code: 'INVALID_RESULT' } };
    expect(await call('{"a_b": 7}')).toMatchObject(broken);
    expect(await call(' \n')).toMatchObject(broken);
    const args = [{ 'a b': 7 }, {}];
    expect(shop.calls).toEqual(args.map((each) => ({ name: 'pay', arguments: each })));
    const twice = '{"a_b": 1, "a_b": 2}';
    expect(await call(twice)).toMatchObject({ error: { report: { violations: [{ receivedValue: twice }] } } });
  });

  test('agentTools says which option or source is wrong', async () => {
    await expect(agentTools({ url: server.url }, { needApproval: 'all' } as never)).rejects.toThrow(
      /agentTools has no option "needApproval". Did you mean "needsApproval"/,
    );
    await expect(agentTools({ url: server.url }, { needsApproval: 'some' as never })).rejects.toThrow(/needsApproval/);
  });
});
