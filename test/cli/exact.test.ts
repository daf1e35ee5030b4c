import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type HttpServer, startHttpServer } from '../../test-support/servers/http.js';
import { temporaryFolder } from '../mcp/temporary-folder.js';
import { cli } from './run.js';

/** Written by hand, unlike any output of JSON.stringify: spaces, escapes, numbers that JavaScript cannot hold. */
const schema =
  '{"type":"object", "properties":{"2":{"type":"integer"},"1":{"type":"integer","maximum":12345678901234567890},"n":{"type":"integer","default":1.0}}}';
const definition = `{"name":"exact","description":"\\u0041 tool","inputSchema":${schema}}`;
const result = '{"content":[{"type":"text","text":"ok"}],"structuredContent":{"id":98765432109876543210,"big":1e400}}';

let server: HttpServer;
const received: string[] = [];

beforeAll(async () => {
  server = await startHttpServer(({ message: { id, method }, path, text, response, plain }) => {
    if (method === 'tools/call') received.push(text);
    const written = path === '/lines' ? definition.replaceAll(',"', ',\r\n"') : definition;
    const list = `{"tools":[${written}]${path === '/endless' ? ',"nextCursor":"again"' : ''}}`;
    const answer = { 'tools/list': list, 'tools/call': result }[method];
    if (answer === undefined) plain();
    else response.setHeader('content-type', 'application/json').end(`{"jsonrpc":"2.0","id":${id},"result":${answer}}`);
  });
});
afterAll(() => server.close());

const run = (...argv: string[]) => cli([...argv, '--url', server.url]);

test.each([
  [['list', '--schema', 'exact'], schema],
  [['list', '--json'], `[${definition}]`],
  [['show', 'exact', '--json'], definition],
  [['call', 'exact', '{}', '--json'], result],
])("The command %j prints the server's texts to the character", async (argv, expected) => {
  expect((await run(...argv)).stdout).toBe(`${expected}\n`);
});

test("A server's text is indented on a terminal, with numbers and the order of names as they are", async () => {
  const argv = ['list', '--schema', 'exact', '--url', server.url];
  const { stdout } = await cli(argv, { columns: 80, env: { NO_COLOR: '1' } });
  const inOrder = /^{\n {2}"type": "object",\n {2}"properties": {\n {4}"2": [^]*"maximum": 12345678901234567890/;
  expect(stdout).toMatch(inOrder);
  expect(stdout).toContain('"default": 1.0');
  expect(JSON.parse(stdout)).toEqual(JSON.parse(schema));
});

test('Structured content that is shown to people is printed to the character', async () => {
  const { stdout } = await run('call', 'exact', '{}');
  expect(stdout).toMatch(/"id": 98765432109876543210,\s+"big": 1e400/);
});

describe('arguments', () => {
  test('Arguments are sent as they are written', async () => {
    received.length = 0;
    await run('call', 'exact', '{"n": 12345678901234567890, "1": 1.0}');
    expect(received[0]).toContain('{"n": 12345678901234567890, "1": 1.0}');
  });

  test('Arguments may be null, for none', async () => {
    received.length = 0;
    expect(await run('call', 'exact', ' null ')).toMatchObject({ code: 0 });
    expect(JSON.parse(received[0] ?? '')).toMatchObject({ params: { arguments: {} } });
  });

  test('Arguments keep their text beside a repair', async () => {
    received.length = 0;
    const { stderr } = await run('call', 'exact', '{"n": 12345678901234567890, "2": "7"}');
    expect(stderr).toBe('repaired /2: "7" → 7\n');
    expect(received[0]).toContain('{"n": 12345678901234567890, "2": 7}');
  });
});

test('The tools of one of several servers are on one line, with every text as it is', async () => {
  const cwd = temporaryFolder(onTestFinished);
  const mcpServers = { a: { url: `${server.origin}/lines` }, b: { url: server.url } };
  writeFileSync(join(cwd, 'mcp.json'), JSON.stringify({ mcpServers }));
  const { stdout } = await cli(['list', '--json', '--config', 'mcp.json'], { cwd });
  const of = (name: string, text: string) => `{"server":"${name}","tools":[${text}]}\n`;
  expect(stdout).toBe(of('a', definition.replaceAll(',"', ', "')) + of('b', definition));
});

describe('an endless list', () => {
  const endless = (...argv: string[]) => cli([...argv, '--url', `${server.origin}/endless`]);

  test('The part of an endless list that was read is printed, with the reason why the rest is missing', async () => {
    const { code, stdout, stderr } = await endless('list', '--json');
    expect([code, stdout]).toEqual([4, `[${definition}]\n`]);
    expect(stderr).toMatch(/^error: .*the same cursor twice and so would never end\.\n$/);
  });

  test('The tools of an endless list can be shown one by one and called', async () => {
    expect(await endless('show', 'exact', '--json')).toMatchObject({ code: 0, stdout: `${definition}\n` });
    expect(await endless('call', 'exact')).toMatchObject({ code: 0 });
    expect(await endless('call', 'other')).toMatchObject({ code: 4, stderr: expect.stringContaining('cursor') });
  });
});

test.each([
  ['safe', '{"N": 1, "2": "7"}', 0],
  ['integers', '{"2": "7"}', 0],
  ['booleans,json', '{"2": "7"}', 3],
  ['booleans,integers', '{"2": "7"}', 0],
  ['safe,-integers', '{"2": "7"}', 3],
  ['all,-booleans', '{"2": "7"}', 0],
  ['off', '{"2": "7"}', 3],
])('With --repair %s, the argument %s ends with the code %i', async (choice, args, code) => {
  expect(await run('call', 'exact', args, '--repair', choice)).toMatchObject({ code });
});
