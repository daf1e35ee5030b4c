import { describe, expect, test } from 'vitest';
import { schemaTree } from '../../src/cli/schema/tree.js';
import type { Paint } from '../../src/cli/terminal/terminal.js';

const plain = new Proxy({}, { get: () => (text: string) => text }) as Paint; // every style, and none of them
const lines = (schema: unknown) => schemaTree(schema, { paint: plain, columns: 200 }).lines;

describe('the tree of a schema', () => {
  test('is drawn to a depth', () => {
    const deep = (levels: number) =>
      Array.from({ length: levels }).reduce<object>((inner) => ({ properties: { a: inner } }), { type: 'string' });
    expect(lines(deep(25))).toHaveLength(25);
    expect(lines(deep(25)).at(-1)).toContain('string');
    expect(lines(deep(100))).toHaveLength(26);
    expect(lines(deep(100)).at(-1)).toMatch(/^ *…$/);
  });

  test('is drawn to a length, and says where it ends', () => {
    const properties = (count: number) => ({
      properties: Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, { type: 'string' }])),
    });
    expect(lines(properties(3999))).toHaveLength(3999);
    expect(lines(properties(10_000))).toHaveLength(4001);
    expect(lines(properties(10_000)).at(-1)).toContain('--json');
  });
});
