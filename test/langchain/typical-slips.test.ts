import { expect, test } from 'vitest';
import { canonicalText } from '../../src/json/index.js';
import { startModel } from '../../test-support/model/model.js';
import { call, type Script } from '../../test-support/model/script.js';
import { typicalSlips } from '../../test-support/schemas/typical-slips.js';
import { fromHost, host, langchain, own, saying } from './newest.js';
import { serverForAll } from './server.js';

const names = typicalSlips.map((_, index) => `tool_${index}`);

const server = serverForAll(
  typicalSlips.map(({ schema }, index) => ({
    definition: { name: names[index], description: 'A tool.', inputSchema: schema },
  })),
);

/**
 * Lets a model make every slip, and send the intended arguments after a refusal; returns the server's first and last
 * arguments.
 */
async function played(repairs: 'off' | 'integers' | 'safe' | 'all') {
  await using tools = await own().mcpTools({ url: server.url }, { repairs });
  server.calls.length = 0;
  const calls = (args: 'sent' | 'meant') =>
    typicalSlips.map((slip, index) => ({ name: names[index], args: slip[args], id: `${args} ${index}` }));
  // Nine calls in a turn: Node warns beyond ten listeners of a signal.
  const turns = [0, 9, 18, 27, 36].flatMap((from) => [
    calls('sent').slice(from, from + 9),
    calls('meant').slice(from, from + 9),
  ]);
  const { createAgent, FakeToolCallingModel } = langchain();
  const model = new FakeToolCallingModel({ toolCalls: [...turns, []] });
  await createAgent({ model, tools }).invoke(saying('Go on.'));
  return typicalSlips.map(({ what, meant }, index) => {
    const own = server.calls.filter(({ name }) => name === names[index]);
    const received = own.map(({ arguments: args }) => canonicalText(args));
    const right = canonicalText(meant);
    const first = received.length < 2 ? 'refused' : received[0] === right ? 'right' : 'wrong';
    return { what, first, second: received.at(-1) === right };
  });
}

test.skipIf(host === undefined).each([
  ['off', 0],
  ['integers', 4],
  ['safe', 31],
  ['all', 39],
] as const)(
  'With repairs %s, %i of 45 malformed calls arrive correctly at the first try, the others at the second, and none arrives wrong',
  async (repairs, right) => {
    const outcomes = await played(repairs);
    expect(outcomes).toHaveLength(45);
    expect(outcomes.filter(({ first }) => first === 'wrong')).toEqual([]);
    expect(outcomes.filter(({ second }) => !second)).toEqual([]);
    expect(outcomes.filter(({ first }) => first === 'right').map(({ what }) => what)).toHaveLength(right);
  },
);

/** The arguments that the server received, and the model's requests, if its first calls have exactly these texts. */
async function playedText(...texts: string[]) {
  const name = names[typicalSlips.findIndex(({ what }) => what === 'camelCase for snake_case')]!;
  let turns = 0;
  const next: Script = (request) => call(name, texts[turns++]!)(request);
  const model = await startModel((request) => (turns < texts.length ? next(request) : { text: 'Done.' }));
  const { ChatOpenAI } = fromHost('@langchain/openai') as { ChatOpenAI: new (fields: object) => object };
  await using tools = await own().mcpTools({ url: server.url }, { repairs: 'safe' });
  server.calls.length = 0;
  const { createAgent, createMiddleware } = langchain();
  await createAgent({
    model: new ChatOpenAI({ model: 'm', apiKey: 'x', useResponsesApi: false, configuration: { baseURL: model.url } }),
    tools,
    middleware: [createMiddleware(own().repairToolCalls())],
  }).invoke(saying('Go on.'));
  await model.stop();
  const asked = model.requests.map(({ json }) => json.messages.at(-1));
  return { asked, received: server.calls.map(({ arguments: args }) => args) };
}

test.skipIf(host === undefined)(
  'Arguments that are cut short are reported to the model, which calls again',
  async () => {
    const { asked, received } = await playedText('{"max_results": ', '{"max_results": 5}');
    expect(received).toEqual([{ max_results: 5 }]);
    expect(asked[1]).toMatchObject({
      role: 'tool',
      content: expect.stringContaining('The arguments are not a JSON object'),
    });
  },
);
