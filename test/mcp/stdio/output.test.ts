import { describe, expect, test } from 'vitest';
import { tailOf } from '../../../src/mcp/stdio/output.js';

describe('the kept end of an endless text', () => {
  const plain = (text: string) => text;

  test.each<[string, string[], string]>([
    ['all if that is not much', [' 12345678\n'], '12345678'],
    ['as much as was asked for', ['123456789'], '23456789'],
    ['whole lines', ['12345\n123\n45\n'], '…\n123\n45'],
    ['whole lines, if nothing is missing', ['1234\n678'], '1234\n678'],
    ['whole lines, the first of which fits exactly', ['12345\n1234567'], '…\n1234567'],
    ['whole lines of much that came at once', ['abc\n'.repeat(33)], '…\nabc\nabc'],
    ['whole lines, if there were ever more', [...Array.from({ length: 200 }, () => 'abc\n'), 'd\n'], '…\nabc\nd'],
  ])('The end of an endless text keeps %s', (_, texts, kept) => {
    const tail = tailOf(8, plain);
    for (const text of texts) tail.push(text);
    expect(tail.text()).toBe(kept);
  });

  test('The end of an endless text keeps split characters, and is masked before it is cut', () => {
    const tail = tailOf(8, (text) => text.replaceAll('secret', '*'));
    const euro = Buffer.from('€');
    tail.push(euro.subarray(0, 2));
    tail.push(euro.subarray(2));
    tail.push('a secret b');
    expect(tail.text()).toBe('€a * b');
  });
});
