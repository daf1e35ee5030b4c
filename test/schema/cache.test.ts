import { describe, expect, test } from 'vitest';
import { ContentCache } from '../../src/schema/cache.js';
import { registryOf } from '../../src/schema/compile.js';
import { compileSchema } from '../../src/schema/index.js';
import { outcome } from './decide.js';

const bounds = { entries: 3, entryLength: 100, totalLength: 200 };

describe('Compiled schemas', () => {
  test('are found again by identity', () => {
    const schema = { type: 'string' };
    expect(compileSchema(schema)).toBe(compileSchema(schema));
  });

  test('are kept apart by dialect', () => {
    const schema = { prefixItems: [false] };
    expect(outcome(schema, [1], { defaultDialect: 'draft-07' })).toBe('valid');
    expect(outcome(schema, [1], { defaultDialect: '2020-12' })).toBe('invalid');
  });

  test('are found again by content once they were met a few times, each with its own schema', () => {
    const make = () => ({ type: 'string', 'x-found-again-by-content': true });
    const [first, second, third, fourth] = [make(), make(), make(), make()];
    const compiled = [first, second, third, fourth].map((schema) => registryOf(compileSchema(schema)));
    expect(compiled[0]).not.toBe(compiled[2]);
    expect(compiled[3]).toBe(compiled[2]);
    expect(compileSchema(fourth).schema).toBe(fourth);
  });

  test("do not see what somebody else does to an equal schema's object", () => {
    const make = () => ({ properties: { a: { type: 'string' } }, $comment: 'changed by somebody' });
    const mine = make();
    for (const theirs of [make(), make(), make(), make(), make()]) {
      compileSchema(theirs);
      theirs.properties.a.type = 'integer';
    }
    expect(outcome(mine, { a: 'x' })).toBe('valid');
    expect(outcome(mine, { a: 1 })).toBe('invalid');
  });

  test('with documents of their own are not cached', () => {
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

  test('notes the outline first, then the text, then makes a value and finds it from then on', () => {
    expect(filled(['a', 'a']).created).toEqual([]);
    expect(filled(['a', 'a', 'a', 'a', 'a']).created).toEqual(['a']);
  });

  test('tells equal outlines apart by their texts', () => {
    expect(filled(['a', 'b', 'a', 'b', 'a', 'b']).created).toEqual(['b', 'a']);
  });

  test('drops what was not used for longest beyond its number of entries', () => {
    const { cache, created } = filled(['outline', 'a', 'a', 'b', 'c', 'a', 'd', 'a', 'b', 'b']);
    expect(created).toEqual(['a', 'b']);
    expect(cache.size).toBe(3);
  });

  test('drops what was not used for longest beyond its total length', () => {
    const [one, two, three] = ['1', '2', '3'].map((digit) => digit.repeat(90));
    expect(filled(['outline', one, two, three] as string[]).cache.size).toBe(2);
  });

  test('keeps nothing that is too long, too deep or no JSON', () => {
    const cache = new ContentCache<string>(bounds);
    const cyclic: unknown[] = [];
    cyclic.push(cyclic);
    let deep: unknown = [];
    for (let i = 0; i < 100_000; i++) deep = [deep];
    for (const value of [['x'.repeat(200)], cyclic, deep as object, [10n]]) {
      for (let i = 0; i < 4; i++) expect(cache.find(value, '', () => 'made')).toBeUndefined();
    }
    expect(cache.size).toBe(0);
  });
});
