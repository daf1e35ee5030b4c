import { describe, expect, test } from 'vitest';
import { integer, members, object, string as text, texts } from '../../test-support/schemas/short.js';
import { refusal } from './refusal.js';

const advice = (inputSchema: Record<string, unknown>, args: unknown) =>
  refusal({ name: 'tool', inputSchema }, args, { repairs: 'off' }).advice;
const required = (...names: string[]) => ({ required: names });
const plain = 'Correct them and call it again.';

describe('The expected shape', () => {
  const filter = object({ field: text, op: { enum: ['eq', 'ne'] }, value: integer }, required('field'));
  const shape = '{field: string, op?: "eq" | "ne", value?: integer}';

  test('The expected shape omits optional members if there is no room for all', () => {
    const wide = object({ ...members(texts(500)), id: text }, required('id'));
    expect(advice(object({ a: wide }), { a: 'x' })).toBe(`${plain} Expected: a: {id: string, …}.`);
  });

  test('The expected shape is shown for at most eight arguments, and is short', () => {
    const names = Array.from({ length: 20 }, (_, index) => `p${index}`);
    const args = Object.fromEntries(names.map((name) => [name, 'x']));
    const told = advice(object(Object.fromEntries(names.map((name) => [name, filter]))), args);
    const shapes = names.slice(0, 8).map((name) => `${name}: ${shape}`);
    expect(told).toBe(`${plain} Expected: ${shapes.join('; ')}.`);
  });

  test('A name in the expected shape cannot write a line of its own', () => {
    const name = 'a\n- b\u202e';
    expect(advice(object({ [name]: filter }), { [name]: 'x' })).not.toMatch(/[\n\u202e]/);
  });
});
