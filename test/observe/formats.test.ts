import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { catalogueOf } from '../../src/mcp/catalogue/catalogue.js';
import { callsIn, formatOf, sentTools, toolsText, type FormatName } from '../../src/observe/formats.js';
import { Observation, observe, type ObservedRequest } from '../../src/observe/index.js';
import { played } from '../../src/observe/play.js';
import { times } from '../../test-support/schemas/short.js';

const routes: Record<FormatName, string> = {
  chat: '/openai/deployments/gpt/chat/completions',
  responses: '/v1/responses',
  anthropic: '/v1/messages',
  gemini: '/v1beta/models/gemini-2.5-pro:streamGenerateContent',
  ollama: '/api/chat',
};

function format(name: FormatName) {
  const found = formatOf(routes[name]);
  if (found?.name !== name) throw new Error(`${routes[name]} is no route of ${name}`);
  return found;
}

test.each(['/v1/models', '/v1/embeddings', '/v1/messages/count_tokens', '/v1/completions', '/api/generate'])(
  'The path %s belongs to no format',
  (path) => {
    expect(formatOf(path)).toBeUndefined();
  },
);

interface Recorded {
  about: string;
  path: string;
  /** The list in a request, as it is written. */
  tools?: string;
  answer?: string | string[];
  expected: object;
}

/** Lists of tools and answers of each provider, and what is read of them. */
const recorded = JSON.parse(readFileSync(new URL('./formats.json', import.meta.url), 'utf8')) as Recorded[];

test.each(recorded)('Tools and calls are read to the character: $path, $about', ({ path, expected, ...given }) => {
  const { tools, answer = [] } = given;
  const found = formatOf(path);
  if (!found) throw new Error(`${path} is no route`);
  const body = `{"model":"m","tools": ${tools ?? '[]'},"messages":[{"content":"\\"tools\\":[]"}]}`;
  const list = toolsText(body);
  const calls = callsIn([answer].flat().join('\n'), found);
  expect(list).toBe(tools ?? '[]');
  expect({ format: found.name, sent: sentTools(list ?? '', found), calls }).toEqual(expected);
});

describe('the tools in a request', () => {
  test.each(['{}', '{"tools":null}', '{"tools":{"a":1}}', '{"tools":[1,null,"x",[]]}', '[]', '1'])(
    'The request %s has no tools',
    (body) => {
      expect(sentTools(toolsText(body) ?? '[]', format('chat'))).toEqual([]);
    },
  );
});

const call = { name: 'search', arguments: '{"limit":"5"}' };
const names: FormatName[] = ['chat', 'responses', 'anthropic', 'gemini', 'ollama'];

/** Requests, and the answers with a call and with text, as their reviewers read them. */
const cases = JSON.parse(readFileSync(new URL('./played.json', import.meta.url), 'utf8')) as {
  format: FormatName;
  url: string;
  stream?: boolean;
  answers: object[];
}[];

describe('the calls in an answer', () => {
  // Each provider's own package accepted these answers in test/langchain/observe.test.ts.
  test.each(cases)('What is played is as reviewed, and its call is read: $format $url $stream', (about) => {
    const ids = new Map<string, number>(); // each answer has another
    const answers = [call, { text: 'Hi.' }, call].map((reply) => {
      const { type, text } = played(about.format, reply, { stream: about.stream }, about.url);
      const calls = callsIn(text, format(about.format));
      const known = text.replaceAll(/played_\d+/g, (id) => `ID_${ids.set(id, ids.get(id) ?? ids.size).get(id)}`);
      return { type, calls, text: known.split('\n') };
    });
    expect(answers.slice(0, 2)).toEqual(about.answers);
    expect(ids.size).toBe(about.format === 'gemini' || about.format === 'ollama' ? 0 : 3);
  });

  test.each([
    '',
    'Bad Gateway',
    '<html>',
    '{"error":{"message":"x"}}',
    'data: [DONE]\n\n',
    '[[[[',
    '{"choices":[null,1]}',
  ])('The answer %j has no calls', (answer) => {
    for (const name of names) expect(callsIn(answer, format(name))).toEqual([]);
  });
});

test('An observation reads schemas to the digit, and remembers so many lists and calls', async () => {
  const inputSchema = '{"properties":{"n":{"maximum":9007199254740993}}}';
  const text = `{"result":{"tools":[{"name":"a","inputSchema":${inputSchema}}]}}`;
  const { result } = JSON.parse(text) as { result: { tools: unknown[] } };
  const { tools } = catalogueOf([{ entries: result.tools, wire: { text } }]);
  const requests: ObservedRequest[] = [];
  const observation = new Observation([{ tool: tools[0]! }], {
    request: (each) => requests.push(each),
    call: () => {},
  });
  const request = (number: number, schema = inputSchema) =>
    observation.noteRequest(`[{"name":"a","input_schema":${schema}},{"name":"b${number}"}]`, format('anthropic'));
  const names = await request(0);
  expect([observation.tools[0]?.schema, observation.tools[0]?.fate]).toEqual([inputSchema, 'identical']);
  for (let number = 1; number <= 200; number++) await request(number);
  await request(200);
  await request(0);
  expect([requests.length, observation.counts.requests]).toEqual([202, 203]);
  await request(0, inputSchema.replace('93}', '92}'));
  const change = '/inputSchema/properties/n/maximum was {"number":"9007199254740993"} and is 9007199254740992';
  expect(requests.at(-1)).toMatchObject({ others: ['b0'], tools: [{ fate: 'meaning', changes: [change] }] });
  const calls = times(1_200, (n) => ({ name: 'a', arguments: { n } }));
  for (const some of [calls, calls.slice(0, 300)]) await observation.noteAnswer(some, names);
  expect([observation.calls.length, observation.counts.calls]).toEqual([1_000, 1_300]);
});

test('observe ends if it was interrupted before it listens, and while a provider is silent', async () => {
  const silent = createServer(() => interruption.abort());
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const upstream = new URL(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`);
  const interruption = new AbortController();
  const options = { upstream, call: undefined, note: () => {}, port: 0 };
  const failed = new Promise((resolve) => {
    const onListening = (origin: string) => void fetch(`${origin}/v1/models`).catch(resolve);
    void observe(new Observation([]), { ...options, signal: interruption.signal, onListening }).then(() =>
      silent.close(),
    );
  });
  await once(silent, 'close');
  await failed;
  await observe(new Observation([]), { ...options, signal: AbortSignal.abort(), onListening: () => {} });
});
