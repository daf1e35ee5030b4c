import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { containerIn } from '../../src/json/index.js';
import { looksLikeSeveral } from '../../src/repair/candidates/candidates.js';

const held = JSON.parse(readFileSync(new URL('./containers.json', import.meta.url), 'utf8')) as [
  text: string,
  value: unknown,
][];

describe('containerIn', () => {
  test.each(held)('The text %j holds %j', (text, value) => {
    expect(containerIn(text)).toEqual(value);
  });

  test.each([
    ...['', 'a', '5', 'null', '"a"', 'a, b', "data['sales']", '1, 2', 'f(1, 2)', '[a, b]', '{a}', '{a b: 1}'],
    ...['{a-b: 1}', '{...a}', '{a: b}', '[1', '{"a": 1', "['a'"],
    ...['{"a": 1, "a": 2}', '[{"a": {"b": 1, "b": 1}}]', "{'a': 1, 'a': 2}"],
    ...["['a' 'b']", '[1,,2]', '[,1]', '[1 2]', "['it's']", '[1]]', '[1] [2]', '(1)', '()', "{'a'}"],
    ...['[9007199254740993]', '{"a":{"b":12345678901234567890}}', '[0.12345678901234567]', '[1e400]', '[NaN]'],
    ...['[Infinity]', '[undefined]', '[0x10]', '[1_000]', '[.5]', "['\\q']", "['\\u12']", '[1, // one\n2]', '```\n[1]'],
    ...['[1]``', '[1]<|call', '[1]<call>', `[1]<|${'x'.repeat(60)}|>`, '<|call|>'],
    ...['{1: 2}', '{None: 1}', "{'a': {True: 1}}", '{null: 1}'],
    '[9007199254740993,]',
    '[__import__("os")]',
    JSON.stringify(JSON.stringify(JSON.stringify('[1]'))),
  ])('The text %j holds no list or object', (text) => {
    expect(containerIn(text)).toBeUndefined();
  });

  test('Lists that are not valid JSON may nest a hundred levels deep, and no deeper', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}1,${']'.repeat(depth)}`;
    expect(containerIn(nested(100))).toEqual(JSON.parse(nested(100).replace(',', '')));
    expect(containerIn(nested(101))).toBeUndefined();
  });

  test('No text reaches a prototype', () => {
    const held = containerIn("{'__proto__': {'polluted': True},}");
    expect(JSON.stringify(held)).toBe('{"__proto__":{"polluted":true}}');
    expect([Object.getPrototypeOf(held), ({} as { polluted?: unknown }).polluted]).toEqual([
      Object.prototype,
      undefined,
    ]);
  });

  /** At this size, work that grows with the square takes minutes, so the runner's limit catches it on any machine. */
  test.each<[string, string]>([
    ['quotes that are escaped', `["${'\\"'.repeat(400_000)}`],
    ['single quotes', `[${"'a',".repeat(200_000)}`],
    ['backslashes', `["${'\\\\'.repeat(200_000)}", 1e5]`],
    ['opening brackets', '['.repeat(1_000_000)],
    ['digits', `[${'1'.repeat(1_000_000)},]`],
    ['spaces', `[${' '.repeat(1_000_000)}`],
    ['tokens that end calls', `[${'<|a|> '.repeat(200_000)}`],
  ])('Reading takes time in proportion to the text: %s', (_, text) => {
    expect(() => containerIn(text)).not.toThrow();
  });

  test('Fifteen megabytes of JSON are read', () => {
    const text = 'x'.repeat(15_000_000);
    expect(containerIn(JSON.stringify([text, 1.25]))).toEqual([text, 1.25]);
  });

  test('At most half a million values are read, as many as an evaluation looks at', () => {
    const list = (length: number) => `[${Array.from({ length }, () => '[]').join()}]`;
    expect(containerIn(list(249_999))).toHaveLength(249_999);
    expect(containerIn(list(500_001))).toBeUndefined();
    // Millions of levels would take more than 300 MB.
    expect(containerIn('['.repeat(5_000_000) + ']'.repeat(5_000_000))).toBeUndefined();
    // Inside a string they are no values.
    const commas = `[${JSON.stringify(','.repeat(600_000))}]`;
    expect(containerIn(commas)).toHaveLength(1);
  });

  test.each(['1,', '"\\n",'])('At most half a million parts are read, such as %s', (part) => {
    const parts = part.length > 2 ? 2 : 1;
    const text = (count: number) => `[${part.repeat(count / parts)}]`;
    expect(containerIn(text(499_998))).toHaveLength(499_998 / parts);
    expect(containerIn(text(500_002))).toBeUndefined();
  });
});

const several = [
  ...['ls -la', 'git add --all', 'rock and roll', 'vegan or vegetarian', 'a & b', 'here: ["a"]', '#a #b', 'a -> b'],
  ...['["a"]', "('a', 'b')", '{"a": 1}', '```\na\n```', 'a, b', 'a;b', 'a|b', 'a\nb', 'a\u2028b', 'a\tb', 'a、b'],
  ...['a · b', 'a / b', 'a + b', '- a', '1. a', '"a" "b"', "'[a]'", "'null'", '`a`', '“a” “b”', '~~~\na'],
  ...['see ```a```', '', '  ', 'null', 'NULL', 'None ', ' nil', 'undefined', 'n/a'],
];
const single = ['a tag', 'rock n roll', 'a - b', 'android order', 'a/b', 'C++', '1.5', 'nullable', 'n'];

test.each([...several, ...single])('The text %j is recognised as several values or none, or as one value', (text) => {
  expect(looksLikeSeveral(text)).toBe(several.includes(text));
});
