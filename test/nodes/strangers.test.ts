import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type RawServer, startRawServer } from '../../test-support/servers/raw-server.js';
import { atUrl, callOf, execution, type NodeUnderTest, noticeOf } from './context.js';
import { built } from './packed.js';

const markup = '<img src="https://example.com/p.png"> <a href="https://example.com">sign in again</a>';
const tools = [
  {
    name: 'look',
    description: markup,
    inputSchema: {
      type: 'object',
      properties: { size: { type: 'integer' }, api_key: { type: 'integer' } },
      patternProperties: { '^<img': { type: 'string' } },
    },
  },
];

let server: RawServer;
/** The tool's result if it is not an error. */
let answer: string | undefined;

beforeAll(async () => {
  server = await startRawServer((method, { name }) => {
    if (method === 'tools/list') return { result: JSON.stringify({ tools }) };
    if (method === 'tools/call' && answer !== undefined) return { result: answer };
    const content = [{ type: 'text', text: `${name as string}\n${markup}` }];
    return method === 'tools/call' ? { result: JSON.stringify({ content, isError: true }) } : undefined;
  });
});
afterAll(() => server[Symbol.asyncDispose]());

// n8n's editor shows descriptions, hints and notices as HTML, with links and remote pictures.
describe('the text of a server in a place that the editor shows as HTML', () => {
  test("A server's text has no markup in a warning of the panel", async () => {
    const node = call();
    const text = await noticeOf(
      { ...node, parameters: { ...node.parameters, argumentsMode: 'form' } },
      'getToolNotice',
    );
    expect(text).toBe('Further arguments whose names match ^&lt;img can only be given as JSON.');
  });

  test("A server's text has no markup in the description of the tool's error", async () => {
    const error = await execution(call())
      .output()
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ description: expect.stringMatching(/^[^<]*sign in again[^<]*$/) });
  });

  test("A server's text is unchanged in the item of a node that continues", async () => {
    const [item] = await execution({ ...call(), settings: { onError: 'continueRegularOutput' } }).output();
    expect(JSON.stringify(item?.json)).toContain(JSON.stringify(markup).slice(1, -1));
  });
});

// n8n ends such an execution with success and saves it, but can neither show nor delete it.
describe('JSON of more levels than n8n can read again', () => {
  const deep = `${'['.repeat(20_000)}1${']'.repeat(20_000)}`;
  const answered = async (result: string) => {
    answer = result;
    onTestFinished(() => void (answer = undefined));
    return await execution(call()).output();
  };

  test('JSON of more levels than n8n can read again stays the text that it is', async () => {
    const [item] = await answered(JSON.stringify({ content: [{ type: 'text', text: deep }] }));
    expect(item?.json).toEqual({ text: deep });
  });

  test.each([
    ['structured content of an object', `{"content":[],"structuredContent":{"a":${deep}}}`],
    ['a block', `{"content":[{"type":"text","text":"a","_meta":{"a":${deep}}}]}`],
  ])('JSON of more levels than n8n can read again is refused as %s', async (_what, result) => {
    await expect(answered(result)).rejects.toThrow('more than 500 levels');
  });
});

test('The hint that names repairs does not show the value of an argument that is named like a secret', async () => {
  const run = execution(call({ size: '7', api_key: '12345' }));
  await run.output().catch(() => undefined);
  const hints = run.hints.map(({ message }) => message).join();
  expect(hints).toContain('size: text "7" → 7');
  expect(hints).toContain('api_key: a value that is not shown');
  expect(hints).not.toContain('12345');
});

test('A hint has no markup, whatever a server says', async () => {
  const asked = { content: [], structuredContent: { note: 1, '<img src=x>': 2 } };
  answer = JSON.stringify({ ...asked, content: [{ type: '<b>odd</b>' }] });
  onTestFinished(() => void (answer = undefined));
  const run = execution(call());
  await run.output();
  const hints = run.hints.map(({ message }) => message).join();
  expect(hints).toContain('odd');
  expect(hints).not.toMatch(/<\w/);
});

function call(args: object = {}): NodeUnderTest {
  return { type: built.node('McpVerbatim'), parameters: callOf('look', args), credentials: atUrl(server.url) };
}
