import { expect, test } from 'vitest';
import type { Provider } from '../../src/internal.js';
import { object, string, texts } from '../../test-support/schemas/short.js';
import { answered, asked, greeted, namesOf, replaying, scripted } from './in-front.js';

const tool = (name: string) =>
  `{"name":"${name}","inputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"anyOf":[{"required":["n"]}],"x":1.0}}`;

const of = (name: string, properties: object) => JSON.stringify({ name, inputSchema: object(properties) });
const { at } = replaying({
  one: [tool('search'), tool('a/b')],
  two: [tool('search')],
  many: texts(129, 'tool_').map((name) => of(name, {})),
  large: [of('large', { a: { ...string, pattern: 'a'.repeat(1_300_000) } })],
});

test("Several servers appear as one, whose tools have the server's name as a prefix and are otherwise unchanged", async () => {
  await using gateway = greeted({ one: at('one'), two: at('two') });
  expect(await namesOf(gateway)).toEqual(['one_search', expect.stringMatching(/^one_a_b/), 'two_search']);
  expect(gateway.lines.join()).toContain(tool('search').replace('"search"', '"two_search"'));
  for (const params of [{}, { name: { toString: 1 } }])
    expect(await asked(gateway, 'tools/call', params)).toContain('name has to be a string.');
  expect(await asked(gateway, 'prompts/get')).toContain('name has to be a string.');
});

test('The lists of several servers are one, without those of a server that has none or fails, which is logged', async () => {
  const having = (results: string, more = '') =>
    scripted(results, '', `resources: { subscribe: true, listChanged: false }, ${more}`);
  const paged = (key: string, of: string) =>
    `{ ${key}: [{ name: '${of}', uri${key === 'resources' ? '' : 'Template'}: '${of}:' + (params?.cursor ?? 1) }], nextCursor: params?.cursor ? undefined : '2' }`;
  const templates = `'resources/templates/list': ${paged('resourceTemplates', 'b')},`;
  await using gateway = greeted({
    none: having(`'resources/list': { resources: [{ uri: 'a:1', name: 'a' }] },`),
    some: having(`'resources/list': ${paged('resources', 'a')}, ${templates}`),
    failing: having(
      `'resources/list': { resources: 5 }, 'resources/templates/list': { resourceTemplates: 5 }, 'prompts/list': {},`,
      'prompts: {}',
    ),
    gone: { transport: 'stdio', command: '/nowhere' },
  });
  expect(await gateway.line(({ id }) => id === 'i')).toContain(
    '"capabilities":{"resources":{"subscribe":true},"prompts":{}}',
  );
  const answer = async (method: string, params = {}) => {
    gateway.log.length = 0;
    const { result, error } = await answered(gateway, method, params);
    return { answer: error ? error.message : result, log: [...gateway.log] };
  };
  const gone = 'server failed server=gone reason="The command \\"/nowhere\\" was not found."';
  const wrong = (method: string, key: string, found: string) =>
    `The server's answer to ${method} has no list "${key}"; found ${found} there.`;
  expect(await answer('resources/templates/list')).toEqual({
    answer: { resourceTemplates: [1, 2].map((page) => ({ name: 'b', uriTemplate: `b:${page}` })) },
    log: [gone, `${wrong('resources/templates/list', 'resourceTemplates', 'number')} server=failing`],
  });
  expect(await answer('resources/list')).toEqual({
    answer: { resources: ['a:1', 'a:2'].map((uri) => ({ name: 'a', uri })) },
    log: [
      gone,
      `${wrong('resources/list', 'resources', 'number')} server=failing`,
      'a:1 is left out, as another server has it as well server=some',
    ],
  });
  expect(await answer('resources/subscribe', { uri: 'of:all' })).toEqual({
    answer: {},
    log: ['none', 'some', 'failing'].map(
      (name) => `The server answered resources/subscribe with error -32601: Method not found server=${name}`,
    ),
  });
  expect(await answer('prompts/list')).toEqual({ answer: wrong('prompts/list', 'prompts', 'nothing'), log: [gone] });
});

test.each<[string, Provider, RegExp]>([
  ['many', 'groq', /Groq takes at most 128 tools in a request, and these are 129\..*tool search/],
  ['large', 'openai', /too large to adapt, so the model learns only that the arguments are an object/],
])('With --provider, the loss of %s for %s is logged', async (name, provider, why) => {
  await using gateway = greeted(at(name), { provider });
  await asked(gateway, 'tools/list');
  expect(gateway.log.join('\n')).toMatch(why);
});
