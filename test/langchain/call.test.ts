import { getEventListeners } from 'node:events';
import { ToolMessage } from '@langchain/core/messages';
import { ToolInputParsingException } from '@langchain/core/tools';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { connect, type Session } from '../../src/internal.js';
import { InvalidToolInputException, McpToolError, mcpTools, messageContent } from '../../src/langchain/index.js';
import type { McpToolArtifact, McpToolsOptions } from '../../src/langchain/index.js';
import { until } from '../../test-support/waiting.js';
import { serverForAll } from './server.js';
import { findPersons, tool, toolCall } from './tools.js';

const png = 'iVBORw0KGgo=';
const texts = (...all: string[]) => ({ content: all.map((text) => ({ type: 'text', text })) });

/** The error that a gateway sends on behalf of its server. */
function timedOut(code: number, message: string): (request: string) => Response {
  return (request) => {
    const { id } = JSON.parse(request) as { id: number };
    return Response.json({ jsonrpc: '2.0', id, error: { code, message } });
  };
}

/** Answers calls itself; everything else goes to the real network. */
function answering(answer: (request: string) => Response | Promise<Response>): typeof fetch {
  return (url, init) =>
    typeof init?.body === 'string' && init.body.includes('tools/call')
      ? Promise.resolve(answer(init.body))
      : fetch(url, init);
}

/** Makes the tool `late` answer the latest call. */
let answerNow = () => {};

const definitions = [
  { definition: findPersons },
  tool('failing', {}, () => ({ ...texts('No such table: persons.\nTry "people".'), isError: true })),
  tool('picture', {}, () => ({
    content: [
      { type: 'text', text: 'here' },
      { type: 'image', data: png, mimeType: 'image/png' },
      { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'file:///a.pdf', mimeType: 'application/pdf', blob: 'JVBERi0=' } },
      { type: 'resource_link', uri: 'file:///b.txt', name: 'b' },
    ],
  })),
  tool('texts', {}, () => texts('one', 'two')),
  tool('working', {}, async (_args, { progress }) => {
    for (const step of [1, 2, 3]) await progress({ progress: step, total: 3, message: `step ${step}` });
    return texts('done');
  }),
  tool(
    'endless',
    {},
    (_args, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
  ),
  tool('late', {}, async () => {
    await new Promise<void>((resolve) => (answerNow = resolve));
    return texts('done');
  }),
];

const server = serverForAll(definitions);
const opened: Session[] = [];
afterAll(async () => {
  for (const session of opened) await session.close();
});

async function open(name: string, options?: McpToolsOptions) {
  // A separate session, so that a test's short timeout counts for the call and not for connecting.
  const session = await connect({ url: server.url });
  opened.push(session);
  const tools = await mcpTools(session, options);
  const found = tools.find((candidate) => candidate.name === name);
  if (!found) throw new Error(`No tool ${name}`);
  return found;
}

async function message(
  name: string,
  args: Record<string, unknown> = {},
  options?: McpToolsOptions,
): Promise<{ status?: string; content: unknown; tool_call_id: string; artifact: McpToolArtifact }> {
  const output: unknown = await (await open(name, options)).invoke(toolCall(name, args));
  if (!ToolMessage.isInstance(output)) throw new Error('Not a tool message.');
  return output as typeof output & { artifact: McpToolArtifact }; // LangChain's type for artifacts is any
}

test.each([{}, { providerSafe: false }])(
  'A package that writes into a schema gets a copy, so the next reader sees no change: %j',
  async (options) => {
    const named = await open('find_relatives', { ...options, provider: 'cohere' });
    const unnamed = await open('find_relatives', options);
    for (const read of [() => named, () => unnamed.sentTo('cohere')]) {
      const before = JSON.stringify(read().schema);
      read().schema['properties'] = 'scribbled over';
      expect(JSON.stringify(read().schema)).toBe(before);
    }
  },
);

describe('a tool call', () => {
  test("A call throws LangChain's own exception with the violations when asked to", async () => {
    const found = await open('find_relatives', { onInvalidArguments: 'throw' });
    const refused = found.invoke(toolCall('find_relatives', { limit: 'abc' }));
    for (const kind of [ToolInputParsingException, InvalidToolInputException])
      await expect(refused).rejects.toBeInstanceOf(kind);
    const violations = expect.arrayContaining([expect.objectContaining({ keyword: 'required' })]) as unknown;
    await expect(refused).rejects.toMatchObject({ violations });
  });
});

