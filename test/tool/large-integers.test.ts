import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mcpTools } from '../../src/langchain/index.js';
import { callTool, connect, resultText, type Session } from '../../src/index.js';
import { shortenedAnswer } from '../../src/tool/index.js';
import { shortenedResult } from '../../src/serve/clients/exposed-tool.js';
import { startRawServer, type RawServer } from '../hosts/n8n/raw-server.js';

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

async function called(args: Record<string, unknown> = {}, argumentsText?: string) {
  const [tool] = (await session.listTools()).tools;
  return callTool(session, tool!, args, { argumentsText });
}

const summary = (text: string) => `[{"type":"text","text":${JSON.stringify(text)}}]`;

describe('An integer beyond 2^53 in structured content', () => {
  test.each([
    ['without text blocks', '[]'],
    ['beside a summary', summary('The order is made.')],
    ['beside a text with the same digits', summary(structured)],
    ['beside a text that rounds it', summary('{"id":4611686018427388000,"price":1.1}')],
  ])('reaches the model with every digit, %s', async (_, content) => {
    answering(`{"content":${content},"structuredContent":${structured}}`);
    const { result } = await called();
    expect(resultText(result)).toContain(structured);
    expect(resultText(result).split(id)).toHaveLength(2);
  });

  test('keeps its digits in a LangChain message and its artifact', async () => {
    answering(`{"content":${summary('Made.')},"structuredContent":${structured}}`);
    await using tools = await mcpTools({ url: server.url });
    const message: unknown = await tools[0]!.invoke({ name: 'order', args: {}, id: '1', type: 'tool_call' });
    expect(message).toMatchObject({
      content: `Made.\n\n${structured}`,
      artifact: { structuredContent: expect.any(Object), structuredText: structured },
    });
  });

  test('keeps its digits where a long result is shortened, for models and in serve', () => {
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
});

describe('An argument that may have been rounded', () => {
  const note = 'The argument /order/id is an integer beyond 2^53, which may have been rounded before it came here.';
  const args = JSON.parse(`{"order":{"id":${id}}}`) as Record<string, unknown>;

  test('has one warning, which the model reads as well', async () => {
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

  test('has none if its text came with it, or it is small enough', async () => {
    answering('{"content":[{"type":"text","text":"Done."}]}');
    expect((await called(args, `{"order":{"id":${id}}}`)).warnings).toEqual([]);
    expect((await called({ order: { id: Number.MAX_SAFE_INTEGER, share: 0.1 } })).warnings).toEqual([]);
  });
});
