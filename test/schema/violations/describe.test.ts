import { describe, expect, test } from 'vitest';
import { describeViolations } from '../../../src/schema/violations/describe.js';
import { violations } from '../decide.js';

/** The lines that a model gets, but for the name of the whole. */
const linesOf = (...given: Parameters<typeof describeViolations>) =>
  describeViolations(...given)
    .split('\n')
    .map((line) => line.replace('(root): ', ''));
const linesFor = (schema: object, instance: unknown) => linesOf(violations(schema, instance));

describe('Violations in words', () => {
  test('are one line each, the most useful first', () => {
    const schema = {
      properties: { a: { minimum: 5 }, b: { type: 'string' }, c: { pattern: '^x' } },
      required: ['d'],
    };
    expect(linesFor(schema, { a: 1, b: 1, c: 'y' })).toEqual([
      '/b: must be string, received integer 1',
      'must have property "d", which is missing',
      '/a: must be >= 5, received integer 1',
      '/c: must be a string matching "^x", received string "y"',
    ]);
  });

  test('list no more values than there is room for', () => {
    const values = Array.from({ length: 12 }, (_, i) => `${i}`.padStart(50, 'x'));
    const [line = ''] = linesFor({ enum: values }, 'y');
    expect(line.match(/"x+\d+"/g)).toHaveLength(4);
    expect(line).toContain(' and 8 more');
  });

  test('are counted beyond a limit', () => {
    const names = Array.from({ length: 30 }, (_, i) => `p${i}`);
    const found = violations(
      { additionalProperties: { type: 'string' } },
      Object.fromEntries(names.map((name, i) => [name, i])),
    );
    expect(describeViolations(found).split('\n')).toHaveLength(11);
    expect(describeViolations(found, { limit: 2 }).split('\n')).toEqual([
      '/p0: must be string, received integer 0',
      '/p1: must be string, received integer 1',
      '... and 28 more',
    ]);
  });

  test.each<[options: { limit?: number; truncated?: boolean }, lines: string[]]>([
    [{}, ['must be integer, received string "x"']],
    [{ truncated: false }, ['must be integer, received string "x"']],
    [{ truncated: true }, ['must be integer, received string "x"', '... and more']],
    [{ limit: 1 }, ['must be integer, received string "x"']],
    [{ limit: 0 }, ['... and 1 more']],
    [{ limit: 0, truncated: true }, ['... and at least 1 more']],
  ])('of one read with %j', (options, lines) => {
    expect(linesOf(violations({ type: 'integer' }, 'x'), options)).toEqual(lines);
  });

  test('of none are the empty text', () => {
    expect(describeViolations([])).toBe('');
  });
});

