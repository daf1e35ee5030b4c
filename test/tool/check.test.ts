import { describe, expect, test } from 'vitest';
import { checkArguments, type ToolOptions } from '../../src/tool/index.js';
import { integer, object, string } from '../../test-support/schemas/short.js';
import { findPersons } from '../langchain/tools.js';
import { refusal } from './refusal.js';

const uuid = '123e4567-e89b-12d3-a456-426614174000';

const property = (schema: unknown, name = 'value') => ({ name: 'tool', inputSchema: object({ [name]: schema }) });

describe('lists and objects as strings', () => {
  const advice = (schema: unknown, value: unknown, options?: ToolOptions) =>
    refusal(property(schema), { value }, options).advice;
  const strings = { type: 'array', items: string };

  test.each([
    ['cut short', strings, '["a", "b"'],
    ['with comments', { type: 'object' }, ' {"a": 1 /* one */}'],
    ['of an optional list', { anyOf: [strings, { type: 'null' }] }, '[a b]'],
  ])('The refusal of a list or an object as a string, %s, says to send the value itself', (_, schema, text) => {
    expect(advice(schema, text)).toBe('Correct them and call it again. Send a list or an object itself, not its text.');
  });

  test.each([
    ['another text', strings, 'a, b'],
    ['a text in brackets for a number', { type: 'number' }, '[5]x'],
    ['null within a list', strings, [null]],
  ])('The refusal of %s does not say to send the value itself', (_, schema, value) => {
    expect(advice(schema, value)).toBe('Correct them and call it again.');
  });
});

test.each([[undefined], [null], [''], [' \n'], ['""'], [" ''"]])('checkArguments reads %j as no arguments', (args) => {
  expect(checkArguments({ name: 'tool', inputSchema: { type: 'object' } }, args).arguments).toEqual({});
});

test.each([['{}'], [5], [true], [['a']]])(
  'checkArguments refuses %j as arguments, even if the schema says nothing',
  (args) => {
    const { report } = refusal({ name: 'tool', inputSchema: {} }, args);
    expect(report.violations[0]).toMatchObject({ parameter: '', expectedTypes: ['object'] });
  },
);

test('checkArguments accepts a property with a dangling reference only if that is allowed', () => {
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

test('checkArguments refuses definite violations even if undetermined arguments are allowed', () => {
  const tool = { name: 'tool', inputSchema: object({ a: { $ref: '#/nowhere' }, b: integer }) };
  expect(refusal(tool, { a: 1, b: 'x' }, { whenUndetermined: 'allow' }).message).toContain('/b');
});

type Report = ReturnType<typeof refusal>['report'];

test('The structured report is stable JSON', () => {
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

test('The structured report says what is expected of a missing parameter', () => {
  const { violations } = refusal(findPersons, {}).report;
  const message = expect.stringContaining('queries');
  const missing = { parameter: 'queries', location: '/queries', expectedTypes: ['array'], receivedType: 'missing' };
  expect(violations).toEqual([{ ...missing, message }]);
});

test.each([
  ...['password', 'apiKey', 'client-secret', 'userPassword'].map((name) => [name, 'hunter2'] as const),
  ['token', { inner: ['hunter2'] }] as const,
  ['login', { user: 'me', password: 'hunter2' }] as const,
])('The structured report hides the value of %s: %j', (name, value) => {
  const error = refusal(property({ type: ['integer', 'boolean'] }, name), { [name]: value });
  expect(error.message + JSON.stringify(error.report) + JSON.stringify(error)).not.toContain('hunter2');
  expect(error.report.violations[0]?.parameter).toBe(name);
});