describe('content', () => {
  test('Content keeps every block: images as image_url, and unknown blocks as text', async () => {
    const { content } = await message('picture');
    expect(content).toEqual([
      { type: 'text', text: 'here' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
      { type: 'text', text: expect.stringContaining('audio/wav') as string },
      { type: 'audio', mimeType: 'audio/wav', data: 'UklGRg==' },
      { type: 'text', text: expect.stringContaining('file:///a.pdf') as string },
      { type: 'file', mimeType: 'application/pdf', data: 'JVBERi0=' },
      { type: 'text', text: expect.stringContaining('file:///b.txt') as string },
    ]);
  });

  test('Content blocks share the maximum length, and declined questions are named, even between images', () => {
    const text = (length: number) => ({ type: 'text', text: 'x'.repeat(length) });
    const image = { type: 'image', data: png, mimeType: 'image/png' };
    const told = (length: number) =>
      messageContent({ content: [text(length), image, text(50)], isError: false, raw: {} }, 'blocks', 200);
    const picture = { type: 'image_url' };
    expect(told(100)).toMatchObject([text(100), picture, text(50)]);
    expect(told(300)).toMatchObject([{ text: expect.stringContaining('characters are missing') }, picture, text(50)]);
    const structuredContent = { title: 'A cat', links: 3 };
    const asked = [{ mode: 'form' as const, message: 'Which one?', action: 'decline' as const, repairs: [] }];
    expect(messageContent({ content: [image], structuredContent, isError: false, raw: {}, asked })).toMatchObject([
      picture,
      { text: JSON.stringify(structuredContent) },
      { text: expect.stringContaining('"Which one?"') },
    ]);
  });

  const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } };
  const file = { uri: 'file:///a.png', mimeType: 'image/png', blob: png };
  const block = { type: 'image', data: png };
  const bytes = { uri: 'a:b', blob: 'AA==' };
  const ours = (part: string) => ({ type: 'text', text: expect.stringContaining(part) as string });
  const text: unknown = expect.any(String);
  test.each<[what: string, content: Record<string, unknown>[], expected: unknown]>([
    ['an image without data in words', [{ type: 'image', mimeType: 'image/png' }], text],
    ['a resource that is null as text', [{ type: 'resource', resource: null }], text],
    ['bytes in a block of another kind as text', [{ type: 'other', resource: { blob: 'AA==' } }], text],
    ['a resource with text as text', [{ type: 'resource', resource: { uri: 'a:b', text: 'x' } }], text],
    ['a kind of block that nobody knows yet as its JSON', [block, { type: 'new', of: 3 }], [image, ours('"of":3')]],
    ['nothing of a text without text that stands beside bytes', [{ type: 'text', text: '' }, block], [image]],
    ['an image by its type alone', [{ ...block, mimeType: 'image/png;x=,y' }], [image]],
    ['an image whose data are a data URI as one', [{ ...block, data: image.image_url.url }], [image]],
    ['the source of an image', [{ type: 'resource', resource: file }], [ours('file:///a.png'), image]],
    [
      'a sound without a type as the most usual one',
      [{ type: 'audio', data: 'AA==' }],
      [expect.anything(), { type: 'audio', mimeType: 'audio/wav', data: 'AA==' }],
    ],
    [
      'a file without a type as bytes',
      [{ type: 'resource', resource: bytes }],
      [expect.anything(), { type: 'file', mimeType: 'application/octet-stream', data: 'AA==' }],
    ],
  ])('Content shows %s', (_what, content, expected) => {
    expect(messageContent({ content: content as never, isError: false, raw: { content } })).toEqual(expected);
  });

  test.each([{ media: 'text' as const }, { provider: 'cohere' as const }, { model: 'cohere:command-a-03-2025' }])(
    'Content is text about the images if the model cannot see any: %j',
    async (options) => {
      const { content } = await message('picture', {}, options);
      expect(content).toEqual(expect.stringContaining('image/png'));
    },
  );
});

test('A call with plain arguments returns the content, or on request the message about invalid arguments', async () => {
  await expect((await open('texts')).invoke({})).resolves.toBe('one\n\ntwo');
  const found = await open('find_relatives', { onInvalidArguments: 'message' });
  await expect(found.invoke({})).resolves.toContain('queries');
});

test.each([
  ['invalid arguments', 'find_relatives', { limit: 'abc' }, InvalidToolInputException],
  ["the tool's own error", 'failing', {}, McpToolError],
])('A call with plain arguments throws on %s, since it has no status', async (_case, name, args, expected) => {
  await expect((await open(name)).invoke(args)).rejects.toBeInstanceOf(expected);
});

