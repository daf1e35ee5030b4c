import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe as suite, expect, test } from 'vitest';
import type { mcpTools as McpTools } from '../../src/langchain/index.js';
import { startObserving } from '../../test-support/observed.js';
import { fetchedPackages } from '../../test-support/packages.js';
import { chatModels } from './providers.js';
import { startServer, type TestServer } from './server.js';
import { findPersons, received, sent, tool } from './tools.js';

const host = fetchedPackages('test/langchain/hosts/newest');
const describe = suite.skipIf(host === undefined);

/** The chat models of the real packages, and what of the address that `observe` prints they take. */
const models = [
  ['ChatOpenAI', 'url', 'chat'],
  ['ChatOpenAI, responses', 'url', 'responses'],
  ['ChatAnthropic', 'origin', 'anthropic'],
  ['ChatGoogleGenerativeAI', 'origin', 'gemini'],
  ['ChatOllama', 'origin', 'ollama'],
] as const;

type Agent = {
  invoke(input: object): Promise<{ messages: { content: unknown }[] }>;
  stream(input: object, options: object): Promise<AsyncIterable<unknown>>;
};

describe('createAgent with mcpTools behind observe, its answers played', () => {
  let require: (name: string) => Record<string, unknown>;
  let server: TestServer;

  beforeAll(async () => {
    require = createRequire(join(host!, 'package.json'));
    server = await startServer([{ definition: findPersons }, tool('delete')]);
  });
  afterAll(() => server.close());

  const play = ['--play', '--call', 'find_relatives', JSON.stringify(sent), '--json'];

  async function agentAt(name: string, url: string): Promise<Agent> {
    const { createAgent } = require('langchain') as { createAgent(fields: object): Agent };
    const { mcpTools } = require('mcp-verbatim/langchain') as { mcpTools: typeof McpTools };
    const tools = await mcpTools({ url: server.url }, { providerSafe: false });
    return createAgent({ model: chatModels[name]!(require, url), tools: [...tools] });
  }

  test.each(models)('%s takes the played call, and the text after its result', async (name, address, format) => {
    const observed = await startObserving([...play, '--url', server.url]);
    server.calls.length = 0;
    const agent = await agentAt(name, observed[address]);
    const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'Find them.' }] });
    const { stdout } = await observed.stop();
    expect(JSON.stringify(messages.at(-1)?.content)).toContain('Thank you.');
    expect(server.calls).toEqual([{ name: 'find_relatives', arguments: received }]);
    const report = JSON.parse(stdout) as { requests: number; calls: { all: number; repaired: number } };
    expect(report).toMatchObject({ requests: 2, calls: { all: 1, repaired: 1 } });
    // The provider's package rewrites schemas for Gemini alone.
    const identical = format === 'gemini' ? 0 : 2;
    expect(report).toMatchObject({ sums: { identical } });
  });

  test.each(models)('%s takes the same as a stream', async (name, address) => {
    const observed = await startObserving([...play, '--url', server.url]);
    server.calls.length = 0;
    const agent = await agentAt(name, observed[address]);
    const input = { messages: [{ role: 'user', content: 'Find them.' }] };
    const seen: unknown[] = [];
    for await (const part of await agent.stream(input, { streamMode: 'messages' })) seen.push(part);
    const { stdout } = await observed.stop();
    expect(JSON.stringify(seen)).toContain('Thank you.');
    expect(server.calls).toEqual([{ name: 'find_relatives', arguments: received }]);
    expect(JSON.parse(stdout)).toMatchObject({ calls: { all: 1, repaired: 1 } });
  });
});
