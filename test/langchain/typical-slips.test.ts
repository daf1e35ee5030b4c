import { createRequire } from 'node:module';
import { join } from 'node:path';
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
  FakeToolCallingModel: new (options: object) => object;
}

let langchain: Agents;
let mcpTools: typeof McpTools;
let server: TestServer;

const names = typicalSlips.map((_, index) => `tool_${index}`);

beforeAll(async () => {
  if (host === undefined) return;
  const require = createRequire(join(host, 'package.json'));
  // The packages that the lockfile of hosts/newest names.
  langchain = require('langchain') as Agents;
  mcpTools = (require('mcp-verbatim/langchain') as { mcpTools: typeof McpTools }).mcpTools;
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

describe('45 typical slips, through createAgent', () => {
  test('there are 45', () => {
    expect(typicalSlips).toHaveLength(45);
  });

  test.each([
    ['off', 0],
    ['integers', 4],
    ['safe', 38],
    ['all', 40],
  ] as const)('%s: %i arrive right at the first try, none arrives wrong, all at the second', async (repairs, right) => {
    const outcomes = await played(repairs);
    expect(outcomes.filter(({ first }) => first === 'wrong')).toEqual([]);
    expect(outcomes.filter(({ second }) => !second)).toEqual([]);
    expect(outcomes.filter(({ first }) => first === 'right').map(({ what }) => what)).toHaveLength(right);
  });
});
