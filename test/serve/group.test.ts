import { expect, test } from 'vitest';
import type { Provider } from '../../src/internal.js';
import { object, string, texts } from '../../test-support/schemas/short.js';
import { asked, greeted, namesOf, replaying, scripted } from './in-front.js';

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

test('The resources of several servers are in one list, even if one server has none', async () => {
  const having = (results: string) => scripted(results, '', 'resources: { subscribe: true, listChanged: false }');
  const templates = `'resources/templates/list': { resourceTemplates: [{ name: 'a', uriTemplate: 'a:{b}' }] }`;
  await using gateway = greeted({ none: having(''), some: having(templates) });
  expect(await gateway.line(({ id }) => id === 'i')).toContain('"capabilities":{"resources":{"subscribe":true}}');
  expect(await asked(gateway, 'resources/templates/list')).toContain('"uriTemplate":"a:{b}"');
  expect(await asked(gateway, 'resources/list')).toContain('"code":-32601');
});

test.each<[string, Provider, RegExp]>([
  ['many', 'groq', /Groq takes at most 128 tools in a request, and these are 129\..*tool search/],
  ['large', 'openai', /too large to adapt, so the model learns only that the arguments are an object/],
])('With --provider, the loss of %s for %s is logged', async (name, provider, why) => {
  await using gateway = greeted(at(name), { provider });
  await asked(gateway, 'tools/list');
  expect(gateway.log.join('\n')).toMatch(why);
});