describe('a call that gets no answer', () => {
  test('A timed-out call is reported to the model, and its advice for developers only to the program', async () => {
    const { status, content, artifact } = await message('endless', {}, { idleTimeoutMs: 100 });
    expect(status).toBe('error');
    expect(content).toMatch(/100.*Whether the server has carried out the request is unknown/);
    expect(content).not.toContain('Raise the timeout');
    const hint = expect.stringContaining('Raise the timeout') as string;
    expect(artifact.error).toMatchObject({ code: 'TIMEOUT', hint });
  });

  test('A call without an answer throws when the run is cancelled, whatever the options say', async () => {
    const found = await open('endless', { onFailure: 'message' });
    const abort = new AbortController();
    const running = found.invoke(toolCall('endless', {}), { signal: abort.signal });
    await expect.poll(() => server.calls.at(-1)?.name).toBe('endless');
    abort.abort();
    await expect(running).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  test("LangChain's own config can give a call more time than the default", async () => {
    const found = await open('late', { idleTimeoutMs: 300 });
    await expect(found.invoke(toolCall('late', {}))).resolves.toMatchObject({ status: 'error' });
    server.calls.length = 0;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const running = found.invoke(toolCall('late', {}), { timeout: 60_000 });
    await until(() => server.calls.length === 1);
    vi.advanceTimersByTime(600);
    answerNow();
    await expect(running).resolves.toMatchObject({ content: 'done' });
  });

  describe('because its session was lost and the server does not come back', () => {
    const lost = async () => {
      let away = false;
      const fetches: typeof fetch = (url, init) => (away ? new Promise(() => {}) : fetch(url, init));
      const tools = await mcpTools({ url: server.url, fetch: fetches }, { include: ['texts'] });
      await (await tools.session()).close();
      away = true;
      return tools[0]!;
    };

    test("A call that waits for a lost server throws a timeout when the time of LangChain's own config is over", async () => {
      const running = (await lost()).invoke(toolCall('texts', {}), { timeout: 100 });
      await expect(running).rejects.toMatchObject({ code: 'TIMEOUT', idleTimeoutMs: 100, outcomeUnknown: false });
    });

    test('A call that waits for a lost server throws when the run is cancelled', async () => {
      const abort = new AbortController();
      const running = (await lost()).invoke(toolCall('texts', {}), { timeout: 60_000, signal: abort.signal });
      abort.abort();
      await expect(running).rejects.toMatchObject({ code: 'CANCELLED' });
    });
  });

  test.each<[string, (request: string) => Response | Promise<Response>]>([
    ['HTTP 408, which proxies also say of the server behind them', () => new Response('slow', { status: 408 })],
    [
      'the MCP SDK\'s "Request timed out", with the code of a gateway',
      timedOut(-32000, 'MCP error -32001: Request timed out'),
    ],
    ["the Python SDK's", timedOut(408, 'Timed out while waiting for response to ClientRequest. Waited 5.0 seconds.')],
  ])(
    'After %s, the model reads that the call may have been carried out, without advice for developers',
    async (_case, answer) => {
      await using tools = await mcpTools({ url: server.url, fetch: answering(answer) }, { include: ['texts'] });
      const said: unknown = await tools[0]?.invoke(toolCall('texts', {}));
      const unknown = /\. Whether the server has carried out the request is unknown\.$/;
      const content = expect.stringMatching(unknown) as string;
      expect(said).toMatchObject({ status: 'error', content, artifact: { error: { outcomeUnknown: true } } });
    },
  );

  test('A call whose arguments the server rejects is not said to have an unknown outcome, even if the error mentions a timeout', async () => {
    const refuse = timedOut(-32602, 'Invalid params: timeout must be an integer');
    await using tools = await mcpTools({ url: server.url, fetch: answering(refuse) }, { include: ['texts'] });
    const said: unknown = await tools[0]?.invoke(toolCall('texts', {}));
    expect(said).toMatchObject({ artifact: { error: { outcomeUnknown: false } } });
  });
});

test('A call leaves no listener at the signal of its run', async () => {
  const { signal } = new AbortController();
  const found = await open('texts');
  await expect(found.invoke({}, { signal, timeout: 60_000 })).resolves.toBe('one\n\ntwo');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('The option onProgress gets the progress together with its call', async () => {
  const heard: unknown[] = [];
  await message('working', {}, { onProgress: ({ progress }, call) => heard.push([progress, call]) });
  const call = { server: 'test', tool: 'working', toolCallId: 'call_1' };
  expect(heard).toEqual([1, 2, 3].map((progress) => [progress, call]));
});
