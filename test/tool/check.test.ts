import { expect, test } from 'vitest';
import { checkArguments, type ToolOptions } from '../../src/tool/index.js';
import { integer, object } from '../../test-support/schemas/short.js';
import { refusal } from './refusal.js';
import refusals from './refusals.json' with { type: 'json' };

const property = (schema: unknown, name = 'value') => ({ name: 'tool', inputSchema: object({ [name]: schema }) });

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
  const { arguments: checked, warnings } = checkArguments(tool, { value: 1 }, { whenUndetermined: 'allow' });
  expect(checked).toEqual({ value: 1 });
  const schemaLocation = '#/properties/value/$ref';
  const why = `The schema refers to something that it does not contain (at ${schemaLocation} of the schema).`;
  const message = `The arguments were sent although they could not be checked. ${why}`;
  expect(warnings).toEqual([{ code: 'arguments-undetermined', message, schemaLocation }]);
  expect(checkArguments(tool, {}).warnings).toEqual([]);
});

test('checkArguments refuses definite violations even if undetermined arguments are allowed', () => {
  const tool = { name: 'tool', inputSchema: object({ a: { $ref: '#/nowhere' }, b: integer }) };
  expect(refusal(tool, { a: 1, b: 'x' }, { whenUndetermined: 'allow' }).message).toContain('/b');
});

test.each(refusals)('$what', ({ tool, args, options, error }) => {
  expect(JSON.parse(JSON.stringify(refusal(tool, args, options as ToolOptions)))).toEqual(error);
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
