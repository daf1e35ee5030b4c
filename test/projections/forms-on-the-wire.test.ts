import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callTool, connect, InvalidArgumentsError, type Session } from '../../src/index.js';
import { parseJson } from '../../src/json/index.js';
import { formArgumentsText, formFields, FormValueError } from '../../src/projections/index.js';
import { sampled } from '../../test-support/law-runs.js';
import { ajvFor } from '../../test-support/schemas/ajv.js';
import { corpusTools } from '../../test-support/schemas/corpus.js';
import { sharedFolder } from '../../test-support/shared.js';
import { startRawServer, type RawServer } from '../../test-support/servers/raw-server.js';

let server: RawServer;
let session: Session;
beforeAll(async () => {
  server = await startRawServer();
  session = await connect({ url: server.url });
});
afterAll(async () => {
  await session.close();
  await server[Symbol.asyncDispose]();
});

/**
 * The member of the arguments that the server received; undefined if a reported error kept the call from being sent.
 */
async function received(inputSchema: object, name: string, typed: unknown, form = formFields({ inputSchema })) {
  server.play((method) => {
    if (method === 'tools/list') return { result: JSON.stringify({ tools: [{ name: 'work', inputSchema }] }) };
    return method === 'tools/call' ? { result: '{"content":[]}' } : undefined;
  });
  session.forgetTools();
  const [tool] = (await session.listTools()).tools;
  try {
    const argumentsText = formArgumentsText(form, { [name]: typed }, { timeZone: 'Europe/Berlin' });
    const args = JSON.parse(argumentsText) as object;
    const { repairs } = await callTool(session, tool!, args, { argumentsText });
    const { text = '' } = server.received.find(({ method }) => method === 'tools/call') ?? {};
    const sent = text.slice(text.indexOf('"arguments":') + '"arguments":'.length, text.lastIndexOf(',"_meta"'));
    return { sent, repaired: repairs.length > 0 };
  } catch (error) {
    if (error instanceof FormValueError || error instanceof InvalidArgumentsError) return undefined;
    throw error;
  }
}

const one = (name: string, json: string) => `{${JSON.stringify(name)}:${json}}`;

const typedTexts = [
  ...['900719925474099312', '1.10', '1e5', '1E400', '-0', '1.0', '+5', '0x10', 'NaN', '0042', ' 7 ', '\t', '٣'],
  ...['\u202e12'],
  ...['null', 'true', '"quoted"', '{"id":12345678901234567890}', '[12345678901234567890, 1.10]', '["a"]', '[1E400]'],
];

const corpus = sharedFolder('corpus');

