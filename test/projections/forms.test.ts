import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { formArguments, formFields, FormValueError } from '../../src/index.js';
import { formArgumentsText, formLimits, signature } from '../../src/projections/index.js';
import { checkArguments } from '../../src/tool/index.js';
import { integer, members, object, string, texts, times, to } from '../../test-support/schemas/short.js';

const { moments, typed } = JSON.parse(readFileSync(new URL('./forms.json', import.meta.url), 'utf8')) as {
  moments: [value: string, timeZone: string, expected: string][];
  typed: [name: string, typed: string, json: string][];
};

/** n8n gives this class to expressions; it has no types here. */
const { DateTime } = createRequire(import.meta.resolve('n8n-workflow'))('luxon') as {
  DateTime: { fromISO(text: string, options: object): object; invalid(reason: string): object };
};

const schema = {
  type: 'object',
  properties: {
    query: { type: 'string', title: 'Search text', description: 'What to look for' },
    limit: { type: ['integer', 'null'], minimum: 0, exclusiveMaximum: 101, default: 10 },
    ratio: { type: 'number', minimum: 0.5 },
    exact: { type: 'boolean', default: false },
    status: { enum: ['a', 3, null, true] },
    level: {
      oneOf: [
        { const: 1, title: 'Low' },
        { const: 2, title: 'High' },
      ],
    },
    since: { type: 'string', format: 'date' },
    at: to('moment'),
    tags: { anyOf: [{ type: 'array', items: string }, { type: 'null' }] },
    filter: to('filter'),
    either: { anyOf: [string, integer] },
    merged: { allOf: [integer, { minimum: 5 }], title: 'Merged' },
    anything: {},
  },
  required: ['query', 'filter', 'undescribed'],
  $defs: {
    moment: { type: 'string', format: 'date-time', description: 'A moment' },
    filter: object({ depth: integer, and: { type: 'array', items: to('filter') } }, { required: ['depth'] }),
  },
};

const fields = formFields({ inputSchema: schema });
const field = (name: string) => fields.find((candidate) => candidate.name === name);

