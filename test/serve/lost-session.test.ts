import { expect, test } from 'vitest';
import { approveTools, readCatalogue } from '../../src/internal.js';
import { startHttpServer } from '../../test-support/servers/http.js';
import { closeAfterEach, forgetful } from '../mcp/serving.js';
import { connected, listing, recording } from './as-process.js';
import { answered, asked, called, greeted } from './in-front.js';

closeAfterEach();

test.each([undefined, 200])(
  'The next result and the log say that a server has lost its session, within a limit of %s characters',
  async (maxResultLength) => {
    const text = 'word '.repeat(200);
    const { server, forget } = await forgetful({
      'tools/call': ({ result }) => result({ content: [{ type: 'text', text }], _meta: { a: 1 } }),
    });
    await using gateway = greeted({ url: server.url }, { maxResultLength });
    const results = [];
    for (let calls = 0; calls < 3; calls++) {
      results.push((await answered(gateway, 'tools/call', { name: 'echo', arguments: {} })).result);
      if (calls === 0) forget();
    }
    const texts = results.map(({ content }) => content.map((block) => block.text).join('\n\n'));
    expect(texts.map((each) => each.includes('The server had lost its session'))).toEqual([false, true, false]);
    expect(results[1]).toMatchObject({ _meta: { a: 1 } });
    for (const each of texts) expect(each.length).toBeLessThanOrEqual(maxResultLength ?? Infinity);
    expect(gateway.log.filter((line) => line.includes('lost its session'))).toHaveLength(1);
  },
);

test.each<object>([
  { structuredContent: { a: 1 } },
  { content: { type: 'text', text: 'alone' } },
  { content: null },
  { toolResult: 'of 2024-10-07' },
  {},
])('The next result says that a server has lost its session: %j', async (answer) => {
  const { server, forget } = await forgetful({ 'tools/call': ({ result }) => result(answer) });
  await using gateway = greeted({ url: server.url });
  const call = async () => (await answered(gateway, 'tools/call', { name: 'echo', arguments: {} })).result;
  await call();
  forget();
  const { content, ...others } = await call();
  expect(content.at(-1)?.text).toContain('The server had lost its session');
  expect(others).toEqual(Object.fromEntries(Object.entries(answer).filter(([name]) => name !== 'content')));
  if ('content' in answer && answer.content) expect(content[0]).toEqual(answer.content);
});

test('A server that has lost its session is compared with the approved one before anything more is sent to it', async () => {
  let [session, name] = [1, 'approved'];
  await using server = await startHttpServer(({ message: { method }, headers, introduce, plain, status }) => {
    const id = { 'mcp-session-id': `s${session}` };
    if (method === 'initialize')
      introduce({ serverInfo: { name, version: '1' }, capabilities: { tools: {}, prompts: {} } }, id);
    else if (headers['mcp-session-id'] === id['mcp-session-id']) plain();
    else status(404);
  });
  const { url } = server;
  const list = readCatalogue([{ name: 'echo', inputSchema: { type: 'object' } }]);
  const approved = approveTools({ ...list, serverInfo: { name, version: '1' } }, { url });
  await using gateway = greeted({ url }, { approved });
  expect(await called(gateway, 'echo')).toContain('"result"');
  const forget = (as: string) => {
    [session, name] = [session + 1, as];
    server.seen.length = gateway.log.length = 0;
  };
  forget('another');
  const refused = 'is not the server that was approved. Nothing was sent to it.';
  expect(await asked(gateway, 'prompts/list')).toContain(`server ${refused}`);
  expect(await called(gateway, 'echo')).toContain('has another name than when it was approved');
  const posts = server.seen.filter(({ verb }) => verb === 'POST');
  expect(posts.map(({ message, headers }) => [message.method, headers['mcp-session-id']])).toEqual([
    ['prompts/list', 's1'],
    ['ping', 's1'],
    ['initialize', undefined],
    ['notifications/initialized', 's2'],
    ['tools/list', 's2'],
  ]);
  expect(gateway.log[0]).toBe('server lost its session server=server');
  forget('approved');
  expect(await asked(gateway, 'tools/list')).toContain('"echo"');
  expect(await called(gateway, 'echo')).toContain('"result"');
});

test('The next result says that a program was started again, within the limit', async () => {
  const server = recording(
    `${listing('die', 'read')} 'tools/call': { content: [{ type: 'text', text: 'x'.repeat(5000) }] },`,
    `if (params?.name === 'die') process.exit(3);`,
  );
  const gateway = connected(['--max-result-length', '400', ...server.command]);
  const read = async () => (await gateway.call('read')).result.content.map(({ text }) => text).join('\n\n');
  const again = 'The server was started again.';
  expect(await read()).not.toContain(again);
  expect((await gateway.call('die')).error).toBeDefined();
  const first = await read();
  expect(first).toContain(again);
  expect(first.length).toBeLessThanOrEqual(400);
  expect(await read()).not.toContain(again);
});
