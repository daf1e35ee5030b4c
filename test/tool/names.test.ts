import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fc } from '../../test-support/fuzz.js';
import { describe, expect, test } from 'vitest';
import { readCatalogue, type CatalogueTool } from '../../src/mcp/index.js';
import { modelSchema } from '../../src/projections/index.js';
import { modelTools } from '../../src/tool/index.js';
import { corpusIsComplete, sharedFolder } from '../../test-support/shared.js';

const legal = /^[a-zA-Z0-9_-]{1,64}$/;

function tool(name: string, more: Record<string, unknown> = {}): CatalogueTool {
  const [first] = readCatalogue([{ name, inputSchema: { type: 'object' }, ...more }]).tools;
  if (first === undefined) throw new Error(`"${name}" was set aside.`);
  return first;
}

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
  ])('%s is called %s', (name, expected) => {
    expect(namesOf([tool(name)])).toEqual([expected]);
  });

  test('are legal for names without a legal character, and tell these apart', () => {
    const names = namesOf([tool('搜索'), tool('地图'), tool('🔍')]);
    expect(new Set(names).size).toBe(3);
    for (const name of names) expect(name).toMatch(/^tool_[0-9a-f]{6}$/);
  });

  test('keep 64 characters, and shorten longer ones to a beginning and a hash', () => {
    const long = 'a'.repeat(64);
    const [kept, first, second] = namesOf([tool(long), tool(`${long}1`), tool(`${long}2`)]);
    expect(kept).toBe(long);
    expect(first).toMatch(/^a{57}_[0-9a-f]{6}$/);
    expect(second).toMatch(legal);
    expect(second).not.toBe(first);
  });

  test('leave a legal name to the tool that has it', () => {
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

  test('tell tools of one name apart by what they are', () => {
    const one = tool('search', { description: 'one' });
    const two = tool('search', { description: 'two' });
    const [first, second] = namesOf([one, two]);
    expect(first).not.toBe(second);
    expect(namesOf([one, two, one])).toHaveLength(3);
    expect(new Set(namesOf([one, one, one])).size).toBe(3);
  });

  test('avoid those that are taken, and carry a prefix', () => {
    expect(namesOf([tool('search')], { prefix: 'github' })).toEqual(['github_search']);
    expect(namesOf([tool('search')], { prefix: 'github-' })).toEqual(['github-search']);
    const [name] = namesOf([tool('search')], { taken: ['search'] });
    expect(name).toMatch(/^search_[0-9a-f]{6}$/);
  });

  test('leave the server its own, and models a description', () => {
    const [entry] = modelTools([tool('my.tool', { title: 'My tool', description: null })]);
    expect(entry?.tool.name).toBe('my.tool');
    expect(entry?.description).toBe('My tool');
  });

  test('are legal, unique and the same in any order', () => {
    const word = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 100 }),
      fc.constantFrom(...['a', 'a.b', 'a_b', 'a b', 'ä', 'tool', '__proto__', 'constructor']),
      fc.constantFrom(...[64, 65, 66].map((length) => 'x'.repeat(length))),
    );
    fc.assert(
      fc.property(
        fc.uniqueArray(
          word.filter((name) => name.trim() !== ''),
          { maxLength: 20 },
        ),
        (names) => {
          const tools = names.map((name) => tool(name));
          const given = modelTools(tools);
          for (const { name } of given) expect(name).toMatch(legal);
          expect(new Set(given.map(({ name }) => name)).size).toBe(names.length);
          const reversed = new Map(modelTools(tools.toReversed()).map((entry) => [entry.tool.name, entry.name]));
          for (const entry of given) expect(reversed.get(entry.tool.name)).toBe(entry.name);
        },
      ),
    );
  });
});

describe('the schema for models', () => {
  test('is the very object of the wire', () => {
    const entry = tool('t', { inputSchema: { type: 'object', properties: {} } });
    expect(modelSchema(entry)).toBe(entry.inputSchema);
  });
  const draft7 = '"$schema":"http://json-schema.org/draft-07/schema#"';
  test.each([
    [`{${draft7}}`, `{"type":"object",${draft7},"properties":{}}`],
    ['{"type":"object"}', '{"type":"object","properties":{}}'],
    ['{"properties":{"a":{}}}', '{"type":"object","properties":{"a":{}}}'],
  ])('of a root like %s says what every root has for providers: %s', (original, expected) => {
    const entry = tool('t', { inputSchema: JSON.parse(original) });
    expect(JSON.stringify(modelSchema(entry))).toBe(expected);
    expect(modelSchema(entry)).toBe(modelSchema(entry));
    expect(JSON.stringify(entry.inputSchema)).toBe(original);
  });
});

const corpus = sharedFolder('corpus');

describe.skipIf(corpus === undefined)('the recorded servers', () => {
  test('have a legal and unique name for each of their tools', () => {
    let count = 0;
    for (const file of readdirSync(corpus ?? '').filter((name) => name.endsWith('.json'))) {
      const { toolsListLines } = JSON.parse(readFileSync(join(corpus ?? '', file), 'utf8')) as {
        toolsListLines: string[];
      };
      const wire = toolsListLines.flatMap(
        (line) => (JSON.parse(line) as { result: { tools: unknown[] } }).result.tools,
      );
      const named = modelTools(readCatalogue(wire).tools);
      for (const { name, tool: entry } of named) {
        expect(name).toMatch(legal);
        if (legal.test(entry.name)) expect(name).toBe(entry.name);
      }
      expect(new Set(named.map(({ name }) => name)).size).toBe(named.length);
      count += named.length;
    }
    if (corpusIsComplete()) expect(count).toBeGreaterThan(3100);
  });
});
