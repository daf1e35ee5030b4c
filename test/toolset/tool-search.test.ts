import { describe, expect, test } from 'vitest';
import { catalogueOf } from '../../src/mcp/catalogue/catalogue.js';
import { readCatalogue } from '../../src/mcp/index.js';
import { startToolSearch, toolTokens } from '../../src/toolset/index.js';
import type { StartToolSearchOptions, ToolSearchAnswer } from '../../src/toolset/index.js';
import { providerNotes } from '../../src/projections/index.js';
import { modelTools } from '../../src/tool/index.js';
import { integer, members, object, string, times } from '../../test-support/schemas/short.js';
import searches from './searches.json' with { type: 'json' };

const wire = [
  {
    name: 'create_issue',
    description: 'Create a new issue in a repository.',
    inputSchema: object(members(['owner', 'repo', 'title'])),
  },
  { name: 'listPullRequests', title: 'List pull requests', inputSchema: object({}) },
  {
    name: 'get_weather',
    description: 'Forecast for a city.',
    inputSchema: object({ city: string, days: integer }, { required: ['city'] }),
  },
  { name: 'send/mail', description: 'Send an e-mail message.', inputSchema: object({ recipient: string }) },
];
const modelled = (definitions: readonly unknown[]) => modelTools(readCatalogue(definitions).tools);
const tools = modelled(wire);

function discover(options: StartToolSearchOptions = {}, offered = tools) {
  const search = startToolSearch(offered, { mode: 'on', ...options });
  if (!search) throw new Error('All tools were told.');
  return search;
}

function textOf(answer: ToolSearchAnswer | undefined): string {
  if (answer?.kind !== 'text') throw new Error('This is no text.');
  return answer.text;
}

const described = (names: string | string[], offered = tools) =>
  textOf(discover({}, offered).answer('describe_tools', { names }));

function callOf(answer: ToolSearchAnswer | undefined) {
  if (answer?.kind !== 'call') throw new Error('This is no call.');
  return answer;
}

describe('the tools of tool search', () => {
  test('Tool search copes with a name of a megabyte, and with a query that repeats one word', () => {
    const many = times(5_000, (i) => ({ name: `a_${i}`, inputSchema: { type: 'object' } }));
    const search = discover({}, modelled(many));
    expect(described(['x'.repeat(1_000_000)], modelled(many)).length).toBeLessThan(400);
    expect(search.find('a '.repeat(200))).toEqual(search.find('a'));
  });

  test('Automatic tool search begins above 5,000 tokens', () => {
    const withDescription = (length: number) =>
      modelled([{ name: 'a', description: 'x'.repeat(length), inputSchema: object({}) }]);
    const enough = withDescription(20_000 - 1 - '{"type":"object","properties":{}}'.length);
    expect(toolTokens(enough)).toBe(5_000);
    expect(startToolSearch(enough, { mode: 'auto' })).toBeUndefined();
    expect(startToolSearch(withDescription(20_000), { mode: 'auto' })).toBeDefined();
  });

  test('Tokens are counted even if all texts together exceed the maximum string length', () => {
    const large = { name: '', description: 'x'.repeat(2 ** 24), schema: {} };
    expect(toolTokens(times(40, () => large))).toBe(10 * 2 ** 24 + 20);
  });

  test('Tool search costs less than 1,500 tokens for any number of tools', () => {
    const many = times(3_000, (index) => ({ ...wire[0], name: `tool_with_a_long_name_${index}` }));
    expect(toolTokens(discover({ server: 'x'.repeat(500) }, modelled(many)).exposed)).toBeLessThan(1_500);
  });

  test.each(['openai', 'anthropic', 'google', 'cohere'] as const)(
    'No provider rejects the tools of tool search: %s',
    (provider) => {
      const refused = discover().exposed.flatMap(({ tool }) =>
        providerNotes(tool, provider).filter(({ effect }) => effect !== 'changed'),
      );
      expect(refused).toEqual([]);
    },
  );
});