describe.skipIf(corpus === undefined)('Text typed for a published tool that takes text or something else', () => {
  const seen = new Set<string>();
  const open = sampled(corpus === undefined ? [] : corpusTools(corpus), 12).flatMap((tool) => {
    const inputSchema = { ...Object(tool.inputSchema), required: [] } as {
      $schema?: unknown;
      properties: Record<string, unknown>;
    };
    const fields = formFields({ inputSchema }).filter(({ type }) => type === 'json');
    // A field that another tool has, too, is tested once.
    const isNew = (text: string) => seen.size < seen.add(text).size;
    return fields
      .filter(({ name }) => isNew(JSON.stringify(inputSchema.properties[name])))
      .map(({ name }) => ({ ...tool, inputSchema, name }));
  });

  test('Text typed for a published tool is sent as a string if Ajv accepts it, or else as it was typed or not at all', async () => {
    const wrong: string[] = [];
    for (const { server: from, inputSchema, name } of open) {
      const takes = oracle(inputSchema);
      for (const typed of typedTexts) {
        const got = await received(inputSchema, name, typed);
        const json = parseJson(typed);
        const isContainer = typeof json === 'object' && json !== null && takes({ [name]: json });
        const expected = takes({ [name]: typed }) && !isContainer ? JSON.stringify(typed) : typed.trim();
        if (got === undefined ? !takes({ [name]: typed }) : got.repaired || got.sent === one(name, expected)) continue;
        wrong.push(`${from} ${name}: ${typed} -> ${got?.sent}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(open.length).toBeGreaterThan(5);
  }, 600_000);

  function oracle(schema: { $schema?: unknown }) {
    const { $schema, ...rest } = schema;
    return ajvFor(String($schema).includes('2020') ? '2020-12' : 'draft-07').compile(rest);
  }
});

const object = (v: unknown, more: object = {}) => ({ type: 'object', properties: { v }, ...more });

test.each<[schema: unknown, typed: string, json: string | undefined]>([
  // An integer or a string, nullable or not.
  [{ type: ['string', 'null'] }, 'null', '"null"'],
  [{ type: ['integer', 'null'] }, 'null', 'null'],
  [{ type: ['string', 'integer', 'null'] }, 'null', '"null"'],
  [{ type: ['integer', 'boolean'] }, '-0', '-0'],
  [{ type: ['integer', 'boolean'] }, '1.0', '1.0'],
  [{ type: ['integer', 'boolean'] }, '9'.repeat(400), undefined],
  [{ type: ['integer', 'boolean'] }, '9'.repeat(300), '9'.repeat(300)],
  ...['+5', '0x10', 'NaN', 'Infinity', '-Infinity', '٣', '１２', '1_000', '5,', '05', '.5', '5.', '5\u00a0'].map(
    (typed): [unknown, string, undefined] => [{ type: ['integer', 'boolean'] }, typed, undefined],
  ),
  // Choices beside other alternatives.
  [{ anyOf: [{ enum: ['auto', '1'] }, { type: 'integer' }] }, '1', '"1"'],
  [{ anyOf: [{ enum: ['auto', '1'] }, { type: 'integer' }] }, '2', '2'],
  [{ anyOf: [{ const: null }, { type: 'string', pattern: '^\\d{4}$' }] }, '2026', '"2026"'],
  [{ enum: [1, '1', null, 'null', true, 'true'] }, '1', '1'],
  [{ enum: [1, '1', null, 'null', true, 'true'] }, '"1"', '"1"'],
  [{ enum: [1, '1', null, 'null', true, 'true'] }, 'null', 'null'],
  // Lists and their items.
  [{ type: ['array', 'string'] }, ' [ 1.10 ,1E400] ', '[ 1.10 ,1E400]'],
  [{ type: ['array', 'string'], items: { type: 'string' } }, '[1]', '"[1]"'],
  [{ type: 'array' }, '[{"a":[{"b":12345678901234567890}]}]', '[{"a":[{"b":12345678901234567890}]}]'],
  [
    { type: 'object' },
    '{"a":1,"__proto__":{"b":12345678901234567890}}',
    '{"a":1,"__proto__":{"b":12345678901234567890}}',
  ],
  [{ type: 'object' }, '\ufeff{}', undefined],
  // No type.
  [{}, '1E400', '"1E400"'],
  [true, '1E400', '"1E400"'],
  [{}, '{"far":1E400}', '{"far":1E400}'],
  [{}, '\u202e12', '"\u202e12"'],
  [{}, '  ', '"  "'],
  [{ type: ['number', 'boolean'] }, '  ', undefined],
])("An attacker's input into %j is sent as it should be: %s", async (schema, typed, json) => {
  const got = await received(object(schema, { additionalProperties: false, required: ['v'] }), 'v', typed);
  expect(got).toEqual(json === undefined ? undefined : { sent: one('v', json), repaired: false });
});

test.each([
  ['1E400', '1E400'],
  ['-1E-400', '-1E-400'],
])("An attacker's number %s is sent as it is written, or refused", async (typed, json) => {
  const got = await received(object({ type: ['number', 'boolean'] }), 'v', typed);
  expect([undefined, { sent: one('v', json), repaired: false }]).toContainEqual(got);
});

test("An attacker's input follows the same rule in a form that went through JSON", async () => {
  const inputSchema = object({ type: ['integer', 'boolean'] });
  const form = JSON.parse(JSON.stringify(formFields({ inputSchema }))) as ReturnType<typeof formFields>;
  expect(await received(inputSchema, 'v', '900719925474099312', form)).toMatchObject({
    sent: one('v', '900719925474099312'),
  });
});
