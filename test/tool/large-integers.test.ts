import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mcpTools } from '../../src/langchain/index.js';
import { callTool, connect, resultText, type Session } from '../../src/index.js';
import { shortenedAnswer, shortenedResult } from '../../src/tool/index.js';
import { startRawServer, type RawServer } from '../../test-support/servers/raw-server.js';

const id = '4611686018427387905';
const structured = `{"id":${id},"price":1.10}`;

let server: RawServer;
let session: Session;
beforeAll(async () => {
  server = await startRawServer();
  session = await connect({ url: server.url });
});
afterAll(async () => {
  await session.close();
  await server[Symbol.asyncDispose]();
});

function answering(result: string): void {
  const tools = [{ name: 'order', inputSchema: { type: 'object' } }];
  server.play((method) => {
    if (method === 'tools/list') return { result: JSON.stringify({ tools }) };
    return method === 'tools/call' ? { result } : undefined;
  });
}

const secret = 'k-93ba75c1d2';

async function called(args: Record<string, unknown> = {}, argumentsText?: string) {
  const [tool] = (await session.listTools()).tools;
  return callTool(session, tool!, args, { argumentsText });
}

const summary = (text: string) => `[{"type":"text","text":${JSON.stringify(text)}}]`;

test.each([
  ['without text blocks', '[]'],
  ['beside a summary', summary('The order is made.')],
  ['beside a text with the same digits', summary(structured)],
  ['beside a text that rounds it', summary('{"id":4611686018427388000,"price":1.1}')],
])('A large integer in structured content reaches the model with every digit, %s', async (_, content) => {
  answering(`{"content":${content},"structuredContent":${structured}}`);
  const { result } = await called();
  expect(resultText(result)).toContain(structured);
  expect(resultText(result).split(id)).toHaveLength(2);
});

test('A large integer keeps its digits in a LangChain message and its artifact', async () => {
  answering(`{"content":${summary('Made.')},"structuredContent":${structured}}`);
  await using tools = await mcpTools({ url: server.url });
  const message: unknown = await tools[0]!.invoke({ name: 'order', args: {}, id: '1', type: 'tool_call' });
  expect(message).toMatchObject({
    content: `Made.\n\n${structured}`,
    artifact: { structuredContent: expect.any(Object), structuredText: structured },
  });
});

test('A large integer keeps its digits in content of an unknown type, also if a text beside it is shortened', async () => {
  for (const odd of [`{"type":"new","of":${id}}`, `{"type":"resource","resource":{"uri":"a:b","of":${id}}}`]) {
    answering(`{"content":[${odd}]}`);
    const { type } = JSON.parse(odd) as { type: string };
    expect(resultText((await called()).result)).toBe(`[content of type "${type}": ${odd}]`);
  }
  const block = `{"type":"new","of":${id}}`;
  answering(`{"content":[${block}]}`);
  await using tools = await mcpTools({ url: server.url });
  expect(await tools[0]!.invoke({})).toBe(`[content of type "new": ${block}]`);
  const resource = `{"type":"resource","resource":{"uri":"a:b","text":${JSON.stringify('row '.repeat(500))}},"_meta":${structured}}`;
  const short = shortenedResult(`{"content":[${block},${resource}],"_meta":${structured}}`, 400);
  expect(short).toContain(`[${block},{"type":"resource","resource":{"uri":"a:b","text":"row `);
  expect(short.split(structured)).toHaveLength(3);
});

