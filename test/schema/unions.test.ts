import { describe, expect, test, vi } from 'vitest';
import { repairArguments } from '../../src/repair/repair.js';
import { compileSchema } from '../../src/schema/compile/compile.js';
import { closed, integer, members, string, texts, times, to } from '../../test-support/schemas/short.js';
import { linesFor, outcome } from './decide.js';

/** The number of steps decides, which does not depend on the machine. */
const unhurried = { budget: { ms: 600_000 } };
const all = (count: number) => members(texts(count, 'name'), () => 'x');
const tagged = (count: number, width: number) =>
  times(count, (i) => closed({ ...members(texts(width, 'name')), kind: { const: `k${i}` } }, { required: ['kind'] }));

describe('Large unions', () => {
  test('Large unions of references to one closed object are decided', () => {
    const refs = times(3_000, () => to('row'));
    const $defs = { row: closed(members(texts(200, 'name'))) };
    const args = { ...all(200), other: 1 };
    const schema = { anyOf: [...refs, { required: ['other'] }], $defs };
    expect(outcome(schema, args, unhurried)).toBe('valid');
    expect(linesFor({ anyOf: refs, $defs }, args, unhurried)).toEqual(['must not have the property "other"']);
  });

  test('Large unions of 300 objects with a distinguishing value are decided', () => {
    const objects = tagged(300, 200);
    const schema = { anyOf: texts(300, 'd').map(to), $defs: members(texts(300, 'd'), (i) => objects[i]) };
    const args = { ...all(200), kind: 'k299' };
    expect(outcome(schema, args, unhurried)).toBe('valid');
  });

  test('Large unions keep no verdict if a dynamic reference may lead elsewhere', () => {
    const schema = {
      $id: 'https://example.com/main',
      anyOf: [{ allOf: [{ $ref: 'list' }, false] }, { $ref: 'strings' }],
      $defs: {
        list: { $id: 'list', items: { $dynamicRef: '#item' }, $defs: { any: { $dynamicAnchor: 'item', ...integer } } },
        strings: { $id: 'strings', $ref: 'list', $defs: { item: { $dynamicAnchor: 'item', ...string } } },
      },
    };
    expect([outcome(schema, ['a']), outcome(schema, [1])]).toEqual(['valid', 'invalid']);
  });

  const rows = (make: (i: number) => object) => ({ rows: times(200, (i) => make(i % 100)) });
  const only = times(100, (i) => closed({ [`only${i}`]: integer, name0: string }, { required: [`only${i}`] }));

  test.each([
    ['by a value', tagged(100, 200), (i: number) => ({ kind: `k${i}`, name0: 5 })],
    ['by what is required', only, (i: number) => ({ [`only${i}`]: 1, name0: 5 })],
  ])('Large unions over 200 rows, distinguished %s, are explained and repaired in each row', (_, anyOf, row) => {
    vi.spyOn(performance, 'now').mockReturnValue(0);
    const schema = { properties: { rows: { items: { anyOf } } } };
    const [line = '', ...others] = linesFor(schema, rows(row), unhurried);
    expect(line).toMatch(
      /^\/rows\/\*\/name0, at least (?:\d\d|100) times \(first \/rows\/0\/name0\): must be string, received integer 5$/,
    );
    expect(others.filter((other) => other !== '... and more')).toEqual([]);
    const repaired = repairArguments(compileSchema(schema), rows(row), 'all', unhurried);
    expect([repaired.evaluation.outcome, repaired.repairs.length]).toEqual(['valid', 200]);
  });

  test('Large unions name all their values if the sent value is none of them', () => {
    expect(linesFor({ anyOf: tagged(100, 1) }, { kind: 'k-1' }, unhurried).join('\n')).toMatch(
      /^\/kind: must be one of "k1", .* and 80 more, received string "k-1"$/,
    );
  });

  test('Large unions that refer to themselves are explained up to a limit', () => {
    const schema = { ...string, anyOf: [{ $ref: '#' }, { $ref: '#' }] };
    expect(linesFor(schema, 1, unhurried).join()).toContain('must be string');
  });
});
