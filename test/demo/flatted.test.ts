import { describe, expect, test } from 'vitest';
import { parseFlatted } from '../../test-support/n8n/flatted.js';

describe('the format of stored executions', () => {
  test.for([
    { what: 'a scalar', text: '[7]', value: 7 },
    { what: 'strings, which are always references', text: '[{"a":"1"},"x"]', value: { a: 'x' } },
    {
      what: 'numbers, booleans and null, which stand for themselves',
      text: '[{"a":1,"b":true,"c":null}]',
      value: { a: 1, b: true, c: null },
    },
    { what: 'lists', text: '[["1","2"],"x",{"y":3}]', value: ['x', { y: 3 }] },
    { what: 'one value in two places', text: '[{"a":"1","b":"1"},["2"],"x"]', value: { a: ['x'], b: ['x'] } },
  ])('$what', ({ text, value }) => {
    expect(parseFlatted(text)).toEqual(value);
  });

  test('a value inside itself', () => {
    const value = parseFlatted('[{"self":"0"}]') as { self: unknown };
    expect(value.self).toBe(value);
  });

  test('a member named __proto__', () => {
    const value = parseFlatted('[{"__proto__":"1"},"x"]') as object;
    expect(JSON.stringify(value)).toBe('{"__proto__":"x"}');
  });
});
