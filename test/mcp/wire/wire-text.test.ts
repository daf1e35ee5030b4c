import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { catalogueOf } from '../../../src/mcp/catalogue/catalogue.js';
import { differencesIn, wireSlice } from '../../../src/mcp/wire/wire-text.js';
import { connect } from '../../../src/mcp/index.js';
import { toolNamed } from '../calling.js';
import { fc } from '../../../test-support/fuzz.js';
import { stdioServer } from '../../../test-support/servers/stdio.js';
import { given, closeAfterEach, connected } from '../serving.js';

closeAfterEach();

const schema =
  '{ "type":"object",\t"properties" : {"10":{"maximum":12345678901234567890},"2":{"const":1.0}},"a\\u0027":1}';
const tool = `{"name":"odd" , "inputSchema":${schema}, "x":[1e2,{}]}`;

/** The JSON text of a server's list with these entries. */
function listed(tools: string, envelope = (result: string) => `{"jsonrpc":"2.0","id":1,"result":${result}}`) {
  const text = envelope(`{"tools":${tools}}`);
  const body = JSON.parse(text) as { result?: { tools: unknown[] } } | { result: { tools: unknown[] } }[];
  const message = Array.isArray(body) ? body.at(-1) : body;
  const wire = Array.isArray(body) ? { text, batchIndex: body.length - 1 } : { text };
  return catalogueOf([{ entries: message?.result?.tools ?? [], wire }]);
}

test.each<[string, (result: string) => string]>([
  ['an answer', (result) => `{"jsonrpc":"2.0","id":1,"result":${result}}`],
  ['an answer with white space', (result) => ` {\n "result" : ${result} ,\r\n "id" : 1 , "jsonrpc" : "2.0" } `],
  ['a batch', (result) => `[{"jsonrpc":"2.0","method":"a,]}\\""}, {"jsonrpc":"2.0","id":1,"result":${result}}]`],
  ['an answer with two results', (result) => `{"jsonrpc":"2.0","id":1,"result":{"tools":[{}]},"result":${result}}`],
])("A tool's text is the original of %s, to the character", (_, envelope) => {
  const { tools } = listed(`[ null, ${tool} ,{"name":"plain","inputSchema":{}}]`, envelope);
  expect(tools.map(({ text }) => text)).toEqual([
    { definition: tool, inputSchema: schema },
    { definition: '{"name":"plain","inputSchema":{}}', inputSchema: '{}' },
  ]);
});

test("A tool's text is also the original with characters of several bytes", () => {
  const characters = 'é中😀\u00a0\ufeff\u2028';
  const texts = ['a', 'b'].map((name) => `{"name":"${name}","inputSchema":{},"${characters}":"${characters}"}`);
  expect(listed(`[${texts.join()}]`).tools.map(({ text }) => text?.definition)).toEqual(texts);
});

test('A session has the texts of the tools of every page', async () => {
  const server = await given({
    'tools/list': ({ message: { id, params }, status }) => {
      const isSecond = params?.['cursor'] === 'two';
      const page = isSecond ? `"tools":[${tool.replace('odd', 'second')}]` : `"tools":[${tool}],"nextCursor":"two"`;
      status(200, `{"jsonrpc":"2.0","id":${id},"result":{${page}}}`, { 'content-type': 'application/json' });
    },
  });
  const { tools } = await (await connected(server)).listTools();
  expect(tools.map(({ text }) => text?.definition)).toEqual([tool, tool.replace('odd', 'second')]);
  const held = expect.stringContaining('12345678901234567890 is held as 12345678901234567000') as string;
  const first = expect.stringContaining('come first') as string;
  expect(tools[0]?.notes.filter(({ code }) => code === 'inexact-text')).toMatchObject([
    { message: held, schemaLocation: '#/properties/10/maximum' },
    { message: first, schemaLocation: '#/properties' },
  ]);
});

