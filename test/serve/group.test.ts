import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startReplayServer, type ReplayServer } from '../../test-support/servers/replay.js';
import { asked, called, greeted, listing, namesOf, scripted } from './in-front.js';

const tool = (name: string) =>
  `{"name":"${name}","inputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"anyOf":[{"required":["n"]}],"x":1.0}}`;

let server: ReplayServer;
beforeAll(async () => {
  server = await startReplayServer({ one: listing(tool('search'), tool('a/b')), two: listing(tool('search')) });
});
beforeEach(() => {
  server.forget();
});
afterAll(() => server.close());

describe('several servers', () => {
  const both = () => greeted({ one: { url: server.url('one') }, two: { url: server.url('two') } });

  test('are one, whose tools have their names in front and keep all else to the character', async () => {
    await using gateway = both();
    expect(await namesOf(gateway)).toEqual(['one_search', expect.stringMatching(/^one_a_b/), 'two_search']);
    expect(gateway.lines.at(-1)).toContain(tool('search').replace('"search"', '"two_search"'));
  });

  test('each get the calls of their own tools, by the names that they know', async () => {
    await using gateway = both();
    await called(gateway, 'two_search', { n: '3' });
    const calls = (name: string) => server.requests(name).filter(({ method }) => method === 'tools/call');
    expect(calls('one')).toEqual([]);
    expect(calls('two').map(({ params }) => params)).toEqual([{ name: 'search', arguments: { n: 3 } }]);
  });

  test('have their lists of resources without that of one that has none after all', async () => {
    const having = (results: string) => scripted(results, '', 'resources: {}');
    const templates = `'resources/templates/list': { resourceTemplates: [{ name: 'a', uriTemplate: 'a:{b}' }] }`;
    await using gateway = greeted({ none: having(''), some: having(templates) });
    expect(await asked(gateway, 'resources/templates/list')).toContain('"uriTemplate":"a:{b}"');
    expect(await asked(gateway, 'resources/list')).toContain('"code":-32601');
  });
});

test('--provider sends what a provider takes, and the original decides', async () => {
  await using gateway = greeted({ url: server.url('two') }, { provider: 'anthropic' });
  expect(await asked(gateway, 'tools/list')).not.toContain('anyOf');
  expect(await called(gateway, 'search')).toContain('"isError":true');
});