describe('A line', () => {
  const numbered = (count: number) => Array.from({ length: count }, (_, i) => `value-${i}`);
  const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');

  test.each<[what: string, schema: object, instance: unknown, line: string]>([
    [
      'names the nearest of many values first, the others as far as there is room',
      { enum: [...numbered(500), 'Europe/Berlin'] },
      'europe berlin',
      `must be one of "Europe/Berlin", ${numbered(19)
        .map((value) => `"${value}"`)
        .join(', ')} and 481 more, received string "europe berlin"`,
    ],
    ['names the nearest numbers first', { enum: [10, 20, 30] }, 29, 'must be one of 30, 20, 10, received integer 29'],
    [
      'names the values of a property that is missing',
      { required: ['kind'], properties: { kind: { $ref: '#/$defs/kind' } }, $defs: { kind: { enum: ['a', 'b'] } } },
      {},
      'must have property "kind" (one of "a", "b"), which is missing',
    ],
    [
      'shows a pattern whole',
      { pattern: `^(${'ab|'.repeat(60)}c)$` },
      'x',
      `must be a string matching "^(${'ab|'.repeat(60)}c)$", received string "x"`,
    ],
    [
      'describes a pattern that is too long to be shown',
      { pattern: `^(${'ab|'.repeat(600)}c)$` },
      'x',
      'must be a string matching a pattern of 1805 characters, received string "x"',
    ],
    [
      'says what an array must contain',
      { contains: { type: 'object', required: ['id'] } },
      [1],
      'must have at least 1 item matching {"type":"object","required":["id"]}',
    ],
    [
      'says how long a text is that is cut',
      { maxLength: 10 },
      'x'.repeat(5000),
      `must be at most 10 characters long, received string "${'x'.repeat(76)}... (5000 characters)`,
    ],
    [
      'does not list ten thousand names',
      { not: { required: numbered(10_000) } },
      Object.fromEntries(numbered(10_000).map((name) => [name, 1])),
      'must not have the properties "value-0", "value-1", "value-2", "value-3", "value-4" and 9995 more together',
    ],
    [
      'leaves the type away where the values are listed',
      { type: 'string', enum: ['a', 'b'] },
      null,
      'must be one of "a", "b", received null',
    ],
    [
      'is one for all that is missing in one object',
      { required: ['a', 'b', 'c'], properties: { b: { type: 'integer' } } },
      {},
      'the properties "a", "b" (integer) and "c" are missing',
    ],
    [
      'says how many more properties would do',
      { anyOf: Array.from('abcdef').map((name) => ({ required: [name] })) },
      {},
      'must have property "a", "b", "c", "d", "e" or 1 more; all are missing',
    ],
    [
      'says how many more phrases would do',
      { anyOf: Array.from('abcde').map((name) => ({ pattern: name })) },
      'x',
      `must be ${Array.from('abcd')
        .map((name) => `a string matching "${name}"`)
        .join(', ')} or 1 more, received string "x"`,
    ],
    [
      'counts the thirteenth',
      { required: numbered(13) },
      {},
      `the properties ${quoted(numbered(12))} and 1 more are missing`,
    ],
    [
      'counts the thirteenth property that must not be there',
      { additionalProperties: false },
      Object.fromEntries(numbered(13).map((name) => [name, 1])),
      `must not have the properties ${quoted(numbered(12))} and 1 more`,
    ],
    [
      'names twelve properties that are allowed',
      { properties: Object.fromEntries(numbered(12).map((name) => [name, {}])), additionalProperties: false },
      { q: 1 },
      `must not have the property "q" (allowed: ${quoted(numbered(12))})`,
    ],
    [
      'names none of thirteen',
      { properties: Object.fromEntries(numbered(13).map((name) => [name, {}])), additionalProperties: false },
      { q: 1 },
      'must not have the property "q"',
    ],
    [
      'counts the fifth',
      { oneOf: [1, 2, 3, 4, 5].map((maximum) => ({ maximum })) },
      1,
      'must be valid against exactly one of 5 alternatives, but is against number 1 {"maximum":1}, number 2 {"maximum":2}, number 3 {"maximum":3}, number 4 {"maximum":4} and 1 more',
    ],
    [
      'counts the twenty-first',
      { enum: Array.from({ length: 21 }, (_, i) => i) },
      'x',
      `must be one of ${Array.from({ length: 20 }, (_, i) => i).join(', ')} and 1 more, received string "x"`,
    ],
    [
      'is one for equal errors in four rows of a list',
      { items: { items: { type: 'integer' } } },
      [['x'], ['x'], ['x', 'x']],
      '/*/*, 4 times (first /0/0): must be integer, received string "x"',
    ],
    [
      'is one for equal errors in the rows of a list',
      { properties: { rows: { items: { properties: { id: { type: 'integer' } } } } } },
      { rows: numbered(50).map((id) => ({ id })) },
      '/rows/*/id, 50 times (first /rows/0/id): must be integer, received string "value-0"',
    ],
  ])('%s', (_, schema, instance, line) => {
    expect(linesFor(schema, instance)).toEqual([line]);
  });

  test.each<[what: string, schema: object, instance: unknown, said: string]>([
    [
      'missing in one object',
      { required: numbered(300) },
      {},
      '"value-10", "value-11" and at least 88 more are missing',
    ],
    [
      'not allowed in one object',
      { additionalProperties: false },
      Object.fromEntries(numbered(300).map((name) => [name, 1])),
      '"value-10", "value-11" and at least 88 more',
    ],
    ['on other lines', { items: { type: 'integer' } }, numbered(2_000), '/*, at least 100 times'],
  ])('says at least how many are %s, where more are wrong than are looked for', (_, schema, instance, said) => {
    expect(linesFor(schema, instance).join('\n')).toContain(said);
  });

  test('says how many lines are left at least, where more are wrong than are looked for', () => {
    const schema = { additionalProperties: { type: 'integer' } };
    const all = violations(schema, Object.fromEntries(numbered(300).map((name) => [name, 'x'])));
    expect(describeViolations(all, { limit: 2 }).split('\n').at(-1)).toBe('... and at least 98 more');
    expect(describeViolations(all.slice(0, 5), { limit: 2 }).split('\n')).toHaveLength(3);
  });

  test.each<[what: string, schema: object, instance: unknown, lines: string[]]>([
    [
      'three equal errors in the rows of a list',
      { items: { type: 'integer' } },
      ['x', 'y', 'z'],
      [0, 1, 2].map((i) => `/${i}: must be integer, received string "${'xyz'[i] ?? ''}"`),
    ],
    [
      'errors in rows that are not equal',
      { items: [{ minimum: 5 }, { minimum: 6 }, { minimum: 7 }, { minimum: 8 }] },
      [1, 1, 1, 1],
      [5, 6, 7, 8].map((least, i) => `/${i}: must be >= ${least}, received integer 1`),
    ],
    [
      'properties that are missing beside another one',
      { dependentRequired: { a: ['b', 'c'] } },
      { a: 1 },
      ['must have property "b" beside "a"', 'must have property "c" beside "a"'],
    ],
    [
      'what is missing in two objects',
      { properties: { a: { required: ['x', 'y'] }, b: { required: ['x', 'y'] } } },
      { a: {}, b: {} },
      ['/a: the properties "x" and "y" are missing', '/b: the properties "x" and "y" are missing'],
    ],
    [
      'the failed condition, where nothing else is left',
      { if: { required: ['a'] }, else: { minProperties: 1 } },
      {},
      ['must have at least 1 property, has 0'],
    ],
  ])('is one for each of %s', (_, schema, instance, lines) => {
    expect(linesFor(schema, instance)).toEqual(lines);
  });

  test('suggests only names that are not there yet', () => {
    const schema = { properties: { query: {}, quern: {} }, additionalProperties: false };
    expect(linesFor(schema, { query: 1, querx: 2 })).toEqual([
      'must not have the property "querx" (did you mean "quern"?)',
    ]);
  });

  test.each([
    [['user_name', 'username'], 'userName', '"userName" (did you mean "user_name" or "username"?)'],
    [['a1', 'a2', 'a3', 'a4'].map((end) => `column_${end}`), 'column_a5', /^"column_a5" \(allowed: "column_a1", .*\)$/],
  ])('suggests all names that are equally near, or none of many: %j', (names, given, said) => {
    const schema = { properties: Object.fromEntries(names.map((name) => [name, {}])), additionalProperties: false };
    const [line = '', ...others] = linesFor(schema, { [given]: 1 });
    expect(others).toEqual([]);
    expect(line.replace('must not have the property ', '')).toEqual(
      typeof said === 'string' ? said : expect.stringMatching(said),
    );
  });

  const index = { columnNames: {}, referencedColumns: {}, table: {} };

  test.each<[what: string, schema: object, instance: object, said: string]>([
    ['with the word in front', { properties: index }, { columns: 1 }, '"columns" (did you mean "columnNames"?)'],
    [
      'that is required',
      { properties: index, required: ['referencedColumns'] },
      { columns: 1, table: 1 },
      '"columns" (did you mean "referencedColumns"?)',
    ],
    [
      'that is not used yet',
      { properties: index },
      { columns: 1, columnNames: 1 },
      '"columns" (did you mean "referencedColumns"?)',
    ],
    [
      'with as many common words',
      { properties: { start_date: {}, end_date: {} } },
      { date: 1 },
      '"date" (did you mean "start_date" or "end_date"?)',
    ],
    [
      'of which most is meant, or none',
      { properties: { page_token: {} } },
      { page_size: 1 },
      '"page_size" (allowed: "page_token")',
    ],
  ])('suggests a name %s', (_, schema, instance, said) => {
    expect(linesFor({ ...schema, additionalProperties: false }, instance).at(-1)).toBe(
      `must not have the property ${said}`,
    );
  });

  test('does not name as allowed what is said to be missing', () => {
    const schema = { properties: { a: {}, b: {} }, required: ['a'], additionalProperties: false };
    expect(linesFor(schema, { other: 1 })).toEqual([
      'must have property "a", which is missing',
      'must not have the property "other" (also allowed: "b")',
    ]);
  });
});

