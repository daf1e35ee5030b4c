import { describe, expect, test } from 'vitest';
import { checkArguments, type ToolOptions } from '../../src/tool/index.js';
import { integer, object, string } from '../../test-support/schemas/short.js';
import { findPersons } from '../langchain/tools.js';
import { refusal } from './refusal.js';

const uuid = '123e4567-e89b-12d3-a456-426614174000';

const property = (schema: unknown, name = 'value') => ({ name: 'tool', inputSchema: object({ [name]: schema }) });

describe('beside what was wanted, models are sent what they do again otherwise', () => {
  const advice = (schema: unknown, value: unknown, options?: ToolOptions) =>
    refusal(property(schema), { value }, options).advice;
  const strings = { type: 'array', items: string };

  test.each([
    ['cut short', strings, '["a", "b"'],
    ['with comments', { type: 'object' }, ' {"a": 1 /* one */}'],
    ['of an optional list', { anyOf: [strings, { type: 'null' }] }, '[a b]'],
  ])('the text of a list or an object, %s', (_, schema, text) => {
    expect(advice(schema, text)).toBe('Correct them and call it again. Send a list or an object itself, not its text.');
  });

  test.each([
    ['another text', strings, 'a, b'],
    ['a text in brackets for a number', { type: 'number' }, '[5]x'],
    ['null within a list', strings, [null]],
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
    expect(repairs.toSorted((left, right) => (left.instanceLocation < right.instanceLocation ? -1 : 1))).toEqual([
      { instanceLocation: '/limit', kind: 'integer', from: '100', to: 100 },
      { instanceLocation: '/queries/0/ageMin', kind: 'integer', from: '30', to: 30 },
    ]);
  });

  test('refuses the same call with the repairs off, naming each place, what was expected and what came', () => {
    const args = { queries: [{ group: uuid, ageMin: '30' }], limit: '100' };
    const { message } = refusal(findPersons, args, { repairs: '-integers' });
    expect(message).toContain('find_relatives');
    expect(message).toMatch(/\/limit.*integer or null.*"100"/);
    expect(message).toMatch(/\/queries\/0\/ageMin.*integer.*"30"/);
  });

  test.each([
    ['abc', /\/limit.*integer or null.*"abc"/],
    [-1, /\/limit.*>= 0.*-1/],
    ['-1', /\/limit.*integer or null.*"-1"/],
  ])('names every violation of {"limit": %j}, the missing queries too', (limit, expected) => {
    const { message, report } = refusal(findPersons, { limit });
    expect(message).toMatch(expected);
    expect(message).toContain('queries');
    expect(report.violations).toHaveLength(2);
  });

  test('hands on the very object if nothing was repaired', () => {
    const args = { queries: [{ group: uuid }] };
    expect(checkArguments(findPersons, args).arguments).toBe(args);
  });

  test.each([[undefined], [null], [''], [' \n'], ['""'], [" ''"]])('takes %j as no arguments', (args) => {
    expect(checkArguments({ name: 'tool', inputSchema: { type: 'object' } }, args).arguments).toEqual({});
  });

  test.each([['{}'], [5], [true], [['a']]])('refuses %j as arguments, even if the schema says nothing', (args) => {
    const { report } = refusal({ name: 'tool', inputSchema: {} }, args);
    expect(report.violations[0]).toMatchObject({ parameter: '', expectedTypes: ['object'] });
  });

  test('parses arguments that came as their JSON text if that repair is on', () => {
    const text = JSON.stringify({ queries: [{ group: uuid, ageMin: '30' }] });
    const { arguments: checked } = checkArguments(findPersons, text, { repairs: 'safe' });
    expect(checked).toEqual({ queries: [{ group: uuid, ageMin: 30 }] });
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

  test('refuses definite violations even if the undetermined is let through', () => {
    const tool = { name: 'tool', inputSchema: object({ a: { $ref: '#/nowhere' }, b: integer }) };
    expect(refusal(tool, { a: 1, b: 'x' }, { whenUndetermined: 'allow' }).message).toContain('/b');
  });
});

type Report = ReturnType<typeof refusal>['report'];

describe('the structured report', () => {
  test('is stable JSON', () => {
    const args = { queries: [{ group: uuid, ageMin: 'old', status: 'c' }], tags: 5, extra: true };
    const { violations, ...head } = JSON.parse(JSON.stringify(refusal(findPersons, args).report)) as Report;
    expect(head).toMatchObject({ status: 'error', code: 'INVALID_ARGUMENTS', tool: 'find_relatives' });
    expect(Object.fromEntries(violations.map((violation) => [violation.parameter, violation]))).toMatchObject({
      'queries[0].ageMin': {
        location: '/queries/0/ageMin',
        expectedTypes: ['integer'],
        receivedType: 'string',
        receivedValue: 'old',
        message: expect.stringContaining('/queries/0/ageMin'),
      },
      'queries[0].status': { receivedValue: 'c' },
      tags: { expectedTypes: ['array', 'null'], receivedType: 'integer', receivedValue: 5 },
      extra: { location: '/extra' },
    });
  });

  test('says what a missing parameter should have been', () => {
    const { violations } = refusal(findPersons, {}).report;
    const message = expect.stringContaining('queries');
    const missing = { parameter: 'queries', location: '/queries', expectedTypes: ['array'], receivedType: 'missing' };
    expect(violations).toEqual([{ ...missing, message }]);
  });

  test.each([
    ['-1', 'string'],
    [-1, 'integer'],
  ])('names the expected type if only the value %j is wrong', (value, receivedType) => {
    expect(refusal(property({ type: ['integer', 'null'], minimum: 0 }), { value }).report.violations).toMatchObject([
      { parameter: 'value', expectedTypes: ['integer', 'null'], receivedType, receivedValue: value },
    ]);
  });

  test('shortens long values', () => {
    const error = refusal(property(integer), { value: 'x'.repeat(100_000) });
    expect(JSON.stringify(error.report).length).toBeLessThan(1000);
    expect(error.message.length).toBeLessThan(1000);
  });

  test.each([
    ...['password', 'apiKey', 'client-secret', 'userPassword'].map((name) => [name, 'hunter2'] as const),
    ['token', { inner: ['hunter2'] }] as const,
    ['login', { user: 'me', password: 'hunter2' }] as const,
  ])('hides what came as %s: %j', (name, value) => {
    const error = refusal(property({ type: ['integer', 'boolean'] }, name), { [name]: value });
    expect(error.message + JSON.stringify(error.report) + JSON.stringify(error)).not.toContain('hunter2');
    expect(error.report.violations[0]?.parameter).toBe(name);
  });

  test.each(['maxTokens', 'keywords', 'monkey'])('shows what came as %s', (name) => {
    const { violations } = refusal(property(integer, name), { [name]: 'many' }).report;
    expect(violations[0]?.receivedValue).toBe('many');
  });
});
