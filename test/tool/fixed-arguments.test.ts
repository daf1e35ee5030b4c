import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { callTool, checkArguments, FixedArgumentsError, schemaWithout } from '../../src/tool/index.js';
import type { InvalidArgumentsError, InvalidResultError } from '../../src/tool/index.js';
import { readCatalogue } from '../../src/mcp/index.js';
import { closed, integer, object, string } from '../../test-support/schemas/short.js';

const { refusals } = JSON.parse(readFileSync(new URL('./fixed.json', import.meta.url), 'utf8')) as {
  refusals: [what: string, more: object, args: object, told: string][];
};

const tenant = { type: 'string', pattern: '^t-' };
const inputSchema = closed({ tenant, limit: integer, query: string }, { required: ['tenant', 'query'] });
const tool = { name: 'search', inputSchema };
const fixed = { tenant: 't-northwind' };

/** The refusal of these arguments with some fixed ones. */
function refusal(schema: Record<string, unknown>, args: unknown, fixedTo: Record<string, unknown> = fixed): Error {
  try {
    checkArguments({ name: 'search', inputSchema: schema }, args, { fixed: fixedTo, repairs: 'all' });
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('Nothing was refused.');
}

/** Everything that an error shows to people and to programs. */
function allOf(error: Error): string {
  const { violations = [], report } = error as Partial<InvalidArgumentsError>;
  return JSON.stringify([error.message, error.stack, violations, report]);
}

test('The schema without fixed arguments lacks the property and its entry in required, and nothing else', () => {
  expect(JSON.stringify(schemaWithout(inputSchema, ['tenant']))).toBe(
    JSON.stringify(closed({ limit: integer, query: string }, { required: ['query'] })),
  );
});

test('The schema without fixed arguments is the same object if it declares none of them', () => {
  expect(schemaWithout(inputSchema, ['other'])).toBe(inputSchema);
  expect(schemaWithout(inputSchema, [])).toBe(inputSchema);
});

test('The schema without fixed arguments keeps a property called __proto__', () => {
  const odd = JSON.parse('{"properties":{"__proto__":{"type":"string"},"a":{}}}') as Record<string, unknown>;
  expect(JSON.stringify(schemaWithout(odd, ['a']))).toBe('{"properties":{"__proto__":{"type":"string"}}}');
});

describe('fixed arguments', () => {
  const message = 'The argument "tenant" is fixed: what the model sent for it was not used.';
  const note = { code: 'argument-fixed', message };
  test.each([
    ['as it is called', { query: 'a', tenant: 't-other' }],
    ['as null', { query: 'a', tenant: null }],
    ['in another spelling', { query: 'a', Tenant: 't-other' }],
    ['wrapped', { arguments: { query: 'a', tenant: 't-other' } }],
  ])("Fixed arguments replace the model's values, %s, and that is reported", (_, args) => {
    const checked = checkArguments(tool, args, { fixed, repairs: 'all' });
    expect(checked.arguments).toEqual({ query: 'a', tenant: 't-northwind' });
    expect(checked.warnings).toEqual([note]);
  });

  test.each(['Tenant', 'TENANT', 'ten_ant', 'Ten-Ant', 'ｔenant', 'tenant '])(
    'A name like %j, which many servers read as the same, cannot get around a fixed argument',
    (name) => {
      const open = { ...tool, inputSchema: { ...inputSchema, additionalProperties: true } };
      const ways = [['off', 't-other'] as const, ['all', 't-other'] as const, ['off', 't-northwind'] as const];
      for (const [repairs, value] of ways) {
        const checked = checkArguments(open, { query: 'a', [name]: value, more: 1 }, { fixed, repairs });
        const whole = { query: 'a', more: 1, tenant: 't-northwind' };
        expect(checked).toEqual({ arguments: whole, repairs: [], warnings: [note] });
      }
    },
  );

  test('Declared arguments with names like a fixed one are not removed', () => {
    const both = { ...tool, inputSchema: closed({ tenant, query: string, Tenant: string }) };
    const checked = checkArguments(both, { query: 'a', Tenant: 'mine' }, { fixed });
    expect(checked.arguments).toEqual({ query: 'a', Tenant: 'mine', tenant: 't-northwind' });
  });

  test.each([
    [object({ tenant: { not: { const: 'northwind-7' } } }), 'tenant: must be something else'],
    [object({ tenant: { not: { enum: ['northwind-7'] } } }), 'tenant: must be something else'],
    [object({ tenant: {} }, { not: object({ tenant: { const: 'northwind-7' } }) }), '(root): must be anything but'],
  ])(
    'The error about a forbidden fixed argument does not reveal it by naming the forbidden value: %j',
    (schema, told) => {
      const error = refusal(schema, {}, { tenant: 'northwind-7' });
      expect(error.message).toContain(told);
      expect(allOf(error)).not.toContain('northwind');
    },
  );

  test('Fixed arguments are not repaired, and a wrong one is a configuration error', () => {
    const error = refusal(inputSchema, { query: 'a' }, { tenant: 12345678 });
    expect(error).toBeInstanceOf(FixedArgumentsError);
    expect(error).toMatchObject({ code: 'INVALID_FIXED_ARGUMENTS', tool: 'search', names: ['tenant'] });
    expect(allOf(error)).not.toContain('12345678');
    expect(error.message).toContain('tenant: must be string');
  });

  test('Fixed arguments that the tool does not take, or without a value, are errors', () => {
    const told = (fixedTo: Record<string, unknown>) => refusal(inputSchema, { query: 'a' }, fixedTo).message;
    expect(told({ ...fixed, other: 1 })).toContain('other: is no argument of this tool');
    expect(told({ tenant: undefined })).toContain('tenant: has no value');
  });

  test.each([
    [{ k: 'a', 'secret-name': 1 }, 'opt: has a property that its schema does not allow'],
    [{ k: 1 }, 'opt: something in it must be string'],
    ['a', 'opt: must be object'],
  ])('The error about a fixed argument that is wrong inside, %j, does not show its value', (opt, told) => {
    const error = refusal(object({ opt: closed({ k: string }) }), {}, { opt });
    expect(error).toBeInstanceOf(FixedArgumentsError);
    expect(error.message).toContain(told);
    expect(allOf(error)).not.toContain('secret-name');
  });

  // Each is about all arguments together, of which the fixed ones are a part.
  test.each(refusals)('Fixed arguments never show in a refusal for %s', (_, more, args, told) => {
    const error = refusal({ ...inputSchema, ...more }, args);
    expect(error.message).toContain(told);
    expect(allOf(error)).not.toContain('northwind');
  });

  test.each([
    { query: 'a', tennant: 'b' },
    { query: 'a', extra: 1 },
  ])('Fixed arguments are not suggested as allowed properties, %j', (args) => {
    const error = refusal(inputSchema, args);
    expect(error.message).toContain('must not have the property');
    expect(allOf(error)).not.toContain('tenant');
  });

  test('Fixed arguments are not shown if they could not be checked', () => {
    const error = refusal(object({ tenant: { $ref: '#/$defs/gone' }, query: {} }), { query: 'a' });
    expect(error.message).toContain('Could not check whether /tenant is valid');
    expect(allOf(error)).not.toContain('northwind');
  });

  test('Fixed arguments count for alternatives that require them', () => {
    const either = object({ tenant, limit: integer }, { anyOf: [{ required: ['tenant'] }, { required: ['id'] }] });
    const checked = checkArguments({ name: 'search', inputSchema: either }, { limit: '5' }, { fixed });
    expect(checked.arguments).toEqual({ limit: 5, tenant: 't-northwind' });
  });

  test.each(['fail', 'warn'] as const)(
    'Fixed arguments are hidden in the error about a result that repeats them (%s)',
    async (outputSchema) => {
      const [promising] = readCatalogue([{ ...tool, outputSchema: { properties: { of: integer } } }]).tools;
      const structuredContent = { of: 't-northwind' };
      const result = { content: [], structuredContent, isError: false, raw: { structuredContent } };
      const session = { callTool: () => Promise.resolve(result) };
      const said = await callTool(session, promising!, { query: 'a' }, { fixed, outputSchema }).then(
        ({ warnings }) => JSON.stringify(warnings),
        (error: unknown) => (error as Error).message + JSON.stringify((error as InvalidResultError).reasons),
      );
      expect(said).toContain('must be integer');
      expect(said).not.toContain('northwind');
    },
  );
});
