import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tailOf } from '../../../src/mcp/stdio/output.js';

const { tails } = JSON.parse(readFileSync(new URL('./tails.json', import.meta.url), 'utf8')) as {
  tails: [string, string[], string][];
};

describe('the kept end of an endless text', () => {
  const plain = (text: string) => text;

  test.each(tails)('The end of an endless text keeps %s', (_, texts, kept) => {
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
    tail.push(`${'secret'.repeat(100)} c`);
    expect(tail.text()).toBe('');
    tail.push(' and something else'.repeat(3));
    expect(tail.text()).toBe('ing else');
  });
});