test('A large integer keeps its digits in a shortened result, for models and in serve', () => {
  const rows = Array.from({ length: 50 }, (_, at) => `{"id":461168601842738790${at % 10},"name":"row ${at}"}`);
  const long = `{"rows":[${rows.join(',')}]}`;
  const short = shortenedAnswer(long, 600);
  expect(short).toMatch(/^\{"shortened":.*"answer":\{"rows":\[\{"id":4611686018427387900,"name":"row 0"\},/);
  expect(short.match(/"id":\d+/g)?.every((each) => rows.some((row) => row.includes(`${each},`)))).toBe(true);
  const served = JSON.parse(shortenedResult(`{"content":[],"structuredContent":${long}}`, 600)) as {
    content: { text: string }[];
  };
  expect(served.content[0]?.text).toContain('"id":4611686018427387901');
  expect(served.content[0]?.text).not.toContain('388000');
});

describe('a failure with a hidden secret', () => {
  const words = `[{"type":"text","text":"${secret} is wrong for ${id}"},{"type":"new","of":[${id},{"${secret}":1.10}]}]`;
  const result = `{"isError":true, "content":${words},"structuredContent":{"key":"${secret}","id":${id}, "p":1.10}}`;

  test('A failure with a hidden secret keeps every other character', async () => {
    answering(result);
    const { result: shown } = await called({ api_key: secret });
    expect(shown.rawText).toBe(result.replaceAll(secret, '[hidden]'));
    expect(shown.structuredText).toBe(`{"key":"[hidden]","id":${id}, "p":1.10}`);
    expect(resultText(shown)).toContain(`[content of type "new": {"type":"new","of":[${id},{"[hidden]":1.10}]}]`);
    expect(shown.raw).toEqual(JSON.parse(result));
  });

  test('A failure hides a secret number both as it was given and as JavaScript rounds it', async () => {
    answering(
      `{"isError":true,"content":[],"structuredContent":{"a":${id},"b":4611686018427388000,"c":1234567,"d":12345678}}`,
    );
    const args = { api_key: 1234567, secret: JSON.parse(id) as number };
    const { result: shown } = await called(args, `{"api_key":1234567,"secret":${id}}`);
    expect(shown.structuredText).toBe('{"a":"[hidden]","b":"[hidden]","c":"[hidden]","d":12345678}');
  });

  test('A failure with a hidden secret reaches a model of LangChain and a client of serve in the same words', async () => {
    answering(result);
    await using tools = await mcpTools({ url: server.url });
    const message = (await tools[0]!.invoke({
      name: 'order',
      args: { api_key: secret },
      id: '1',
      type: 'tool_call',
    })) as {
      content: string;
    };
    expect(message.content).toContain(`{"key":"[hidden]","id":${id}, "p":1.10}`);
    expect(message.content).not.toContain(secret);
  });
});

test('Text with millions of escapes and a large number can be read', async () => {
  const text = '\n'.repeat(6_000_000);
  answering(`{"content":[{"type":"text","text":"x"}],"structuredContent":{"id":${id},"text":${JSON.stringify(text)}}}`);
  const { result } = await called();
  expect(resultText(result)).toContain(id);
  expect(resultText(result, 2000)).toContain(id);
}, 60_000);

describe('An argument that may have been rounded', () => {
  const note = 'The argument /order/id is an integer beyond 2^53, which may have been rounded before it came here.';
  const args = JSON.parse(`{"order":{"id":${id}}}`) as Record<string, unknown>;

  test('An argument that may have been rounded has one warning, which the model reads as well', async () => {
    answering('{"content":[{"type":"text","text":"Done."}]}');
    const { result, warnings } = await called(args);
    expect(warnings).toEqual([{ code: 'argument-rounded', message: note }]);
    expect(resultText(result)).toBe(`Done.\n\n${note}`);
    await using tools = await mcpTools({ url: server.url });
    const message = (await tools[0]!.invoke({ name: 'order', args, id: '1', type: 'tool_call' })) as {
      content: string;
    };
    expect(message.content).toBe(`Done.\n\n${note}`);
  });

  test('An argument has no warning of rounding if its text is known, or if it is small enough', async () => {
    answering('{"content":[{"type":"text","text":"Done."}]}');
    expect((await called(args, `{"order":{"id":${id}}}`)).warnings).toEqual([]);
    expect((await called({ order: { id: Number.MAX_SAFE_INTEGER, share: 0.1 } })).warnings).toEqual([]);
  });
});
