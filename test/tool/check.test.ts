import { describe, expect, test } from 'vitest';
import { checkArguments, type ToolOptions } from '../../src/tool/index.js';
import { refusal } from './refusal.js';

const uuid = '123e4567-e89b-12d3-a456-426614174000';

/** The tool of the project's main job: everything that schemas of real servers do at once. */
const findPersons = {
  name: 'find_relatives',
  inputSchema: {
    type: 'object',
    properties: {
      queries: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          properties: {
            group: { type: 'string', format: 'uuid' },
            emailExact: { type: 'string', format: 'email' },
            ageMin: { type: 'integer', minimum: 0, maximum: 150 },
            status: { enum: ['a', 'b', 3, null] },
          },
          required: ['group'],
          additionalProperties: false,
        },
      },
      limit: { type: ['integer', 'null'], format: 'uint', minimum: 0, default: 10 },
      tags: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }] },
      filter: { $ref: '#/$defs/filter' },
    },
    required: ['queries'],
    patternProperties: { '^x-': true },
    additionalProperties: false,
    $defs: {
      filter: {
        type: 'object',
        properties: { depth: { type: 'integer' }, and: { type: 'array', items: { $ref: '#/$defs/filter' } } },
      },
    },
  },
};

const property = (schema: unknown, name = 'value') => ({
  name: 'tool',
  inputSchema: { type: 'object', properties: { [name]: schema } },
});

describe('beside what was wanted, models are sent what they do again otherwise', () => {
  const advice = (schema: unknown, value: unknown, options?: ToolOptions) =>
    refusal(property(schema), { value }, options).advice;
  const strings = { type: 'array', items: { type: 'string' } };

  test.each([
    ['cut short', strings, '["a", "b"'],
    ['with comments', { type: 'object' }, ' {"a": 1 /* one */}'],
    ['of an optional list', { anyOf: [strings, { type: 'null' }] }, '[a b]'],
  ])('the text of a list or an object, %s', (_, schema, text) => {
    expect(advice(schema, text)).toBe('Correct them and call it again. Send a list or an object itself, not its text.');
  });

  test.each([
    ['another text', strings, 'a, b'],
    ['a text in brackets where a number is wanted', { type: 'number' }, '[5]x'],
    ['null within a list', { type: 'array', items: { type: 'string' } }, [null]],
  ])('but not of %s', (_, schema, value) => {
    expect(advice(schema, value)).toBe('Correct them and call it again.');
  });
});

describe('checkArguments', () => {
  test('repairs both integers, keeps the pattern property and adds nothing', () => {
    const { arguments: checked, repairs } = checkArguments(findPersons, {
      queries: [{ group: uuid, ageMin: '30' }],
      limit: '100',
      'x-trace': 'abc',
    });
    expect(JSON.stringify(checked)).toBe(`{"queries":[{"group":"${uuid}","ageMin":30}],"limit":100,"x-trace":"abc"}`);
    expect(repairs).toHaveLength(2);
    expect(repairs).toEqual(
      expect.arrayContaining([
        { instanceLocation: '/limit', kind: 'integer', from: '100', to: 100 },
        { instanceLocation: '/queries/0/ageMin', kind: 'integer', from: '30', to: 30 },
      ]),
    );
  });

  test('refuses the same call with the repairs off, naming each place, what was expected and what came', () => {
    const { message } = refusal(
      findPersons,
      { queries: [{ group: uuid, ageMin: '30' }], limit: '100' },
      { repairs: { integers: false } },
    );
    expect(message).toContain('find_relatives');
    expect(message).toMatch(/\/limit.*integer or null.*"100"/);
    expect(message).toMatch(/\/queries\/0\/ageMin.*integer.*"30"/);
  });

  test.each([
    ['abc', /\/limit.*integer or null.*"abc"/],
    [-1, /\/limit.*>= 0.*-1/],
    ['-1', /\/limit.*>= 0.*"-1"/],
  ])('names every violation of {"limit": %j}, the missing queries too', (limit, expected) => {
    const { message, report } = refusal(findPersons, { limit });
    expect(message).toMatch(expected);
    expect(message).toContain('queries');
    expect(report.violations).toHaveLength(2);
  });

  test('hands on the very object where nothing was repaired', () => {
    const args = { queries: [{ group: uuid }] };
    expect(checkArguments(findPersons, args).arguments).toBe(args);
  });

  test.each([[undefined], [null]])('takes %j as no arguments', (args) => {
    expect(checkArguments({ name: 'tool', inputSchema: { type: 'object' } }, args).arguments).toEqual({});
  });

  test.each([['{}'], [5], [true], [['a']]])('refuses %j as arguments, even where the schema says nothing', (args) => {
    const { report } = refusal(
      { name: 'tool', inputSchema: { $schema: 'http://json-schema.org/draft-07/schema#' } },
      args,
    );
    expect(report.violations[0]).toMatchObject({ parameter: '', expectedTypes: ['object'] });
  });

  test('parses arguments that came as their JSON text where that repair is on', () => {
    const text = JSON.stringify({ queries: [{ group: uuid, ageMin: '30' }] });
    expect(checkArguments(findPersons, text, { repairs: { json: true } }).arguments).toEqual({
      queries: [{ group: uuid, ageMin: 30 }],
    });
  });

  test('asserts formats only when asked to', () => {
    const args = { queries: [{ group: 'no uuid' }] };
    expect(checkArguments(findPersons, args).arguments).toBe(args);
    expect(refusal(findPersons, args, { assertFormats: true }).message).toContain('/queries/0/group');
  });

  test('accepts a property that a dangling reference says nothing about only when told to', () => {
    const tool = property({ $ref: '#/components/schemas/missing' });
    const { message, report } = refusal(tool, { value: 1 });
    expect(message).toMatch(/Could not check whether \/value is valid/);
    expect(message).toMatch(/\nIf that parameter is optional, leave it out\.$/);
    expect(report.violations).toMatchObject([
      { parameter: 'value', location: '/value', receivedType: 'integer', receivedValue: 1 },
    ]);
    const { arguments: checked, warnings } = checkArguments(tool, { value: 1 }, { whenUndetermined: 'allow' });
    expect(checked).toEqual({ value: 1 });
    expect(warnings).toMatchObject([{ code: 'arguments-undetermined' }]);
    expect(checkArguments(tool, {}).warnings).toEqual([]);
  });

  test('refuses definite violations even where the undetermined is let through', () => {
    const tool = { name: 'tool', inputSchema: { properties: { a: { $ref: '#/nowhere' }, b: { type: 'integer' } } } };
    expect(refusal(tool, { a: 1, b: 'x' }, { whenUndetermined: 'allow' }).message).toContain('/b');
  });
});