describe('formFields', () => {
  test('A form has a field for each property in order, and for each required but undescribed one', () => {
    expect(fields.map(({ name, type }) => `${name}: ${type}`)).toEqual([
      ...['query: string', 'limit: number', 'ratio: number', 'exact: boolean', 'status: options', 'level: options'],
      ...['since: date-time', 'at: date-time', 'tags: array', 'filter: object', 'either: json', 'merged: number'],
      ...['anything: json', 'undescribed: json'],
    ]);
    const required = fields.filter((each) => each.required).map(({ name }) => name);
    expect(required).toEqual(['query', 'filter', 'undescribed']);
  });

  test.each([
    ['query', { title: 'Search text', description: 'What to look for', nullable: false, hint: 'string' }],
    ['limit', { title: 'limit', integer: true, minimum: 0, maximum: 100, default: 10, nullable: true }],
    ['limit', { hint: 'integer ≥ 0 and < 101 | null' }],
    ['ratio', { integer: false, minimum: 0.5 }],
    ['exact', { default: false }],
    ['since', { format: 'date' }],
    ['at', { format: 'date-time', description: 'A moment' }],
    ['tags', { nullable: true, example: ['text'] }],
    ['merged', { title: 'Merged', integer: true, minimum: 5 }],
    ['either', { hint: 'string | integer' }],
  ])('The field %s has all that its schema says', (name, expected) => {
    expect(field(name)).toMatchObject(expected);
  });

  test('A form has listed values in their real types', () => {
    expect(field('status')?.options).toEqual([
      { label: 'a', value: 'a', key: '"a"' },
      { label: '3', value: 3, key: '3' },
      { label: 'null', value: null, key: 'null' },
      { label: 'true', value: true, key: 'true' },
    ]);
    expect(field('level')?.options).toEqual([
      { label: 'Low', value: 1, key: '1' },
      { label: 'High', value: 2, key: '2' },
    ]);
  });

  test('A form gives examples that the schema accepts', () => {
    expect(field('filter')?.example).toMatchObject({ depth: expect.any(Number) });
    const example = { query: 'x', undescribed: 1, filter: field('filter')?.example, tags: field('tags')?.example };
    expect(checkArguments({ name: 't', inputSchema: schema }, example).repairs).toEqual([]);
  });

  test('A form shows the fields of all alternatives at the root', () => {
    const anyOf = [{ properties: { a: string }, required: ['a'] }, { properties: { b: integer } }];
    expect(formFields({ inputSchema: { anyOf } })).toMatchObject([
      { name: 'a', required: false },
      { name: 'b', required: false },
    ]);
    expect(formLimits({ inputSchema: { anyOf } }).join()).toContain('2 alternatives');
  });

  test('A field takes the parts that all its alternatives have in common', () => {
    const inside = object({ area: { const: 'inside' } }, { required: ['area'] });
    const seating = { anyOf: [inside, { properties: { heater: { type: 'boolean' } } }] };
    const id = { anyOf: ['uuid', 'email'].map((format) => ({ type: 'string', format })) };
    const size = { anyOf: [integer, { type: 'number' }] };
    expect(formFields({ inputSchema: { properties: { seating, id, size } } })).toMatchObject([
      { type: 'object', example: { area: 'inside' } },
      { type: 'string' },
      { type: 'number' },
    ]);
  });

  test('A form with a limit keeps the required fields first, in their order, and says so', () => {
    const large = object(members(['a', 'b', 'c', 'd', 'e']), { required: ['e', 'c'] });
    expect(formFields({ inputSchema: large }, { limit: 3 }).map(({ name }) => name)).toEqual(['a', 'c', 'e']);
    expect(formLimits({ inputSchema: large }, { limit: 3 })).toEqual([
      'The form shows 3 of 5 arguments, the required ones first; the others can only be given as JSON.',
    ]);
    expect(formFields({ inputSchema: large }, { limit: 5 })).toHaveLength(5);
    expect(formLimits({ inputSchema: large }, { limit: 5 })).toEqual([]);
  });

  test('A form reads its other fields even if one field never ends', () => {
    const $defs = members(texts(40, 'd'), (at) => ({ anyOf: times(6, () => object({ a: to(`d${at + 1}`) })) }));
    const endless = { type: 'array', items: to('d0') };
    const plain = object({ n: integer });
    expect(formFields({ inputSchema: { properties: { endless, plain }, $defs } }).at(-1)).toMatchObject({
      name: 'plain',
      hint: 'object',
      example: { n: 1 },
    });
    expect(formLimits({ inputSchema: { properties: { endless }, $defs } })).toEqual([]);
  });

  test('A form of a schema that takes too long to read shows fields for any JSON, and says so', () => {
    const properties = members(texts(110_000));
    const late = { properties: { ...properties, last: { allOf: [{ properties }, { properties }] } } };
    expect(formFields({ inputSchema: late }).at(-1)).toMatchObject({ name: 'last', type: 'json', hint: '…' });
    const twice = { allOf: [{ properties }, { properties: { p0: {} } }], properties: { own: {} } };
    expect(formLimits({ inputSchema: twice }).join()).toContain('too large to be read whole');
    expect(signature({ inputSchema: twice })).toMatch(/…$/);
  });
});

test('formLimits says what only JSON can express', () => {
  expect(formLimits({ inputSchema: schema })).toEqual([]);
  const open = { patternProperties: { '^x-': {} }, additionalProperties: string };
  const limits = formLimits({ inputSchema: { ...open, if: {}, then: {} } });
  expect(limits).toHaveLength(3);
  expect(limits.join()).toContain('^x-');
});

