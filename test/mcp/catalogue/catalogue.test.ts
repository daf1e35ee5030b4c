import { describe, expect, test } from 'vitest';
import { connect, readCatalogue } from '../../../src/mcp/index.js';
import { oddLine, oddTools, startOddServer } from '../../../test-support/servers/odd.js';
import odd from './odd-entries.json' with { type: 'json' };

const json = (value: unknown) => JSON.stringify(value);
const wire = (JSON.parse(oddLine) as { result: { tools: unknown[] } }).result.tools;

describe('readCatalogue, given a list with one odd entry after another', () => {
  const catalogue = readCatalogue(wire, { mirrorsHeaders: true });

  test('A catalogue skips each entry that cannot be called, and keeps its reason, its position and its fields', () => {
    const set = catalogue.skipped.map(({ position, reason, definition }) => [position, reason.code, json(definition)]);
    const all = oddTools.map(({ skipped, json }, at) => [at + 1, skipped, json]);
    expect(set).toEqual(all.filter(([, reason]) => reason));
  });

  test('A catalogue exposes all entries that can be called in their order, with notes', () => {
    const [, ...exposed] = catalogue.tools.map(({ definition, notes }) => [
      json(definition),
      notes.map(({ code }) => code),
    ]);
    expect(exposed).toEqual(oddTools.filter(({ notes }) => notes).map(({ json, notes }) => [json, notes]));
  });

  test('A catalogue keeps the first of two tools with one name', () => {
    expect(catalogue.find('plain')?.description).toBeUndefined();
    expect(catalogue.tools.filter(({ name }) => name === 'plain')).toHaveLength(1);
  });

  test('A catalogue treats fields of the wrong type as absent, but keeps them in the definition', () => {
    expect(catalogue.find('null_description')).not.toHaveProperty('description');
    expect(catalogue.find('number_title')).not.toHaveProperty('title');
    expect(catalogue.find('number_title')?.definition['title']).toBe(1);
  });
});

test('A catalogue says of each odd entry what is odd, where, and whether it is skipped', () => {
  const { tools, skipped } = readCatalogue(odd.entries, { mirrorsHeaders: true });
  const notes = Object.fromEntries(tools.map(({ name, notes }) => [name, notes]));
  expect({ entries: odd.entries, notes, skipped }).toEqual(odd);
});

test('A catalogue hands on the given objects themselves, deeply frozen', () => {
  const definition = { name: 'a', inputSchema: { type: 'object', properties: { x: { enum: [{ deep: [] }] } } } };
  const [tool] = readCatalogue([definition]).tools;
  expect(tool?.definition).toBe(definition);
  expect(tool?.inputSchema).toBe(definition.inputSchema);
  const choices = definition.inputSchema.properties.x.enum;
  expect([definition, choices, choices[0]!.deep].every((place) => Object.isFrozen(place))).toBe(true);
});

test("A copy of a catalogue's tool has all its fields", () => {
  const more = { title: 'A', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } };
  const wire = { name: 'b', ...more, extra: 1 };
  const [tool] = readCatalogue([wire]).tools;
  const own = { outputSchema: undefined, definition: wire, text: undefined, notes: [] };
  expect({ ...tool }).toEqual({ name: 'b', ...more, ...own });
  const odd = readCatalogue(['all', null, [1]].map((annotations, at) => ({ ...wire, name: `${at}`, annotations })));
  expect(odd.tools.map(({ annotations }) => annotations)).toEqual([undefined, undefined, undefined]);
});

test('A catalogue skips a tool that is nested too deeply to be serialized, and keeps the others', () => {
  const nested = (levels: number) =>
    JSON.parse(`${'{"properties":{"a":'.repeat(levels)}{}${'}}'.repeat(levels)}`) as object;
  const tool = (name: string, levels: number) => ({ name, inputSchema: { type: 'object', ...nested(levels) } });
  const { tools, skipped } = readCatalogue([tool('deep', 50_000), tool('shallow', 200)]);
  expect(tools.map(({ name }) => name)).toEqual(['shallow']);
  expect(skipped).toMatchObject([{ name: 'deep', position: 0, reason: { code: 'too-deep' } }]);
  expect(skipped[0]?.definition).toEqual({ name: 'deep' });
  expect(() => JSON.stringify({ tools, skipped })).not.toThrow();
});

test('An empty catalogue finds no tool, not even by an inherited name', () => {
  expect(readCatalogue([]).find('constructor')).toBeUndefined();
});

test('Of odd tools, connect exposes all that can be called, with their original text', async () => {
  const server = await startOddServer();
  await using session = await connect({ url: server.url('odd') });
  const { tools, skipped } = await session.listTools();
  const expected = oddTools.filter(({ notes, latestHttp }) => notes || latestHttp).map(({ json }) => json);
  expect(tools.slice(1).map(({ definition }) => JSON.stringify(definition))).toEqual(expected);
  expect(skipped.map(({ reason }) => reason.code)).toEqual(
    oddTools.flatMap(({ skipped, latestHttp }) => (latestHttp ? [] : (skipped ?? []))),
  );
  await server.close();
});
