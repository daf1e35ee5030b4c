import { describe, expect, it } from 'vitest';
import { ContentCache } from '../../src/schema/cache.js';
import { registryOf } from '../../src/schema/compile.js';
import { compileSchema } from '../../src/schema/index.js';
import { outcome } from './decide.js';

const bounds = { entries: 3, entryLength: 100, totalLength: 200 };

describe('Compiled schemas', () => {
  it('are found again by identity', () => {
    const schema = { type: 'string' };
    expect(compileSchema(schema)).toBe(compileSchema(schema));
  });

  it('are kept apart by dialect', () => {
    const schema = { prefixItems: [false] };
    expect(outcome(schema, [1], { defaultDialect: 'draft-07' })).toBe('valid');
    expect(outcome(schema, [1], { defaultDialect: '2020-12' })).toBe('invalid');
  });

  it('are found again by content, from the third time on, each with its own schema', () => {
    const make = () => ({ type: 'string', $comment: 'found again by content' });
    const [first, second, third] = [make(), make(), make()];
    expect(registryOf(compileSchema(first))).not.toBe(registryOf(compileSchema(second)));
    expect(registryOf(compileSchema(third))).toBe(registryOf(compileSchema(second)));
    expect(compileSchema(third).schema).toBe(third);
  });

  it("do not see what somebody else does to an equal schema's object", () => {
    const make = () => ({ properties: { a: { type: 'string' } }, $comment: 'changed by somebody' });
    const mine = make();
    for (const theirs of [make(), make(), make()]) {
      compileSchema(theirs);
      theirs.properties.a.type = 'integer';
    }
    expect(outcome(mine, { a: 'x' })).toBe('valid');
    expect(outcome(mine, { a: 1 })).toBe('invalid');
  });

  it('with documents of their own are not cached', () => {
    const schema = { $ref: 'https://example.com/a' };
    expect(outcome(schema, 1, { documents: { 'https://example.com/a': true } })).toBe('valid');
    expect(outcome(schema, 1, { documents: { 'https://example.com/a': false } })).toBe('invalid');
    expect(outcome(schema, 1)).toBe('unresolved-reference');
  });
});

describe('The cache', () => {
  const filled = (texts: readonly string[]) => {
    const cache = new ContentCache<string>(bounds);
    const created: string[] = [];
    for (const text of texts) cache.find([text], '', () => (created.push(text), text));
    return { cache, created };
  };

  it('makes a value the second time, and then finds it', () => {
    expect(filled(['a', 'a', 'a', 'a']).created).toEqual(['a']);
  });

  it('drops what was not used for longest beyond its number of entries', () => {
    const { cache, created } = filled(['a', 'a', 'b', 'c', 'a', 'd', 'a', 'b', 'b']);
    expect(created).toEqual(['a', 'b']);
    expect(cache.size).toBe(3);
  });

  it('drops what was not used for longest beyond its total length', () => {
    const [one, two, three] = ['1', '2', '3'].map((digit) => digit.repeat(90));
    expect(filled([one, two, three] as string[]).cache.size).toBe(2);
  });

  it('keeps nothing that is too long, too deep or no JSON', () => {
    const cache = new ContentCache<string>(bounds);
    const cyclic: unknown[] = [];
    cyclic.push(cyclic);
    let deep: unknown = [];
    for (let i = 0; i < 100_000; i++) deep = [deep];
    for (const value of [['x'.repeat(200)], cyclic, deep, [10n], 'text', null]) {
      expect(cache.find(value, '', () => 'made')).toBeUndefined();
      expect(cache.find(value, '', () => 'made')).toBeUndefined();
    }
    expect(cache.size).toBe(0);
  });
});