describe('formArguments', () => {
  test("A form's content is turned into arguments", () => {
    const args = formArguments(fields, { query: 'cats', limit: '20', filter: '{"depth": "2"}', undescribed: {} });
    expect(args).toEqual({ query: 'cats', limit: 20, filter: { depth: '2' }, undescribed: {} });
    const checked = checkArguments({ name: 't', inputSchema: schema }, args);
    expect(checked.arguments).toMatchObject({ limit: 20, filter: { depth: 2 } });
  });

  test.each<[string, unknown, unknown]>([
    ['exact', true, true],
    ['status', '3', 3],
    ['level', 'High', 2],
    ['since', '2026-01-31T00:00:00', '2026-01-31'],
    ['tags', '["a", "b"]', ['a', 'b']],
    ['either', '5', '5'],
    ['either', 'null', 'null'],
    ['anything', '[1]', [1]],
    ['anything', 'just text', 'just text'],
    ['unknown', 7, 7],
    ['limit', '', undefined],
    ['limit', null, null],
    ['limit', 5, 5],
    ['ratio', null, undefined],
    ['query', null, null],
    ['query', '', ''],
    ['either', '', undefined],
    ['at', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['since', new Date(0), '1970-01-01'],
    ['status', null, null],
    ['status', 'null', null],
    ['status', '"a"', 'a'],
    ['status', 'unlisted', 'unlisted'],
    ['tags', ['x'], ['x']],
    ['tags', ' ', undefined],
    ['exact', undefined, undefined],
  ])('The field %s with %j in it means %j', (name, value, expected) => {
    expect(formArguments(fields, { [name]: value })).toEqual(expected === undefined ? {} : { [name]: expected });
  });

  test.each(moments)('A form takes the moment %s in %s for %s', (value, timeZone, expected) => {
    expect(formArguments(fields, { at: value }, { timeZone })).toEqual({ at: expected });
  });

  const inBerlin = { timeZone: 'Europe/Berlin' };

  test.each<[unknown, string]>([
    ['2026-07-31', '2026-07-31'],
    ['2026-07-31T23:30:00', '2026-07-31'],
    ['2026-07-31T22:30:00.000Z', '2026-08-01'],
    ['2026-07-31T23:30:00.000-04:00', '2026-08-01'],
    ['2026-12-31T22:30:00Z', '2026-12-31'],
    [new Date('2026-07-31T22:30:00Z'), '2026-08-01'],
    [DateTime.fromISO('2026-07-31T22:30:00Z', { zone: 'utc' }), '2026-08-01'],
    [runInNewContext("new Date('2026-07-31T22:30:00Z')"), '2026-08-01'],
  ])('A form gives the day of %s in its time zone', (value, day) => {
    expect(formArguments(fields, { since: value }, inBerlin)).toEqual({ since: day });
  });

  test.each<[string, unknown]>([
    ['since', 'soon'],
    ['since', '2026-02-30'],
    ['since', '2026-02-30T12:00:00Z'],
    ['at', '2026-99-99T12:00:00'],
    ['at', '2026-01-31T25:00:00'],
    ['at', new Date(NaN)],
    ['since', DateTime.invalid('no date')],
    ['query', new Date(NaN)],
  ])('The field %s refuses the invalid date %s', (name, value) => {
    expect(() => formArguments(fields, { [name]: value }, inBerlin)).toThrow(FormValueError);
  });

  const alike = formFields({ inputSchema: object({ v: { enum: [1, '1', true, 'true', null, 'null'] } }) });

  test('A form tells apart choices that look alike', () => {
    const options = alike[0]?.options ?? [];
    expect(options.map(({ label }) => label)).toEqual(['1', '"1"', 'true', '"true"', 'null', '"null"']);
    for (const { label, key, value } of options) {
      expect(formArguments(alike, { v: key })).toEqual({ v: value });
      expect(formArguments(alike, { v: label })).toEqual({ v: value });
    }
    expect(formArguments(alike, { v: true })).toEqual({ v: true });
  });

  const open = formFields({
    inputSchema: object({
      id: { type: ['string', 'integer'] },
      count: { type: ['integer', 'boolean'] },
      auto: { anyOf: [integer, { const: 'auto' }] },
      names: { anyOf: [string, { type: 'array', items: string }] },
      price: { type: 'number' },
      data: { type: 'object' },
      list: { type: 'array' },
    }),
  });

  test.each(typed)('The field %s carries the typed text %s as %s', (name, typed, json) => {
    expect(formArgumentsText(open, { [name]: typed })).toBe(`{"${name}":${json}}`);
  });

  test.each<[string, unknown]>([
    ['price', 900719925474099312],
    ['price', Infinity],
    ['data', { a: NaN }],
  ])('The field %s refuses the number %s, which may have been rounded or has no JSON', (name, value) => {
    expect(() => formArguments(open, { [name]: value })).toThrow(FormValueError);
  });

  test.each([
    ['price', '1E400'],
    ['count', '900719925474099312'],
    ['data', '{"id":12345678901234567890}'],
  ])('The field %s refuses the typed number %s, which an object cannot hold', (name, typed) => {
    expect(() => formArguments(open, { [name]: typed })).toThrow(FormValueError);
  });

  test('A form accepts an integer of any size', () => {
    expect(formArgumentsText(open, { price: 2n ** 63n })).toBe('{"price":9223372036854775808}');
  });

  test.each([
    ['tags', '[1,', 'array'],
    ['filter', '[]', 'object'],
    ['filter', 'null', 'object'],
    ['filter', 'text', 'object'],
  ])('The field %s refuses the text %s', (name, value, wanted) => {
    expect(() => formArguments(fields, { [name]: value })).toThrow(FormValueError);
    expect(() => formArguments(fields, { [name]: value })).toThrow(new RegExp(`"${name}".*${wanted}`));
  });
});