describe('All lines together', () => {
  test('come to an end where the schema goes round in circles', () => {
    const round = { $defs: { x: { anyOf: [{ $ref: '#/$defs/x' }, { $ref: '#/$defs/x' }] }, y: { $ref: '#/$defs/y' } } };
    const schema = {
      ...round,
      properties: { a: { $ref: '#/$defs/x' }, b: { $ref: '#/$defs/y' } },
      required: ['a', 'b'],
    };
    expect(linesFor(schema, {})).toEqual(['the properties "a" and "b" are missing']);
  });

  test('have none that is longer than a thousand characters', () => {
    const required = Array.from({ length: 12 }, (_, i) => `${i}${'n'.repeat(200)}`);
    const line = linesFor({ required }, {}).join();
    expect(line).toMatch(/^the properties "0n/);
    expect(line.length).toBe(1000 - '(root): '.length);
  });

  test.each([
    [2_999, 12],
    [3_000, 11],
  ])('take less than three thousand characters: of twelve lines of %i, %i', (length, count) => {
    const line = (name: string, width: number) =>
      `/${name}: must be a string matching "${'y'.repeat(width)}", received string "x"`;
    const full = Array.from('abcdefghijk').map((name) => [name, 200] as const);
    const left = length - full.map(([name, width]) => line(name, width)).join('\n').length - line('\nl', 0).length;
    const all = [...full, ['l', left] as const];
    const found = violations(
      { properties: Object.fromEntries(all.map(([name, width]) => [name, { pattern: 'y'.repeat(width) }])) },
      Object.fromEntries(all.map(([name]) => [name, 'x'])),
    );
    const lines = all.map(([name, width]) => line(name, width));
    expect(lines.join('\n').length).toBe(length);
    expect(describeViolations(found, { limit: 12 }).split('\n')).toEqual(
      count === 12 ? lines : [...lines.slice(0, 11), '... and 1 more'],
    );
  });
});
