import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { callsIn, formatOf, sentTools, toolsText, type FormatName } from '../../src/observe/formats.js';
import { played } from '../../src/observe/play.js';

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

const schema = '{ "type": "object", "maximum": 9007199254740993 }';

describe('the tools in a request', () => {
  test.each<[FormatName, string]>([
    [
      'chat',
      `[{"type":"function","function":{"name":"a","description":"x","parameters":${schema}}},{"type":"custom","custom":{"name":"b"}}]`,
    ],
    [
      'responses',
      `[{"type":"function","name":"a","description":"x","parameters":${schema}},{"type":"web_search"},{"type":"mcp","name":"b"}]`,
    ],
    [
      'anthropic',
      `[{"name":"a","description":"x","input_schema":${schema}},{"type":"web_search_20250305","name":"web_search"}]`,
    ],
    [
      'gemini',
      `[{"functionDeclarations":[{"name":"a","description":"x","parameters":${schema}}]},{"googleSearch":{}}]`,
    ],
    ['gemini', `[{"functionDeclarations":[{"name":"a","description":"x","parametersJsonSchema":${schema}}]}]`],
    ['gemini', `[{"function_declarations":[{"name":"a","description":"x","parameters_json_schema":${schema}}]}]`],
    ['ollama', `[{"type":"function","function":{"name":"a","description":"x","parameters":${schema}}}]`],
  ])('The tools in a request of %s are read to the character: %s', (name, tools) => {
    const body = `{"model":"m","tools": ${tools},"messages":[{"content":"\\"tools\\":[]"}]}`;
    expect(toolsText(body)).toBe(tools);
    expect(sentTools(tools, format(name))).toEqual([{ name: 'a', description: 'x', schema }]);
  });

  test('A function without a schema has no schema', () => {
    expect(sentTools('[{"type":"function","function":{"name":"a"}}]', format('chat'))).toEqual([
      { name: 'a', description: '', schema: undefined },
    ]);
  });

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

  const lines = (...messages: object[]) => messages.map((message) => `data: ${JSON.stringify(message)}\n\n`).join('');
  const delta = (...calls: object[]) => ({ choices: [{ index: 0, delta: { tool_calls: calls } }] });

  test('Two calls with interleaved pieces are read', () => {
    const answer = lines(
      delta({ index: 0, id: 'a', function: { name: 'one', arguments: '' } }),
      delta({ index: 1, id: 'b', function: { name: 'two', arguments: '{"x"' } }),
      delta({ index: 0, function: { arguments: '{}' } }, { index: 1, function: { arguments: ':1}' } }),
    );
    expect(callsIn(answer, format('chat'))).toEqual([
      { name: 'one', arguments: '{}' },
      { name: 'two', arguments: '{"x":1}' },
    ]);
  });

  test('Calls with the same index and different ids are separate', () => {
    const answer = lines(
      delta({ index: 0, id: 'a', function: { name: 'one', arguments: '{}' } }),
      delta({ index: 0, id: 'b', function: { name: 'two', arguments: '{}' } }),
    );
    expect(callsIn(answer, format('chat')).map(({ name }) => name)).toEqual(['one', 'two']);
  });

  test('Arguments of Gemini that come one by one are no call yet, and calls without an index have their position', () => {
    const parts = [
      { functionCall: { name: 'a', willContinue: true } },
      { functionCall: { name: 'b', args: { n: 1 } } },
    ];
    const answer = JSON.stringify({ candidates: [{ content: { parts } }] });
    expect(callsIn(answer, format('gemini'))).toEqual([{ name: 'b', arguments: { n: 1 } }]);
  });

  test("Anthropic's tool blocks are read among others in pieces, except those of its own tools", () => {
    const answer = lines(
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      {
        type: 'content_block_start',
        index: 1,
        content_block: { type: 'server_tool_use', name: 'web_search', input: {} },
      },
      { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"query":1}' } },
      { type: 'content_block_start', index: 2, content_block: { type: 'tool_use', name: 'search', input: {} } },
      { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"a"' } },
      { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: ':1}' } },
    );
    expect(callsIn(answer, format('anthropic'))).toEqual([{ name: 'search', arguments: '{"a":1}' }]);
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