describe('search', () => {
  test.each([
    ['log work time in the tracker', 'tracker_create_worklog'],
    ['tracker drop-down', 'tracker_create_dropdown'],
    ['tracker pageview', 'tracker_create_pageView'],
  ])('A search for %s finds %s first, even if its words are joined or split differently', (query, name) => {
    const kinds = ['issue', 'workspace', 'catalog', 'logger', 'worklog', 'dropdown', 'web_hook', 'pageView', 'hook'];
    const named = [...kinds.map((kind) => `tracker_create_${kind}`), 'log_list_times', 'wiki_view_page'];
    const { find } = discover({}, modelled(named.map((each) => ({ ...wire[0], name: each }))));
    expect(find(query)[0]?.name).toBe(name);
  });

  test.each([
    ['明天北京的天气', 'query_1'],
    ['予約', 'query_2'],
    ['ラーメン', 'query_3'],
    ['날씨', 'query_4'],
    ['मौसम', 'query_5'],
    ['อากาศ', 'query_6'],
  ])('A search for %s finds %s first, also in languages without spaces', (query, name) => {
    const descriptions = [
      ...['今日新闻', '查询指定城市的天气预报', 'レストランの予約を取り消す', '近くのラーメン屋を探す'],
      ...['도시의 날씨를 알려줍니다', 'शहर का मौसम बताता है', 'บอกสภาพอากาศของเมือง'],
    ];
    const named = descriptions.map((description, index) => ({ ...wire[0], name: `query_${index}`, description }));
    const { find } = discover({}, modelled(named));
    expect(find(query)[0]?.name).toBe(name);
    expect(find('xyzzy')).toEqual([]);
  });

  test.each([
    ['a reference', { $ref: '#/$defs/all', $defs: { all: { properties: { zebra: {} } } } }],
    [
      'an alternative',
      { properties: { yak: {} }, anyOf: [{}, { oneOf: [{ required: ['a'] }, { properties: { zebra: {} } }] }] },
    ],
  ])('A search finds an argument in %s', (_where, schema) => {
    const { find } = discover({}, modelled([...wire, { name: 'odd', inputSchema: { type: 'object', ...schema } }]));
    expect(find('zebra').map(({ name }) => name)).toEqual(['odd']);
  });

  test('A search reads only a limited amount of text', () => {
    const words = (index: number) => times(2_000, (word) => `w${index * 7 + word}`).join(' ');
    const inputSchema = { type: 'object' };
    const long = times(2_000, (index) => ({ name: `tool_${index}`, description: words(index), inputSchema }));
    const { find } = discover({}, modelled(long));
    expect(find('tool_1999').map(({ name }) => name)[0]).toBe('tool_1999');
    // Words beyond the indexed part of a tool are not found.
    expect(find('w15500', 3).map(({ name }) => name)).not.toContain('tool_1999');
  });
});

test('A description shows numbers that JavaScript would round to the character, like a refusal', () => {
  const schema = '{"type":"object","properties":{"b":{"maximum":9007199254740993},"2":{},"1":{}}}';
  const text = `{"result":{"tools":[{"name":"odd","inputSchema":${schema}}]}}`;
  const { result } = JSON.parse(text) as { result: { tools: unknown[] } };
  const { tools: odd } = catalogueOf([{ entries: result.tools, wire: { text } }]);
  const { answer } = discover({}, modelTools(odd));
  expect(textOf(answer('describe_tools', { names: ['odd'] }))).toContain(`"inputSchema":${schema}}`);
  expect(callOf(answer('call_tool', { name: 'odd' })).refusal('No.')).toContain(schema);
  const fixed = modelTools(odd, { fixed: () => ['b'] });
  expect(textOf(discover({}, fixed).answer('describe_tools', { names: ['odd'] }))).not.toContain('9007199254740993');
});

/** Tools, how they are searched, and the calls of a model, as `searches.json` has them. */
interface Searched {
  about: string;
  tools: { name: string; long?: number; inputSchema: object }[];
  /** How often each tool is there. */
  times?: number;
  keeps?: boolean;
  prefixes?: string[];
  options: StartToolSearchOptions;
  calls: [name: string | null, args: unknown][];
  finds?: [query: string, limit?: number][];
  expected: unknown;
}

// JSON's types are wider.
test.each(searches as unknown as Searched[])('A model searches, reads and calls $about', (given) => {
  const definitions = given.tools.flatMap(({ long, ...tool }) => {
    const inputSchema = { ...tool.inputSchema, ...(long && { description: 'x'.repeat(long) }) };
    return times(given.times ?? 1, (at) => ({ ...tool, inputSchema, name: `${tool.name}${given.times ? at : ''}` }));
  });
  const named = (given.prefixes ?? ['']).flatMap((prefix) => modelTools(readCatalogue(definitions).tools, { prefix }));
  const offered = given.keeps ? named.map((each) => ({ ...each, name: each.tool.name })) : named;
  const search = startToolSearch(offered, given.options);
  const names = (tools: readonly { name: string }[] = []) => tools.map(({ name }) => name);
  const answers = given.calls.map(([name, args]) => {
    const answer = search?.answer(name ?? undefined, args);
    if (answer?.kind === 'text') return [answer.isError, names(answer.found), ...answer.text.split('\n')];
    return answer && [answer.tool.name, answer.arguments, ...answer.refusal('No.').split('\n')];
  });
  const finds = given.finds?.map(([query, limit]) => [query, names(search?.find(query, limit))].flat().join(' '));
  const exposed = search?.exposed.map(({ name, description }) => ({ name, description }));
  const shown = JSON.stringify({ exposed, own: names(search?.own), answers, finds });
  const short = shown.replaceAll(/x{100,}/g, ({ length }) => `${length} x`);
  expect(JSON.parse(short)).toEqual(given.expected);
});
