import { expect, test } from 'vitest';
import { describeRepair } from '../../src/repair/describe.js';
import { repairArguments } from '../../src/repair/repair.js';
import { compileSchema } from '../../src/schema/compile/compile.js';

const string = { type: 'string' };
const integer = { type: 'integer' };
const token = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;

function lines(schema: object, args: unknown): string[] {
  return repairArguments(compileSchema(schema), args, 'all').repairs.map(describeRepair);
}

test.each<[string, object, unknown, string]>([
  ['a number', integer, '10', '/a: "10" → 10'],
  ['a property left out', integer, null, '/a: null → left out'],
  ['a single value', { type: 'array' }, 'x', '/a: "x" → ["x"]'],
  ['a text of JSON', { type: 'object' }, '{"b":1}', '/a: JSON text → {"b":1}'],
  ['a secret within a text', { type: 'object' }, '{"password":"p4"}', '/a: JSON text → {"password":[hidden]}'],
  ['a long value', { type: 'array' }, 'x'.repeat(100), `/a: "${'x'.repeat(36)}... → ["${'x'.repeat(35)}...`],
])('A repair is described to people: %s', (_, a, value, line) => {
  expect(lines({ properties: { a } }, { a: value })).toEqual([line]);
});

test('A repair of the whole arguments says so', () => {
  expect(lines({ type: 'object' }, '{"a":1}')).toEqual(['the arguments: JSON text → {"a":1}']);
});

test.each<[what: string, args: object]>([
  ['of what is called a secret', { pin: '1234' }],
  ['of a header whose name stands beside it', { headers: [{ name: 'Authorization', value: 12345678 }] }],
  ['of a header after another one', { headers: [{ name: 'Accept' }, { name: 'Cookie', value: 12345678 }] }],
  ['that is a secret in place of a name', { [token]: '1' }],
])('A repair described to people never shows the value %s', (_, args) => {
  const headers = { items: { properties: { name: string, value: string } } };
  const [line] = lines({ properties: { headers }, additionalProperties: integer }, args);
  if (!(token in args)) expect(line).toMatch(/: a value that is not shown$/);
  expect(line).not.toContain(token);
});
