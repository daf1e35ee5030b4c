import { AIMessage, HumanMessage } from '@langchain/core/messages';
import type { ToolMessage } from '@langchain/core/messages/tool';
import { describe, expect, test } from 'vitest';
import { toolSearch, interruptOn, mcpTools } from '../../src/langchain/index.js';
import { serverForAll, startServer } from './server.js';
import { tool, toolCall } from './tools.js';

const weather = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' }, tenant: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};

const server = serverForAll([
  tool('get_weather', { description: 'Forecast for a city.', inputSchema: weather }),
  tool('create_issue', { description: 'Create an issue.' }),
  tool('list_issues', { description: 'List issues.' }),
]);

async function invoke(tools: Awaited<ReturnType<typeof mcpTools>>, name: string, args: Record<string, unknown>) {
  const found = tools.find((each) => each.name === name);
  if (!found) throw new Error(`There is no tool ${name}.`);
  return await found.invoke(toolCall(name, args));
}

describe('mcpTools with tool search', () => {
  test('Tool search throws a refused call of a tool that was never described, with its schema, where no message is asked for', async () => {
    await using tools = await mcpTools({ url: server.url }, { toolSearch: 'on' });
    const sent = server.calls.length;
    const plain = tools.find(({ name }) => name === 'call_tool')?.invoke({ name: 'get_weather', arguments: {} });
    await expect(plain).rejects.toMatchObject({
      name: 'InvalidToolInputException',
      message: expect.stringContaining(JSON.stringify(weather)),
    });
    expect(server.calls).toHaveLength(sent);
  });

  test('Tool search describes the original schema for every model: a provider rejects no text', async () => {
    const inputSchema = { type: 'object', properties: {}, anyOf: [{ required: ['dish'] }, { required: ['menu'] }] };
    await using other = await startServer([tool('order', { inputSchema }), tool('pay', { inputSchema })]);
    const options = { toolSearch: 'on', always: ['pay'], model: 'openai:gpt-5' } as const;
    await using tools = await mcpTools({ url: other.url }, options);
    const described = await invoke(tools, 'describe_tools', { names: ['order'] });
    expect(described.text).toContain(JSON.stringify(inputSchema));
    expect(tools[0]?.schema).not.toHaveProperty('anyOf');
    const adapted = tools.report[0]?.notes.filter(({ code }) => code === 'adapted-schema');
    expect(adapted?.map((note) => note.tool)).toEqual(['pay']);
  });

  test('The call of a found tool is a run within that of the call, and plain arguments are answered by its content', async () => {
    await using tools = await mcpTools({ url: server.url }, { toolSearch: 'on' });
    const runs: unknown[] = [];
    const handleToolStart = (
      _tool: unknown,
      text: string,
      run: string,
      parent?: string,
      ...[, , name, id]: unknown[]
    ) => void runs.push({ text, run, parent, name, id });
    const call = (args: object) =>
      tools
        .find(({ name }) => name === 'call_tool')!
        .invoke(args as ReturnType<typeof toolCall>, {
          callbacks: [{ awaitHandlers: true, handleToolStart }],
        });
    await call(toolCall('call_tool', { name: 'list_issues', arguments: { n: 1 } }));
    const [outer, inner] = runs as { run: string }[];
    expect(runs).toEqual([
      {
        ...outer,
        parent: undefined,
        name: 'call_tool',
        id: 'call_1',
        text: '{"name":"list_issues","arguments":{"n":1}}',
      },
      { ...inner, parent: outer?.run, name: 'list_issues', id: 'call_1', text: '{"n":1}' },
    ]);
    expect(await call({ name: 'list_issues', arguments: { n: 2 } })).toBe('{"n":2}');
    expect(await call({ name: 'sell' })).toBe('There is no tool "sell". Find one with search_tools.');
  });

  test('Tool search needs no approval for a search', async () => {
    await using tools = await mcpTools({ url: server.url }, { toolSearch: 'on' });
    expect(interruptOn(tools)).toEqual({ search_tools: false, describe_tools: false, call_tool: true });
  });

  test('Tool search names the connected servers', async () => {
    await using one = await startServer([tool('only')]);
    const mcpServers = { here: { url: one.url }, away: { url: 'http://127.0.0.1:9/mcp' } };
    await using tools = await mcpTools({ mcpServers }, { toolSearch: 'on' });
    expect(tools[0]?.description).toMatch(/^Search the 1 tool of "here", /);
  });
});

test('toolSearch binds the found tools unchanged for the rest of the conversation', async () => {
  await using tools = await mcpTools({ url: server.url });
  const { tools: registered, wrapModelCall } = toolSearch(tools, { always: ['list_issues'] });
  expect(registered.map(({ name }) => name).sort()).toEqual([
    ...['create_issue', 'get_weather', 'list_issues', 'search_tools'],
  ]);
  const mine = { name: 'mine' };
  const told = (messages: unknown[]) =>
    wrapModelCall({ messages: messages as HumanMessage[], tools: [mine, ...registered] }, (request) => request.tools);
  const before = told([new HumanMessage('Hello')]);
  expect(before.map(nameOf).sort()).toEqual(['list_issues', 'mine', 'search_tools']);
  const search = registered.find(({ name }) => name === 'search_tools');
  const message: unknown = await search?.invoke(toolCall('search_tools', { query: 'weather' }));
  expect((message as ToolMessage).text).toContain('call them by their names');
  const after = told([new HumanMessage('Hello'), new AIMessage(''), message]);
  expect(after.map(nameOf).sort()).toEqual(['get_weather', 'list_issues', 'mine', 'search_tools']);
  const [bound] = tools;
  expect(after).toContain(bound);
  expect(bound?.schema).toBe(bound?.tool.inputSchema);
});

function nameOf(tool: unknown): string {
  return (tool as { name: string }).name;
}
