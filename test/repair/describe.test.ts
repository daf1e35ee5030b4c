import { describe, expect, test } from 'vitest';
import { describeRepair } from '../../src/repair/describe.js';
import { repairArguments } from '../../src/repair/repair.js';
import { compileSchema } from '../../src/schema/compile/compile.js';

describe('a repair, described to people', () => {
  test.each<[string, unknown, unknown, string]>([
    ['a number', { type: 'integer' }, '10', '/a: "10" → 10'],
    ['a property left out', { type: 'integer' }, null, '/a: null → left out'],
    ['a single value', { type: 'array' }, 'x', '/a: "x" → ["x"]'],
    ['a text of JSON', { type: 'object' }, '{"b":1}', '/a: JSON text → {"b":1}'],
    [
      'a secret within a text of JSON',
      { type: 'object' },
      '{"password":"hunter2"}',
      '/a: JSON text → {"password":[hidden]}',
    ],
    ['a long value', { type: 'array' }, 'x'.repeat(100), `/a: "${'x'.repeat(36)}... → ["${'x'.repeat(35)}...`],
  ])('%s', (_, schema, value, line) => {
    const { repairs } = repairArguments(compileSchema({ properties: { a: schema } }), { a: value }, 'all');
    expect(repairs.map(describeRepair)).toEqual([line]);
  });

  test('never shows the value of what is called a secret', () => {
    const { repairs } = repairArguments(compileSchema({ properties: { pin: { type: 'integer' } } }), { pin: '1234' });
    expect(repairs.map(describeRepair)).toEqual(['/pin: a value that is not shown']);
  });

  test.each<[what: string, args: Record<string, unknown>]>([
    ['a header', { headers: [{ name: 'Authorization', value: 12345678 }] }],
    [
      'a header after another one',
      {
        headers: [
          { name: 'Accept', value: '*/*' },
          { name: 'Cookie', value: 12345678 },
        ],
      },
    ],
  ])('nor that of %s whose name stands beside it', (_, args) => {
    const text = { type: 'string' };
    const compiled = compileSchema({
      properties: {
        headers: { items: { properties: { name: text, value: text } } },
      },
    });
    const line = repairArguments(compiled, args).repairs.map(describeRepair);
    expect(line).toEqual([expect.stringMatching(/: a value that is not shown$/)]);
  });

  test('nor a secret that stands where a name should', () => {
    const token = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    const compiled = compileSchema({ additionalProperties: { type: 'integer' } });
    const [line] = repairArguments(compiled, { [token]: '1' }).repairs.map(describeRepair);
    expect(line).not.toContain(token);
  });

  test('names the place of the arguments as a whole', () => {
    const { repairs } = repairArguments(compileSchema({ type: 'object' }), '{"a":1}', { json: true });
    expect(repairs.map(describeRepair)).toEqual(['the arguments: JSON text → {"a":1}']);
  });
});
