import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startReplayServer, type ReplayServer } from '../../test-support/servers/replay.js';
import { asked, greeted, scripted } from './in-front.js';

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
    const line = await asked(gateway, 'tools/list');
    const names = (JSON.parse(line) as { result: { tools: { name: string }[] } }).result.tools.map(({ name }) => name);
    expect(names).toEqual(['one_search', expect.stringMatching(/^one_a_b/), 'two_search']);
    expect(line).toContain(tool('search').replace('"search"', '"two_search"'));
  });

  test('each get the calls of their own tools, by the names that they know', async () => {
    await using gateway = greeted({ one: { url: server.url('one') }, two: { url: server.url('two') } });
    server.forget();
    await asked(gateway, 'tools/call', { name: 'two_search', arguments: { n: '3' } });
    const calls = (name: string) => server.requests(name).filter(({ method }) => method === 'tools/call');
    expect(calls('one')).toEqual([]);
    expect(calls('two').map(({ params }) => params)).toEqual([{ name: 'search', arguments: { n: 3 } }]);
  });
});

test('Several servers have their lists of resources without that of one that has none after all', async () => {
  const having = (results: string) => scripted(results, '', 'resources: {}');
  const templates = `'resources/templates/list': { resourceTemplates: [{ name: 'a', uriTemplate: 'a:{b}' }] }`;
  await using gateway = greeted({ none: having(''), some: having(templates) });
  expect(await asked(gateway, 'resources/templates/list')).toContain('"uriTemplate":"a:{b}"');
  expect(await asked(gateway, 'resources/list')).toContain('"code":-32601');
});

test('--provider sends what a provider takes, and the original decides', async () => {
  const schema = '{"type":"object","properties":{"a":{"type":"integer"}},"anyOf":[{"required":["a"]}]}';
  const only = await startReplayServer({
    s: [`{"jsonrpc":"2.0","id":0,"result":{"tools":[{"name":"t","inputSchema":${schema}}]}}`],
  });
  await using gateway = greeted({ url: only.url('s') }, { provider: 'anthropic' });
  const told = JSON.parse(await asked(gateway, 'tools/list')) as { result: { tools: { inputSchema: object }[] } };
  expect(told.result.tools[0]!.inputSchema).not.toHaveProperty('anyOf');
  expect(await asked(gateway, 'tools/call', { name: 't', arguments: {} })).toContain('"isError":true');
  await only.close();
});
