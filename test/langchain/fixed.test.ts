import { describe, expect, test } from 'vitest';
import { toolSearch, mcpTools, type McpTool, type McpToolsOptions } from '../../src/langchain/index.js';
import { serverForAll, startServer } from './server.js';
import { tool, toolCall } from './tools.js';

const inputSchema = {
  type: 'object',
  properties: { tenant: { type: 'string', minLength: 4 }, query: { type: 'string' } },
  required: ['tenant', 'query'],
};

const server = serverForAll([
  tool('search', { inputSchema }),
  tool('combined', { inputSchema: { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] } }),
]);

const tools = (options: McpToolsOptions) => mcpTools({ url: server.url }, options);

function named(all: readonly McpTool[], name: string): McpTool | undefined {
  return all.find((each) => each.name === name);
}

describe('fixed arguments', () => {
  test('Fixed arguments are not sent, and come from a value or from the config of the run', async () => {
    await using fixed = await tools({
      fixed: { search: { tenant: ({ configurable }): unknown => configurable?.['tenant'] } },
    });
    const [search] = fixed;
    expect(search?.schema).toEqual({ ...inputSchema, properties: { query: { type: 'string' } }, required: ['query'] });
    await search?.invoke(toolCall('search', { query: 'a', tenant: 'other' }), { configurable: { tenant: 'north' } });
    expect(server.calls.at(-1)?.arguments).toEqual({ query: 'a', tenant: 'north' });
  });

  test('Fixed arguments of a tool that its server does not have fail that server alone', async () => {
    await using other = await startServer([tool('search', { inputSchema: { type: 'object' } })]);
    const wrong = { mcpServers: { a: { url: server.url }, b: { url: other.url, fixed: { serach: {} } } } };
    await using left = await mcpTools(wrong);
    expect(left.every(({ server }) => server === 'a')).toBe(true);
    expect(left.instructions).toBe('The server "b" is not available: its tools are missing.');
    expect(left.report[1]?.error).toMatchObject({
      code: 'UNKNOWN_TOOL',
      title: '"b" has no tool "serach", for which arguments are fixed. Did you mean "search"?',
    });
  });
});

describe('the provider', () => {
  class RenamedModel {
    static lc_name = () => 'ChatOpenAI';
    getName = (): string => 'the name that somebody gave it';
  }

  test.each([
    [{ provider: 'openai' as const }],
    [{ model: 'openai:my-own' }],
    [{ model: { getName: (): string => 'ChatOpenAI' } }],
    [{ model: { bound: { getName: (): string => 'ChatOpenAI' } } }],
    [{ model: new RenamedModel() }],
    [{ model: { getName: (): string => 'ChatBedrockConverse', model: 'us.anthropic.claude-opus-4-v1:0' } }],
    [{ model: { getName: (): string => 'Configurable', _defaultConfig: { model: 'x', modelProvider: 'openai' } } }],
  ])(
    'If the provider is known from %j, only the tools that it rejects are adapted, and the report says so',
    async (options) => {
      await using adapted = await tools(options);
      const [search, combined] = [named(adapted, 'search'), named(adapted, 'combined')];
      expect(search?.schema).toBe(search?.tool.inputSchema);
      expect(combined?.schema).not.toHaveProperty('anyOf');
      expect(adapted.report[0]?.notes).toContainEqual(
        expect.objectContaining({ tool: 'combined', code: 'adapted-schema' }),
      );
    },
  );

  test.each([{ provider: 'openai' as const, providerSafe: false }, { model: 'ollama:qwen' }])(
    'A provider is sent the originals if it accepts them, or if providerSafe is off: %j',
    async (options) => {
      await using plain = await tools(options);
      expect(named(plain, 'combined')?.schema).toHaveProperty('anyOf');
    },
  );

  test("If the provider is known from a model's request, the tools that it rejects are adapted, and the report says so", async () => {
    await using plain = await tools({});
    const { wrapModelCall, tools: told } = toolSearch(plain, { mode: 'auto' });
    const adapted = () => plain.report[0]?.notes.filter(({ code }) => code === 'adapted-schema');
    const request = { model: { getName: (): string => 'ChatOpenAI' }, messages: [], tools: told };
    expect(adapted()).toMatchObject([{ tool: 'combined', message: expect.stringContaining('No model is named') }]);
    const sent = wrapModelCall(request, (accepted) => named(accepted.tools, 'combined'));
    expect(sent?.schema).toMatchObject({ type: 'object', description: expect.any(String) });
    expect(sent?.schema).not.toHaveProperty('anyOf');
    expect(adapted()).toMatchObject([{ tool: 'combined', message: expect.stringContaining('"openai"') }]);
  });

  test('For an unknown provider, tools that OpenAI or Anthropic rejects are adapted for both and reported', async () => {
    await using plain = await tools({});
    const messages = plain.report[0]?.notes.filter(({ tool }) => tool === 'combined').map(({ message }) => message);
    expect(messages).toEqual(
      expect.arrayContaining([expect.stringContaining('OpenAI'), expect.stringContaining('Anthropic')]),
    );
    expect(named(plain, 'combined')?.schema).not.toHaveProperty('anyOf');
    expect(named(plain, 'search')?.schema).toBe(named(plain, 'search')?.tool.inputSchema);
  });
});

test('The instructions name the servers that cannot be reached', async () => {
  await using some = await mcpTools({ mcpServers: { a: { url: server.url }, b: { url: 'http://127.0.0.1:9/mcp' } } });
  expect(some.instructions).toBe('The server "b" is not available: its tools are missing.');
});
