import { describe, expect, test } from 'vitest';
import { violationLines } from '../../../src/schema/violations/describe.js';
import { integer, members, string, texts, times, to } from '../../../test-support/schemas/short.js';
import { linesFor, violations } from '../decide.js';

const any = (names: readonly string[]) => members(names, () => ({}));
const ones = (names: readonly string[]) => members(names, () => 1);
const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');
/** A schema that allows only these names. */
const only = (names: readonly string[], more: object = {}) => ({
  properties: any(names),
  additionalProperties: false,
  ...more,
});

describe('Violations in words', () => {
  test('Violations in words are one line each, the most useful first', () => {
    const schema = { properties: { a: { minimum: 5 }, b: string, c: { pattern: '^x' } }, required: ['d'] };
    expect(linesFor(schema, { a: 1, b: 1, c: 'y' })).toEqual([
      '/b: must be string, received integer 1',
      'must have property "d", which is missing',
      '/a: must be >= 5, received integer 1',
      '/c: must be a string matching "^x", received string "y"',
    ]);
  });

  test('Violations in words list only as many values as fit', () => {
    const [line = ''] = linesFor({ enum: times(12, (i) => `${i}`.padStart(50, 'x')) }, 'y');
    expect(line.match(/"x+\d+"/g)).toHaveLength(4);
    expect(line).toContain(' and 8 more');
  });

  test('Violations in words are counted beyond a limit', () => {
    const found = violations(
      { additionalProperties: string },
      members(texts(30), (at) => at),
    );
    expect(violationLines(found)).toHaveLength(11);
    expect(violationLines(found, { limit: 2 })).toEqual([
      '/p0: must be string, received integer 0',
      '/p1: must be string, received integer 1',
      '... and 28 more',
    ]);
  });

  const line = '(root): must be integer, received string "x"';

  test.each<[options: { limit?: number; truncated?: boolean }, text: string]>([
    [{ truncated: false }, line],
    [{ truncated: true }, `${line}\n... and more`],
    [{ limit: 1 }, line],
    [{ limit: 0 }, '... and 1 more'],
    [{ limit: 0, truncated: true }, '... and at least 1 more'],
  ])('The text of one violation with %j is its line, or says how many more there are', (options, text) => {
    expect(violationLines(violations(integer, 'x'), options).join('\n')).toBe(text);
    expect(violationLines([]).join('\n')).toBe('');
  });
});

