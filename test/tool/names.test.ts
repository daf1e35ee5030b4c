import { fc } from '../../test-support/fuzz.js';
import { describe, expect, test } from 'vitest';
import { readCatalogue, type CatalogueTool } from '../../src/mcp/index.js';
import { modelSchema } from '../../src/projections/index.js';
import { modelTools } from '../../src/tool/index.js';
import { readCorpus } from '../../test-support/servers/corpus.js';
import { sharedFolder } from '../../test-support/shared.js';

const legal = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;

const tool = (name: string, more: object = {}) =>
  readCatalogue([{ name, inputSchema: { type: 'object' }, ...more }]).tools[0]!;

const namesOf = (tools: CatalogueTool[], options?: Parameters<typeof modelTools>[1]) =>
  modelTools(tools, options).map(({ name }) => name);

describe('names for models', () => {
  test.each([
    ['search', 'search'],
    ['my.tool', 'my_tool'],
    ['files/read file', 'files_read_file'],
    ['café_crème', 'cafe_creme'],
    ['a__b-c', 'a__b-c'],
    ['(beta) search', 'beta_search'],
  ])('The name of the tool %s for models is %s', (name, expected) => {
    expect(namesOf([tool(name)])).toEqual([expected]);
  });

  test('Names for models are legal and different even for names without a legal character', () => {
    const names = namesOf([tool('搜索'), tool('地图'), tool('🔍')]);
    expect(new Set(names).size).toBe(3);
    for (const name of names) expect(name).toMatch(/^tool_[0-9a-f]{6}$/);
  });

  test('Names for models have up to 64 characters, and longer ones become a beginning and a hash', () => {
    const long = 'a'.repeat(64);
    const [kept, first, second] = namesOf([tool(long), tool(`${long}1`), tool(`${long}2`)]);
    expect(kept).toBe(long);
    expect(first).toMatch(/^a{57}_[0-9a-f]{6}$/);
    expect(second).toMatch(legal);
    expect(second).not.toBe(first);
  });

  test('A tool with a legal name keeps it', () => {
    for (const order of [
      ['my.tool', 'my_tool', 'my tool'],
      ['my_tool', 'my tool', 'my.tool'],
    ]) {
      const tools = modelTools(order.map((name) => tool(name)));
      const nameOf = (name: string) => tools.find((entry) => entry.tool.name === name)?.name;
      expect(nameOf('my_tool')).toBe('my_tool');
      expect(nameOf('my.tool')).toMatch(/^my_tool_[0-9a-f]{6}$/);
      expect(nameOf('my tool')).toMatch(/^my_tool_[0-9a-f]{6}$/);
    }
  });

  test('Tools with the same name get different names for models by their definitions', () => {
    const one = tool('search', { description: 'one' });
    const two = tool('search', { description: 'two' });
    expect(namesOf([one, two])).toEqual(['search_241932', 'search_8ddc87']);
    expect(new Set(namesOf([one, one, one])).size).toBe(3);
  });

  test('Names for models avoid taken names, and can have a prefix', () => {
    expect(namesOf([tool('search')], { prefix: 'github' })).toEqual(['github_search']);
    expect(namesOf([tool('search')], { prefix: 'github-' })).toEqual(['github-search']);
    expect(namesOf([tool('search')], { taken: ['search'] })[0]).toMatch(/^search_[0-9a-f]{6}$/);
  });

  test('A tool for models keeps its own name for the server, and its description', () => {
    const [entry] = modelTools([tool('my.tool', { title: 'My tool', description: null })]);
    expect(entry?.tool.name).toBe('my.tool');
    expect(entry?.description).toBe('My tool');
  });

  test('Names for models are legal, unique and the same in any order', () => {
    const word = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 100 }),
      fc.constantFrom(...['a', 'a.b', 'a_b', 'a b', 'ä', 'tool', '__proto__', 'constructor']),
      fc.constantFrom(...[64, 65, 66].map((length) => 'x'.repeat(length))),
    );
    const unique = fc.uniqueArray(
      word.filter((name) => name.trim() !== ''),
      { maxLength: 20 },
    );
    const law = fc.property(unique, (names) => {
      const tools = names.map((name) => tool(name));
      const given = modelTools(tools);
      for (const { name } of given) expect(name).toMatch(legal);
      expect(new Set(given.map(({ name }) => name)).size).toBe(names.length);
      const reversed = new Map(modelTools(tools.toReversed()).map((entry) => [entry.tool.name, entry.name]));
      for (const entry of given) expect(reversed.get(entry.tool.name)).toBe(entry.name);
    });
    fc.assert(law);
  });

  const corpus = sharedFolder('corpus');

  test.skipIf(corpus === undefined)(
    'Names for models are legal and unique for the tools of each recorded server',
    () => {
      for (const { toolsListLines } of readCorpus(corpus ?? '')) {
        const answers = toolsListLines.map((line) => JSON.parse(line) as { result: { tools: unknown[] } });
        const wire = answers.flatMap(({ result }) => result.tools);
        const named = modelTools(readCatalogue(wire).tools);
        expect(new Set(named.map(({ name }) => name)).size).toBe(named.length);
        for (const { name, tool: own } of named) {
          expect(name).toMatch(legal);
          if (legal.test(own.name)) expect(name).toBe(own.name);
        }
      }
    },
  );
});

const draft7 = '"$schema":"http://json-schema.org/draft-07/schema#"';
test.each([
  [`{${draft7}}`, `{"type":"object",${draft7},"properties":{}}`],
  ['{"type":"object"}', '{"type":"object","properties":{}}'],
  ['{"properties":{"a":{}}}', '{"type":"object","properties":{"a":{}}}'],
])('The schema for models of a root like %s gets what providers require: %s', (original, expected) => {
  const entry = tool('t', { inputSchema: JSON.parse(original) });
  expect(JSON.stringify(modelSchema(entry))).toBe(expected);
  expect(modelSchema(entry)).toBe(modelSchema(entry));
  expect(JSON.stringify(entry.inputSchema)).toBe(original);
});