describe('the structured report', () => {
  test('is stable JSON', () => {
    const { report } = refusal(findPersons, {
      queries: [{ group: uuid, ageMin: 'old', status: 'c' }],
      tags: 5,
      extra: true,
    });
    expect(JSON.parse(JSON.stringify(report))).toMatchObject({
      status: 'error',
      code: 'INVALID_ARGUMENTS',
      tool: 'find_relatives',
      violations: expect.arrayContaining([
        {
          parameter: 'queries[0].ageMin',
          location: '/queries/0/ageMin',
          expectedTypes: ['integer'],
          receivedType: 'string',
          receivedValue: 'old',
          message: expect.stringContaining('/queries/0/ageMin'),
        },
        expect.objectContaining({ parameter: 'queries[0].status', receivedValue: 'c' }),
        expect.objectContaining({
          parameter: 'tags',
          expectedTypes: ['array', 'null'],
          receivedType: 'integer',
          receivedValue: 5,
        }),
        expect.objectContaining({ parameter: 'extra', location: '/extra' }),
      ]),
    });
  });

  test('says what a missing parameter should have been', () => {
    expect(refusal(findPersons, {}).report.violations).toEqual([
      {
        parameter: 'queries',
        location: '/queries',
        expectedTypes: ['array'],
        receivedType: 'missing',
        message: expect.stringContaining('queries'),
      },
    ]);
  });

  test.each([
    ['-1', 'string'],
    [-1, 'integer'],
  ])('names the expected type where only the value %j is wrong', (value, receivedType) => {
    expect(refusal(property({ type: ['integer', 'null'], minimum: 0 }), { value }).report.violations).toMatchObject([
      { parameter: 'value', expectedTypes: ['integer', 'null'], receivedType, receivedValue: value },
    ]);
  });

  test('shortens long values', () => {
    const error = refusal(property({ type: 'integer' }), { value: 'x'.repeat(100_000) });
    expect(JSON.stringify(error.report).length).toBeLessThan(1000);
    expect(error.message.length).toBeLessThan(1000);
  });

  test.each(['password', 'apiKey', 'access_token', 'client-secret', 'api-key', 'Token', 'userPassword'])(
    'hides what came as %s',
    (name) => {
      const secret = 'hunter2-hunter2';
      for (const args of [{ [name]: secret }, { [name]: { inner: [secret] } }]) {
        const error = refusal(property({ type: 'integer' }, name), args);
        expect(error.message).not.toContain(secret);
        expect(JSON.stringify(error.report)).not.toContain(secret);
        expect(JSON.stringify(error)).not.toContain(secret);
        expect(error.report.violations[0]?.parameter).toBe(name);
      }
    },
  );

  test('hides a secret within a larger value', () => {
    const error = refusal(property({ type: 'string' }, 'login'), { login: { user: 'me', password: 'hunter2' } });
    expect(error.message + JSON.stringify(error.report)).not.toContain('hunter2');
    expect(error.report.violations[0]?.receivedValue).toMatchObject({ user: 'me' });
  });

  test.each(['maxTokens', 'keywords', 'monkey'])('shows what came as %s', (name) => {
    expect(refusal(property({ type: 'integer' }, name), { [name]: 'many' }).report.violations[0]?.receivedValue).toBe(
      'many',
    );
  });
});
