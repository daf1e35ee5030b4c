import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe as suite, expect, test } from 'vitest';
import type { mcpTools as McpTools } from '../../src/langchain/index.js';
import { canonicalText } from '../../src/json/index.js';
import { fetchedPackages } from '../../test-support/packages.js';
import { typicalSlips } from '../../test-support/schemas/typical-slips.js';
import { startServer, type TestServer } from './server.js';

const host = fetchedPackages('test/langchain/hosts/newest');
const describe = suite.skipIf(host === undefined);

interface Agents {
  createAgent(options: object): { invoke(input: object): Promise<{ messages: { type: string }[] }> };
  createMiddleware(config: object): object;
  FakeToolCallingModel: new (options: object) => object;
}

let fromHost: (name: string) => unknown;
let langchain: Agents;
let mcpTools: typeof McpTools;
let server: TestServer;

const names = typicalSlips.map((_, index) => `tool_${index}`);

beforeAll(async () => {
  if (host === undefined) return;
  fromHost = createRequire(join(host, 'package.json'));
  // The packages that the lockfile of hosts/newest names.
  langchain = fromHost('langchain') as Agents;
  mcpTools = (fromHost('mcp-verbatim/langchain') as { mcpTools: typeof McpTools }).mcpTools;
  server = await startServer(
    typicalSlips.map(({ schema }, index) => ({
      definition: { name: `tool_${index}`, description: 'A tool.', inputSchema: schema },
    })),
  );
});
afterAll(async () => {
  if (host !== undefined) await server.close();
});

/**
 * A model that makes the slip, and sends what is meant when it is told: what the server received, first and in the end.
 */
async function played(repairs: 'off' | 'integers' | 'safe' | 'all') {
  await using tools = await mcpTools({ url: server.url }, { repairs });
  const outcomes: { what: string; first: 'right' | 'wrong' | 'refused'; second: boolean }[] = [];
  for (const [index, { what, sent, meant }] of typicalSlips.entries()) {
    const name = names[index]!;
    server.calls.length = 0;
    const turns = [[{ name, args: sent, id: 'first' }], [{ name, args: meant, id: 'second' }], []];
    const model = new langchain.FakeToolCallingModel({ toolCalls: turns });
    await langchain.createAgent({ model, tools }).invoke({ messages: [{ role: 'user', content: 'Go on.' }] });
    const received = server.calls.map(({ arguments: args }) => canonicalText(args));
    const right = canonicalText(meant);
    const first = received.length < 2 ? 'refused' : received[0] === right ? 'right' : 'wrong';
    outcomes.push({ what, first, second: received.at(-1) === right });
  }
  return outcomes;
}

describe('45 typical malformed arguments, through createAgent', () => {
  test('there are 45', () => {
    expect(typicalSlips).toHaveLength(45);
  });

  test.each([
    ['off', 0],
    ['integers', 4],
    ['safe', 31],
    ['all', 39],
  ] as const)('%s: %i arrive right at the first try, none arrives wrong, all at the second', async (repairs, right) => {
    const outcomes = await played(repairs);
    expect(outcomes.filter(({ first }) => first === 'wrong')).toEqual([]);
    expect(outcomes.filter(({ second }) => !second)).toEqual([]);
    expect(outcomes.filter(({ first }) => first === 'right').map(({ what }) => what)).toHaveLength(right);
  });
});

describe('repairToolCalls, through createAgent', () => {
  /** A model behind an OpenAI-compatible endpoint, whose first calls have these arguments, to the letter. */
  async function playedText(...texts: string[]) {
    const slip = typicalSlips.findIndex(({ what }) => what === 'camelCase for snake_case');
    const asked: { messages: { role: string; content: string }[] }[] = [];
    const endpoint = createServer((request, response) => {
      void json(request).then((body) => {
        asked.push(body as (typeof asked)[number]);
        const text = texts[asked.length - 1];
        const call = { id: `call_${asked.length}`, type: 'function', function: { name: names[slip], arguments: text } };
        const message = {
          role: 'assistant',
          content: text === undefined ? 'Done.' : '',
          ...(text !== undefined && { tool_calls: [call] }),
        };
        response.setHeader('content-type', 'application/json');
        response.end(
          JSON.stringify({
            id: 'x',
            object: 'chat.completion',
            created: 1,
            model: 'm',
            choices: [{ index: 0, message, finish_reason: 'stop' }],
          }),
        );
      });
    });
    await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
    const { port } = endpoint.address() as AddressInfo;
    const { ChatOpenAI } = fromHost('@langchain/openai') as { ChatOpenAI: new (options: object) => object };
    const { repairToolCalls } = fromHost('mcp-verbatim/langchain') as { repairToolCalls: () => object };
    await using tools = await mcpTools({ url: server.url }, { repairs: 'safe' });
    server.calls.length = 0;
    const model = new ChatOpenAI({
      model: 'm',
      apiKey: 'x',
      configuration: { baseURL: `http://127.0.0.1:${port}/v1` },
    });
    const middleware = [langchain.createMiddleware(repairToolCalls())];
    await langchain
      .createAgent({ model, tools, middleware })
      .invoke({ messages: [{ role: 'user', content: 'Go on.' }] });
    endpoint.closeAllConnections();
    endpoint.close();
    return { asked, received: server.calls.map(({ arguments: args }) => args) };
  }

  test('arguments in Python reach the server', async () => {
    const { asked, received } = await playedText("{'maxResults': 5,}");
    expect(received).toEqual([{ max_results: 5 }]);
    expect(asked).toHaveLength(2);
  });

  test('arguments that are cut short are told, and made again', async () => {
    const { asked, received } = await playedText('{"max_results": ', '{"max_results": 5}');
    expect(received).toEqual([{ max_results: 5 }]);
    expect(asked[1]?.messages.at(-1)).toMatchObject({ role: 'tool' });
    expect(asked[1]?.messages.at(-1)?.content).toContain('The arguments are not a JSON object');
  });
});
