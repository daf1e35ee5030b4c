import { expect, test } from 'vitest';
import { startObserving } from '../../test-support/observed.js';
import { fromHost, host, langchain, own, saying } from './newest.js';
import { chatModels } from './providers.js';
import { serverForAll } from './server.js';
import { findPersons, received, sent, tool } from './tools.js';

/** The chat models of the real packages, and the part of the printed address that each takes. */
const models = [
  ['ChatOpenAI', 'url', 'chat'],
  ['ChatOpenAI, responses', 'url', 'responses'],
  ['ChatAnthropic', 'origin', 'anthropic'],
  ['ChatGoogleGenerativeAI', 'origin', 'gemini'],
  ['ChatOllama', 'origin', 'ollama'],
] as const;

const server = serverForAll([{ definition: findPersons }, tool('delete')]);

const play = ['--play', '--call', 'find_relatives', JSON.stringify(sent), '--json'];

test.skipIf(host === undefined).each(models)(
  '%s makes the call that observe plays and reads the text after its result, also as a stream',
  async (name, address, format) => {
    const observed = await startObserving([...play, '--url', server.url]);
    const tools = await own().mcpTools({ url: server.url }, { providerSafe: false });
    const model = chatModels[name]!(fromHost, observed[address]);
    const agent = langchain().createAgent({ model, tools: [...tools] });
    server.calls.length = 0;
    const { messages } = await agent.invoke(saying('Find them.'));
    expect(messages.at(-1)?.text).toContain('Thank you.');
    const streamed: unknown[] = [];
    for await (const part of await agent.stream(saying('Find them.'), { streamMode: 'messages' })) streamed.push(part);
    expect(JSON.stringify(streamed)).toContain('Thank you.');
    const call = { name: 'find_relatives', arguments: received };
    expect(server.calls).toEqual([call, call]);
    const { stdout } = await observed.stop();
    expect(JSON.parse(stdout)).toMatchObject({
      requests: 4,
      calls: { all: 2, repaired: 2 },
      // The provider's package rewrites schemas for Gemini alone.
      sums: { identical: format === 'gemini' ? 0 : 2 },
    });
  },
);
