import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startReplayServer, type ReplayServer } from '../../test-support/servers/replay.js';
import { greeted } from './in-front.js';

const tool = (name: string) =>
  `{"name":"${name}","inputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"x":1.0}}`;
const list = (...names: string[]) => [`{"jsonrpc":"2.0","id":0,"result":{"tools":[${names.map(tool).join(',')}]}}`];

let server: ReplayServer;
beforeAll(async () => {
  server = await startReplayServer({ one: list('search', 'a/b'), two: list('search') });
});
afterAll(() => server.close());

describe('several servers', () => {
  test('are one, whose tools have their names in front and keep all else to the character', async () => {
    await using gateway = greeted({ one: { url: server.url('one') }, two: { url: server.url('two') } });
    gateway.write('{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
    const line = await gateway.line(({ id }) => id === 1);
    const names = (JSON.parse(line) as { result: { tools: { name: string }[] } }).result.tools.map(({ name }) => name);
    expect(names).toEqual(['one_search', expect.stringMatching(/^one_a_b/), 'two_search']);
    expect(line).toContain(tool('search').replace('"search"', '"two_search"'));
  });

  test('each get the calls of their own tools, by the names that they know', async () => {
    await using gateway = greeted({ one: { url: server.url('one') }, two: { url: server.url('two') } });
    server.forget();
    gateway.write(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"two_search","arguments":{"n":"3"}}}',
    );
    await gateway.line(({ id }) => id === 1);
    const calls = (name: string) => server.requests(name).filter(({ method }) => method === 'tools/call');
    expect(calls('one')).toEqual([]);
    expect(calls('two').map(({ params }) => params)).toEqual([{ name: 'search', arguments: { n: 3 } }]);
  });

  test('do without one that cannot be reached', async () => {
    await using gateway = greeted({
      gone: { transport: 'stdio', command: '/nowhere' },
      two: { url: server.url('two') },
    });
    gateway.write('{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
    const line = await gateway.line(({ id }) => id === 1);
    expect(line).toContain('two_search');
    expect(gateway.log.join('\n')).toContain('gone: The command "/nowhere" was not found.');
  });
});

test('Several servers have their lists of resources without that of one that has none after all', async () => {
  const offering = (answers: string) => ({
    transport: 'stdio' as const,
    command: process.execPath,
    args: [
      '-e',
      `require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method, params } = JSON.parse(line);
        const results = { initialize: { protocolVersion: params?.protocolVersion, capabilities: { resources: {} }, serverInfo: { name: 's', version: '1' } }, ${answers} };
        const said = results[method] ? { result: results[method] } : { error: { code: -32601, message: 'Method not found' } };
        if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...said }));
      });`,
    ],
  });
  const templates = `'resources/templates/list': { resourceTemplates: [{ name: 'a', uriTemplate: 'a:{b}' }] }`;
  await using gateway = greeted({ none: offering(''), some: offering(templates) });
  gateway.write('{"jsonrpc":"2.0","id":1,"method":"resources/templates/list"}');
  expect(await gateway.line(({ id }) => id === 1)).toContain('"uriTemplate":"a:{b}"');
  gateway.write('{"jsonrpc":"2.0","id":2,"method":"resources/list"}');
  expect(await gateway.line(({ id }) => id === 2)).toContain('"code":-32601');
});

test('--provider sends what a provider takes, and the original decides', async () => {
  const schema = '{"type":"object","properties":{"a":{"type":"integer"}},"anyOf":[{"required":["a"]}]}';
  const only = await startReplayServer({
    s: [`{"jsonrpc":"2.0","id":0,"result":{"tools":[{"name":"t","inputSchema":${schema}}]}}`],
  });
  await using gateway = greeted({ url: only.url('s') }, { provider: 'anthropic' });
  gateway.write('{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
  const told = JSON.parse(await gateway.line(({ id }) => id === 1)) as { result: { tools: { inputSchema: object }[] } };
  expect(told.result.tools[0]!.inputSchema).not.toHaveProperty('anyOf');
  gateway.write('{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t","arguments":{}}}');
  expect(await gateway.line(({ id }) => id === 2)).toContain('"isError":true');
  await only.close();
});