describe('A line', () => {
  const forNumbers = { items: { properties: { id: integer } } };

  const single: Record<string, [schema: object, instance: unknown, line: string]> = {
    'names the nearest of many values first, the others as far as there is room': [
      { enum: [...texts(500), 'Europe/Berlin'] },
      'europe berlin',
      `must be one of "Europe/Berlin", ${quoted(texts(19))} and 481 more, received string "europe berlin"`,
    ],
    'names the nearest numbers first': [{ enum: [10, 20, 30] }, 29, 'must be one of 30, 20, 10, received integer 29'],
    'names the values of a property that is missing': [
      { required: ['kind'], properties: { kind: to('kind') }, $defs: { kind: { enum: ['a', 'b'] } } },
      {},
      'must have property "kind" (one of "a", "b"), which is missing',
    ],
    'shows a pattern whole': [
      { pattern: `^(${'ab|'.repeat(60)}c)$` },
      'x',
      `must be a string matching "^(${'ab|'.repeat(60)}c)$", received string "x"`,
    ],
    'describes a pattern that is too long to be shown': [
      { pattern: `^(${'ab|'.repeat(600)}c)$` },
      'x',
      'must be a string matching a pattern of 1805 characters, received string "x"',
    ],
    'says how long a cut string is': [
      { maxLength: 10 },
      'x'.repeat(5000),
      `must be at most 10 characters long, received string "${'x'.repeat(76)}... (5000 characters)`,
    ],
    'counts the characters of a cut string like maxLength': [
      { maxLength: 10 },
      '😀'.repeat(90),
      `must be at most 10 characters long, received string "${'😀'.repeat(38)}... (90 characters)`,
    ],
    'does not list ten thousand names': [
      { not: { required: texts(10_000) } },
      ones(texts(10_000)),
      `must not have the properties ${quoted(texts(5))} and 9995 more together`,
    ],
    'lists values without their type': [
      { ...string, enum: ['a', 'b'] },
      null,
      'must be one of "a", "b", received null',
    ],
    'names all missing properties of one object': [
      { required: ['a', 'b', 'c'], properties: { b: integer } },
      {},
      'the properties "a", "b" (integer) and "c" are missing',
    ],
    'says how many more properties would do': [
      { anyOf: texts(6).map((name) => ({ required: [name] })) },
      {},
      'must have property "p0", "p1", "p2", "p3", "p4" or 1 more; all are missing',
    ],
    'says how many more phrases would do': [
      { anyOf: Array.from('abcde').map((pattern) => ({ pattern })) },
      'x',
      `must be ${Array.from('abcd', (name) => `a string matching "${name}"`).join(', ')} or 1 more, received string "x"`,
    ],
    'counts missing properties from the thirteenth on': [
      { required: texts(13) },
      {},
      `the properties ${quoted(texts(12))} and 1 more are missing`,
    ],
    'counts unexpected properties from the thirteenth on': [
      { additionalProperties: false },
      ones(texts(13)),
      `must not have the properties ${quoted(texts(12))} and 1 more`,
    ],
    'names twelve properties that are allowed': [
      only(texts(12)),
      { q: 1 },
      `must not have the property "q" (allowed: ${quoted(texts(12))})`,
    ],
    'names no allowed property if there are thirteen': [only(texts(13)), { q: 1 }, 'must not have the property "q"'],
    'counts matching alternatives from the fifth on': [
      { oneOf: [1, 2, 3, 4, 5].map((maximum) => ({ maximum })) },
      1,
      'must be valid against exactly one of 5 alternatives, but matches number 1 {"maximum":1}, number 2 {"maximum":2}, number 3 {"maximum":3}, number 4 {"maximum":4} and 1 more',
    ],
    'counts allowed values from the twenty-first on': [
      { enum: times(21, (i) => i) },
      'x',
      `must be one of ${times(20, (i) => i).join(', ')} and 1 more, received string "x"`,
    ],
    'stands for equal errors in four rows of a list': [
      { items: { items: integer } },
      [['x'], ['x'], ['x', 'x']],
      '/*/*, 4 times (first /0/0): must be integer, received string "x"',
    ],
    'stands for equal errors in fifty rows of a list': [
      { properties: { rows: forNumbers } },
      { rows: texts(50).map((id) => ({ id })) },
      '/rows/*/id, 50 times (first /rows/0/id): must be integer, received string "p0"',
    ],
  };
  test.each(Object.entries(single))('A line %s', (_, [schema, instance, line]) => {
    expect(linesFor(schema, instance)).toEqual([line]);
  });

  test.each<[what: string, schema: object, instance: unknown, said: string]>([
    ['missing in one object', { required: texts(300) }, {}, '"p10", "p11" and at least 88 more are missing'],
    ['not allowed', { additionalProperties: false }, ones(texts(300)), '"p10", "p11" and at least 88 more'],
    ['on other lines', { items: integer }, texts(2_000), '/*, at least 100 times'],
  ])('If not all violations are looked for, a line says how many at least are %s', (_, schema, instance, said) => {
    expect(linesFor(schema, instance).join('\n')).toContain(said);
  });

  test('If not all violations are looked for, the last line says how many at least are left', () => {
    const all = violations({ additionalProperties: integer }, members(texts(300)));
    expect(violationLines(all, { limit: 2 }).at(-1)).toBe('... and at least 98 more');
    expect(violationLines(all.slice(0, 5), { limit: 2 })).toHaveLength(3);
  });

  const two = { required: ['x', 'y'] };

  const several: Record<string, [schema: object, instance: unknown, lines: string[]]> = {
    'three equal errors in the rows of a list': [
      { items: integer },
      ['x', 'y', 'z'],
      ['x', 'y', 'z'].map((row, i) => `/${i}: must be integer, received string "${row}"`),
    ],
    'different errors in the rows of a list': [
      { items: [5, 6, 7, 8].map((minimum) => ({ minimum })) },
      [1, 1, 1, 1],
      [5, 6, 7, 8].map((least, i) => `/${i}: must be >= ${least}, received integer 1`),
    ],
    'the properties that are missing beside another one': [
      { dependentRequired: { a: ['b', 'c'] } },
      { a: 1 },
      ['must have property "b" beside "a"', 'must have property "c" beside "a"'],
    ],
    'the missing properties of two objects': [
      { properties: { a: two, b: two } },
      { a: {}, b: {} },
      ['/a: the properties "x" and "y" are missing', '/b: the properties "x" and "y" are missing'],
    ],
    'the violations in `else`': [
      { if: { required: ['a'] }, else: { minProperties: 1 } },
      {},
      ['must have at least 1 property, has 0'],
    ],
  };
  test.each(Object.entries(several))('Each of %s has a line of its own', (_, [schema, instance, lines]) => {
    expect(linesFor(schema, instance)).toEqual(lines);
  });

  const index = ['columnNames', 'referencedColumns', 'table'];
  const columns = texts(4, 'column_a');

  const suggested: Record<string, [schema: object, instance: object, said: string]> = {
    'a similar name that was not sent': [
      only(['query', 'quern']),
      { query: 1, querx: 2 },
      '"querx" (did you mean "quern"?)',
    ],
    'both of two equally similar names': [
      only(['user_name', 'username']),
      { userName: 1 },
      '"userName" (did you mean "user_name" or "username"?)',
    ],
    'no name if many are equally similar': [
      only(columns),
      { column_a5: 1 },
      `"column_a5" (allowed: ${quoted(columns)})`,
    ],
    'the name that begins with its word': [only(index), { columns: 1 }, '"columns" (did you mean "columnNames"?)'],
    'the required one of two names': [
      only(index, { required: ['referencedColumns'] }),
      { columns: 1, table: 1 },
      '"columns" (did you mean "referencedColumns"?)',
    ],
    'the unused one of two names': [
      only(index),
      { columns: 1, columnNames: 1 },
      '"columns" (did you mean "referencedColumns"?)',
    ],
    'both names with equally many common words': [
      only(['start_date', 'end_date']),
      { date: 1 },
      '"date" (did you mean "start_date" or "end_date"?)',
    ],
    'no name with only half of the words in common': [
      only(['page_token']),
      { page_size: 1 },
      '"page_size" (allowed: "page_token")',
    ],
    'no name that is reported as missing': [
      only(['a', 'b'], { required: ['a'] }),
      { other: 1 },
      '"other" (also allowed: "b")',
    ],
  };
  test.each(Object.entries(suggested))('For an unknown property, a line suggests %s', (_, [schema, instance, said]) => {
    expect(linesFor(schema, instance)).toContain(`must not have the property ${said}`);
  });
});