test("A tool's text parses to the tool, whatever the list holds", () => {
  const value = fc.jsonValue({ maxDepth: 5 });
  const inputSchema = fc.dictionary(fc.string(), value);
  const entry = fc.record({ name: fc.string({ minLength: 1 }), inputSchema, rest: value });
  const indent = fc.constantFrom(undefined, 1, '\t');
  fc.assert(
    fc.property(fc.array(entry), indent, (entries, space) => {
      const { tools } = listed(JSON.stringify(entries, null, space));
      for (const { text, definition, inputSchema } of tools) {
        expect(JSON.parse(text?.definition ?? '')).toEqual(definition);
        expect(JSON.parse(text?.inputSchema ?? '')).toEqual(inputSchema);
      }
    }),
  );
});

const differences = JSON.parse(readFileSync(new URL('./differences.json', import.meta.url), 'utf8')) as [
  text: string,
  found: ReturnType<typeof differencesIn>,
][];

describe('differences between a text and its parsed form', () => {
  test.each(differences)('A difference between a text and its parsed form is found: %s has %j', (text, found) => {
    expect(differencesIn(text)).toEqual(found);
  });

  test('Every integer and list of names that parsing changes is found', () => {
    // Larger numbers are written with an exponent.
    fc.assert(
      fc.property(fc.stringMatching(/^[1-9]\d{0,20}$/), (number) => {
        expect(differencesIn(number).length === 0).toBe(String(Number(number)) === number);
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.nat(50).map(String), fc.string())), (names) => {
        const text = `{${names.map((name) => `${JSON.stringify(name)}:0`).join(',')}}`;
        const same = JSON.stringify(Object.keys(JSON.parse(text) as object)) === JSON.stringify(names);
        expect(differencesIn(text).length === 0).toBe(same);
      }),
    );
  });

  test('Differences are found in one pass at any depth', () => {
    const deep = `${'['.repeat(200_000)}12345678901234567890${']'.repeat(200_000)}`;
    expect(differencesIn(deep)).toHaveLength(1);
  });

  test('At most twenty differences are reported', () => {
    expect(differencesIn(`[${'1e400,'.repeat(100)}1]`)).toHaveLength(20);
  });
});

describe('a call', () => {
  const numbers = '{"id": 12345678901234567890, "price":1.0,\n"big":1e400}';

  test('A call sends arguments as they are written, and returns the original text of its result', async () => {
    const returned = '{"content":[],"structuredContent":{"id":12345678901234567890}}';
    const server = await given({
      'tools/call': ({ message: { id }, status }) =>
        status(200, `{"jsonrpc":"2.0","result":${returned},"id":${id}}`, { 'content-type': 'application/json' }),
    });
    const session = await connected(server);
    const args = JSON.parse(numbers) as Record<string, unknown>;
    const result = await session.callTool(toolNamed('a "arguments":{}'), args, { argumentsText: numbers });
    expect(server.seen.at(-1)?.text).toContain('"arguments":{"id": 12345678901234567890, "price":1.0, "big":1e400}');
    expect(server.seen.at(-1)?.message.params).toMatchObject({ name: 'a "arguments":{}' });
    expect(result.rawText).toBe(returned);
    expect(JSON.stringify(result)).not.toContain('rawText');
  });

  test('A call does not send a text that differs from the checked arguments', async () => {
    const session = await connected(await given({}));
    for (const argumentsText of ['{"a":2}', '{"a":1', '{"a":1}, "b":{}']) {
      await expect(session.callTool(toolNamed('echo'), { a: 1 }, { argumentsText })).rejects.toThrow(TypeError);
    }
  });

  test('A call over stdio is sent on one line', async () => {
    await using session = await connect(stdioServer());
    const argumentsText = '{\r\n"a":\n[1]}';
    const { structuredContent } = await session.callTool(toolNamed('echo'), { a: [1] }, { argumentsText });
    expect(structuredContent).toEqual({ a: [1] });
  });
});

test('A part that a message lacks has no text', () => {
  expect(wireSlice({ text: '{"result":{}}' }, ['result', 'tools'])).toBeUndefined();
  expect(wireSlice({ text: '[]', batchIndex: 1 }, ['result'])).toBeUndefined();
});
