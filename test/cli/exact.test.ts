import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HttpServer, startHttpServer } from '../../test-support/servers/http.js';
import { cli } from './run.js';

/** Written by hand, as no JSON.stringify would: spaces, escapes, numbers that JavaScript does not hold. */
const schema =
  '{"type":"object", "properties":{"2":{"type":"integer"},"1":{"type":"integer","maximum":12345678901234567890},"n":{"type":"integer","default":1.0}}}';
const definition = `{"name":"exact","description":"\\u0041 tool","inputSchema":${schema}}`;
const result = '{"content":[{"type":"text","text":"ok"}],"structuredContent":{"id":98765432109876543210,"big":1e400}}';

let server: HttpServer;
const received: string[] = [];

beforeAll(async () => {
  server = await startHttpServer(({ message: { id, method }, path, text, response, plain }) => {
    if (method === 'tools/call') received.push(text);
    const list = `{"tools":[${definition}]${path === '/endless' ? ',"nextCursor":"again"' : ''}}`;
    const answer = { 'tools/list': list, 'tools/call': result }[method];
    if (answer === undefined) plain();
    else response.setHeader('content-type', 'application/json').end(`{"jsonrpc":"2.0","id":${id},"result":${answer}}`);
  });
});
afterAll(() => server.close());

const run = (...argv: string[]) => cli([...argv, '--url', server.url]);
const onTerminal = (...argv: string[]) => cli([...argv, '--url', server.url], { columns: 80, env: { NO_COLOR: '1' } });

describe('what the server wrote is printed to the character', () => {
  test.each([
    [['list', '--schema', 'exact'], schema],
    [['list', '--json'], `[${definition}]`],
    [['show', 'exact', '--json'], definition],
    [['call', 'exact', '{}', '--json'], result],
  ])('%j', async (argv, expected) => {
    expect((await run(...argv)).stdout).toBe(`${expected}\n`);
  });

  test('indented on a terminal, numbers and the order of names as they are', async () => {
    const { stdout } = await onTerminal('list', '--schema', 'exact');
    expect(stdout).toContain('"maximum": 12345678901234567890');
    expect(stdout).toContain('"default": 1.0');
    expect(stdout.indexOf('"2"')).toBeLessThan(stdout.indexOf('"1"'));
    expect(JSON.parse(stdout)).toEqual(JSON.parse(schema));
    expect(stdout.split('\n').slice(0, 3)).toEqual(['{', '  "type": "object",', '  "properties": {']);
  });

  test('and so is structured content that is shown to people', async () => {
    const { stdout } = await run('call', 'exact', '{}');
    expect(stdout).toContain('"id": 98765432109876543210');
    expect(stdout).toContain('"big": 1e400');
  });
});

describe('arguments', () => {
  test('are sent as they are written', async () => {
    received.length = 0;
    await run('call', 'exact', '{"n": 12345678901234567890, "1": 1.0}');
    expect(received[0]).toContain('{"n": 12345678901234567890, "1": 1.0}');
  });

  test('may be null, for none', async () => {
    received.length = 0;
    expect(await run('call', 'exact', ' null ')).toMatchObject({ code: 0 });
    expect(JSON.parse(received[0] ?? '')).toMatchObject({ params: { arguments: {} } });
  });

  test('keep their text beside a repair', async () => {
    received.length = 0;
    const { stderr } = await run('call', 'exact', '{"n": 12345678901234567890, "2": "7"}');
    expect(stderr).toBe('repaired /2: "7" → 7\n');
    expect(received[0]).toContain('{"n": 12345678901234567890, "2": 7}');
  });
});

describe('of a list that has no end, what was read', () => {
  const endless = (...argv: string[]) => cli([...argv, '--url', `${server.origin}/endless`]);

  test('is shown, and why there is no more', async () => {
    const { code, stdout, stderr } = await endless('list', '--json');
    expect([code, stdout]).toEqual([4, `[${definition}]\n`]);
    expect(stderr).toMatch(/^error: .*the same cursor twice and so would never end\.\n$/);
  });

  test('can be shown one by one, and called', async () => {
    expect(await endless('show', 'exact', '--json')).toMatchObject({ code: 0, stdout: `${definition}\n` });
    expect(await endless('call', 'exact')).toMatchObject({ code: 0 });
    expect(await endless('call', 'other')).toMatchObject({ code: 4, stderr: expect.stringContaining('cursor') });
  });
});

describe('--repair', () => {
  test.each([
    ['safe', '{"N": 1, "2": "7"}'],
    ['all', '{"2": "7"}'],
    ['integers', '{"2": "7"}'],
    ['booleans,json', '{"2": "7"}'],
  ])('takes %s', async (choice, args) => {
    expect(await run('call', 'exact', args, '--repair', choice)).toMatchObject({ code: 0 });
  });

  test('repairs nothing with the word "off"', async () => {
    expect(await run('call', 'exact', '{"2": "7"}', '--repair', 'off')).toMatchObject({ code: 3 });
  });
});