test('Lines end if the schema refers to itself', () => {
  const schema = {
    $defs: { x: { anyOf: [to('x'), to('x')] }, y: to('y') },
    properties: { a: to('x'), b: to('y') },
    required: ['a', 'b'],
  };
  expect(linesFor(schema, {})).toEqual(['the properties "a" and "b" are missing']);
});

test('Lines have at most a thousand characters', () => {
  const line = linesFor({ required: times(12, (i) => `${i}${'n'.repeat(200)}`) }, {}).join();
  expect(line).toMatch(/^the properties "0n/);
  expect(line.length).toBe(1000 - '(root): '.length);
});

test.each([
  [2_999, 12],
  [3_000, 11],
])('Lines take less than three thousand characters together: of twelve lines of %i, %i are shown', (length, count) => {
  const line = (name: string, width: number) =>
    `/${name}: must be a string matching "${'y'.repeat(width)}", received string "x"`;
  const full = Array.from('abcdefghijk').map((name) => [name, 200] as const);
  const left = length - full.map(([name, width]) => line(name, width)).join('\n').length - line('\nl', 0).length;
  const all = [...full, ['l', left] as const];
  const lines = all.map(([name, width]) => line(name, width));
  expect(lines.join('\n').length).toBe(length);

  const properties = Object.fromEntries(all.map(([name, width]) => [name, { pattern: 'y'.repeat(width) }]));
  const found = violations(
    { properties },
    members(Object.keys(properties), () => 'x'),
  );
  expect(violationLines(found, { limit: 12 })).toEqual(
    count === 12 ? lines : [...lines.slice(0, 11), '... and 1 more'],
  );
});
