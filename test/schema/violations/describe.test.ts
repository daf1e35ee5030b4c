import { describe, expect, test } from 'vitest';
import { describeViolations, leafViolations } from '../../../src/schema/index.js';
import { violations } from '../decide.js';

/** What a model is told. */
function told(schema: object, instance: unknown): string[] {
  return describeViolations(violations(schema, instance)).split('\n');
}

describe('Violations in words', () => {
  test('are one line each, the most useful first', () => {
    const schema = {
      properties: { a: { minimum: 5 }, b: { type: 'string' }, c: { pattern: '^x' } },
      required: ['d'],
    };
    expect(told(schema, { a: 1, b: 1, c: 'y' })).toEqual([
      '/b: must be string, received integer 1',
      '(root): must have property "d", which is missing',
      '/a: must be >= 5, received integer 1',
      '/c: must be a string matching "^x", received string "y"',
    ]);
  });

  test('list no more values than there is room for', () => {
    const values = Array.from({ length: 12 }, (_, i) => `${i}`.padStart(50, 'x'));
    const [line = ''] = told({ enum: values }, 'y');
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

  test('of none are the empty text', () => {
    expect(describeViolations([])).toBe('');
  });
});

describe('Of alternatives the closest is told', () => {
  const shapes = {
    oneOf: [
      {
        type: 'object',
        properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
        required: ['kind', 'radius'],
      },
      {
        type: 'object',
        properties: { kind: { const: 'square' }, side: { type: 'number' } },
        required: ['kind', 'side'],
      },
      { type: 'string' },
    ],
  };

  test.each<[what: string, schema: object, instance: unknown, lines: string[]]>([
    [
      'the one with the same tag',
      shapes,
      { kind: 'square', radius: 1 },
      ['(root): must have property "side" (number), which is missing'],
    ],
    [
      'the one with the same tag, deeper',
      shapes,
      { kind: 'circle', radius: 'big' },
      ['/radius: must be number, received string "big"'],
    ],
    [
      'all tags, where none fits',
      { oneOf: shapes.oneOf.slice(0, 2) },
      { kind: 'line' },
      ['/kind: must be one of "circle", "square", received string "line"'],
    ],
    [
      'the one of the same type',
      {
        anyOf: [
          { type: 'integer', minimum: 1 },
          { type: 'string', pattern: '^[1-9]\\d*$' },
        ],
      },
      '0',
      ['(root): must be a string matching "^[1-9]\\\\d*$", received string "0"'],
    ],
    [
      'the types, where none fits',
      { anyOf: [{ type: 'integer' }, { type: 'array' }, { type: 'null' }] },
      'x',
      ['(root): must be integer, array or null, received string "x"'],
    ],
    [
      'the one with the fewest violations',
      { anyOf: [{ required: ['a', 'b', 'c'] }, { required: ['d'] }] },
      {},
      ['(root): must have property "d", which is missing'],
    ],
    [
      'the one that is not ruled out',
      { anyOf: [false, { type: 'object', required: ['a'] }] },
      {},
      ['(root): must have property "a", which is missing'],
    ],
    [
      'nullable objects',
      { anyOf: [{ type: 'null' }, { type: 'object', properties: { a: { type: 'integer' } } }] },
      { a: 'x' },
      ['/a: must be integer, received string "x"'],
    ],
    [
      'combinators within combinators',
      { anyOf: [{ type: 'null' }, { anyOf: [{ type: 'array', items: { type: 'integer' } }, { type: 'string' }] }] },
      ['x'],
      ['/0: must be integer, received string "x"'],
    ],
    [
      'of items, each on its own',
      { items: { anyOf: [{ type: 'integer' }, { type: 'null' }] } },
      [1, 'x', null, true],
      ['/1: must be integer or null, received string "x"', '/3: must be integer or null, received boolean true'],
    ],
    [
      'the `else`, where the condition failed',
      { if: { properties: { a: { const: 1 } } }, else: { required: ['b'] } },
      { a: 2 },
      ['(root): must have property "b", which is missing'],
    ],
  ])('%s', (_, schema, instance, lines) => {
    expect(told(schema, instance)).toEqual(lines);
  });

  test('too many matches are told, by their names where they have some', () => {
    expect(told({ oneOf: [{ type: 'integer' }, { minimum: 0 }] }, 5)).toEqual([
      '(root): must match exactly one of the 2 alternatives, but matches number 1 (integer) and number 2 (>= 0)',
    ]);
    const named = {
      oneOf: [{ title: 'Cat' }, { $ref: '#/$defs/Dog' }, { required: ['id'] }, false],
      $defs: { Dog: { type: 'object' } },
    };
    expect(told(named, { id: 1 })).toEqual([
      '(root): must match exactly one of the 4 alternatives, but matches "Cat", "Dog" and number 3 (with "id")',
    ]);
  });

  test('as violations too, for programs', () => {
    expect(leafViolations(violations(shapes, { kind: 'circle', radius: '5' }))).toMatchObject([
      { instanceLocation: '/radius', keyword: 'type', expectedTypes: ['number'], received: { value: '5' } },
    ]);
  });
});

describe('The alternative that was meant', () => {
  const object = (properties: object, required: string[] = []) => ({ type: 'object', properties, required });
  const closed = (properties: object, required: string[] = []) => ({
    ...object(properties, required),
    additionalProperties: false,
  });
  const sort = { query: { type: 'string' }, sort: { enum: ['asc', 'desc'] } };
  const tagged = {
    oneOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/b' }],
    $defs: {
      a: object({ t: { enum: ['x', 'y'] }, n: { type: 'integer' } }, ['t']),
      b: object({ t: { const: 'z' }, m: { type: 'integer' } }, ['t']),
    },
  };

  test.each<[what: string, schema: object, instance: unknown, lines: string[]]>([
    [
      'knows the names, though one of its values is wrong',
      { properties: { target: { anyOf: [closed({ id: {} }), closed(sort)] } } },
      { target: { query: 'x', sort: 'up' } },
      ['/target/sort: must be one of "asc", "desc", received string "up"'],
    ],
    [
      'knows the names, where no alternative is closed',
      { anyOf: [object({ id: {} }, ['id']), object(sort)] },
      { query: 'x', sort: 'up' },
      ['/sort: must be one of "asc", "desc", received string "up"'],
    ],
    ['has the tag', tagged, { t: 'y', n: 'q', m: 'q' }, ['/n: must be integer, received string "q"']],
    ['has the other tag', tagged, { t: 'z', n: 'q', m: 'q' }, ['/m: must be integer, received string "q"']],
    [
      'cannot be told by a tag that no alternative has',
      tagged,
      { t: 'w', n: 'q' },
      ['/t: must be one of "x", "y", "z", received string "w"'],
    ],
    [
      'cannot be told without its tag',
      tagged,
      { n: 1 },
      ['(root): must have property "t" (one of "x", "y", "z"), which is missing'],
    ],
    [
      'is one of two',
      { anyOf: [{ required: ['id'] }, { required: ['name'] }] },
      {},
      ['(root): must have property "id" or "name"; both are missing'],
    ],
    [
      'is any of three, none of which has the name',
      { anyOf: [closed({ a: {} }, ['a']), closed({ b: {} }, ['b']), closed({ c: {}, d: {} }, ['c', 'd'])] },
      { x: 1 },
      [
        '(root): must have property "a" or "b"; both are missing',
        '(root): must not have the property "x" (allowed: "a", "b")',
      ],
    ],
    [
      'wants one of two patterns',
      { anyOf: [{ type: 'string', pattern: '^a' }, { pattern: '^b' }, { type: 'null' }] },
      'x',
      ['(root): must be a string matching "^a" or a string matching "^b", received string "x"'],
    ],
    [
      'does not forbid what it declares, beside unevaluatedProperties',
      { anyOf: [object({ a: { type: 'integer' }, b: {} }), object({ c: {} }, ['c'])], unevaluatedProperties: false },
      { a: 'x', b: 1, z: 1 },
      ['/a: must be integer, received string "x"', '(root): must not have the property "z" (allowed: "c")'],
    ],
    [
      'does not forbid its items, beside unevaluatedItems',
      { anyOf: [{ prefixItems: [{ type: 'integer' }] }, { type: 'string' }], unevaluatedItems: false },
      ['x', 1],
      ['/0: must be integer, received string "x"'],
    ],
  ])('%s', (_, schema, instance, lines) => {
    expect(told(schema, instance)).toEqual(lines);
  });

  test('is found among hundreds', () => {
    const many = Array.from({ length: 300 }, (_, i) =>
      closed({ kind: { const: `k${i}` }, [`p${i}`]: {} }, ['kind', `p${i}`]),
    );
    expect(told({ oneOf: many }, { kind: 'k250', q: 1 })).toEqual([
      '(root): must have property "p250", which is missing',
      '(root): must not have the property "q"',
    ]);
  });
});

describe('A line', () => {
  const numbered = (count: number) => Array.from({ length: count }, (_, i) => `value-${i}`);

  test.each<[what: string, schema: object, instance: unknown, line: string]>([
    [
      'names the nearest of many values first, the others as far as there is room',
      { enum: [...numbered(500), 'Europe/Berlin'] },
      'europe berlin',
      `(root): must be one of "Europe/Berlin", ${numbered(19)
        .map((value) => `"${value}"`)
        .join(', ')} and 481 more, received string "europe berlin"`,
    ],
    [
      'names the nearest numbers first',
      { enum: [10, 20, 30] },
      29,
      '(root): must be one of 30, 20, 10, received integer 29',
    ],
    [
      'names the values of a property that is missing',
      { required: ['kind'], properties: { kind: { $ref: '#/$defs/kind' } }, $defs: { kind: { enum: ['a', 'b'] } } },
      {},
      '(root): must have property "kind" (one of "a", "b"), which is missing',
    ],
    [
      'shows a pattern whole',
      { pattern: `^(${'ab|'.repeat(60)}c)$` },
      'x',
      `(root): must be a string matching "^(${'ab|'.repeat(60)}c)$", received string "x"`,
    ],
    [
      'describes a pattern that is too long to be shown',
      { pattern: `^(${'ab|'.repeat(600)}c)$` },
      'x',
      '(root): must be a string matching a pattern of 1805 characters, received string "x"',
    ],
    [
      'says what an array must contain',
      { contains: { type: 'object', required: ['id'] } },
      [1],
      '(root): must have at least 1 item matching {"type":"object","required":["id"]}',
    ],
    [
      'says how long a text is that is cut',
      { maxLength: 10 },
      'x'.repeat(5000),
      `(root): must be at most 10 characters long, received string "${'x'.repeat(76)}... (5000 characters)`,
    ],
    [
      'does not list ten thousand names',
      { not: { required: numbered(10_000) } },
      Object.fromEntries(numbered(10_000).map((name) => [name, 1])),
      '(root): must not have the properties "value-0", "value-1", "value-2", "value-3", "value-4" and 9995 more together',
    ],
    [
      'leaves the type away where the values are listed',
      { type: 'string', enum: ['a', 'b'] },
      null,
      '(root): must be one of "a", "b", received null',
    ],
    [
      'is one for all that is missing in one object',
      { required: ['a', 'b', 'c'], properties: { b: { type: 'integer' } } },
      {},
      '(root): the properties "a", "b" (integer) and "c" are missing',
    ],
    [
      'is one for equal errors in the rows of a list',
      { properties: { rows: { items: { properties: { id: { type: 'integer' } } } } } },
      { rows: numbered(50).map((id) => ({ id })) },
      '/rows/*/id, 50 times (first /rows/0/id): must be integer, received string "value-0"',
    ],
  ])('%s', (_, schema, instance, line) => {
    expect(told(schema, instance)).toEqual([line]);
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
    [
      'wrong in rows',
      { items: { properties: { a: { type: 'integer' }, b: { type: 'integer' } } } },
      numbered(2_000).map((text) => ({ a: text, b: text })),
      '/*/a, at least 50 times (first /0/a): must be integer',
    ],
    [
      'missing in the alternative that was meant',
      { anyOf: [{ required: numbered(300) }, { type: 'null' }] },
      {},
      '"value-10", "value-11" and at least 88 more are missing',
    ],
    ['on other lines', { items: { type: 'integer' } }, numbered(2_000), '/*, at least 100 times'],
  ])('says at least how many are %s, where more are wrong than are looked for', (_, schema, instance, said) => {
    expect(told(schema, instance).join('\n')).toContain(said);
  });

  test('says how many lines are left at least, where more are wrong than are looked for', () => {
    const schema = { additionalProperties: { type: 'integer' } };
    const all = violations(schema, Object.fromEntries(numbered(300).map((name) => [name, 'x'])));
    expect(describeViolations(all, { limit: 2 }).split('\n').at(-1)).toBe('... and at least 98 more');
    expect(describeViolations(all.slice(0, 5), { limit: 2 }).split('\n')).toHaveLength(3);
  });

  test('suggests only names that are not there yet', () => {
    const schema = { properties: { query: {}, quern: {} }, additionalProperties: false };
    expect(told(schema, { query: 1, querx: 2 })).toEqual([
      '(root): must not have the property "querx" (did you mean "quern"?)',
    ]);
  });

  test.each([
    [['user_name', 'username'], 'userName', '"userName" (did you mean "user_name" or "username"?)'],
    [['a1', 'a2', 'a3', 'a4'].map((end) => `column_${end}`), 'column_a5', /^"column_a5" \(allowed: "column_a1", .*\)$/],
  ])('suggests all names that are equally near, or none of many: %j', (names, given, said) => {
    const schema = { properties: Object.fromEntries(names.map((name) => [name, {}])), additionalProperties: false };
    const [line = '', ...others] = told(schema, { [given]: 1 });
    expect(others).toEqual([]);
    expect(line.replace('(root): must not have the property ', '')).toEqual(
      typeof said === 'string' ? said : expect.stringMatching(said),
    );
  });

  test('does not name as allowed what is said to be missing', () => {
    const schema = { properties: { a: {}, b: {} }, required: ['a'], additionalProperties: false };
    expect(told(schema, { other: 1 })).toEqual([
      '(root): must have property "a", which is missing',
      '(root): must not have the property "other" (also allowed: "b")',
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
    expect(told(schema, {})).toEqual(['(root): the properties "a" and "b" are missing']);
  });

  test('have none that is longer than a thousand characters', () => {
    const required = Array.from({ length: 12 }, (_, i) => `${i}${'n'.repeat(200)}`);
    const line = told({ required }, {}).join();
    expect(line).toMatch(/^\(root\): the properties "0n/);
    expect(line.length).toBe(1000);
  });

  test('are bounded, whatever they are about', () => {
    const long = (i: number) => `${i}-${'x'.repeat(500)}`;
    const names = Array.from({ length: 90 }, (_, i) => long(i));
    const schema = { properties: Object.fromEntries(names.map((name) => [name, { enum: names }])) };
    const text = describeViolations(
      violations(schema, Object.fromEntries(names.map((name) => [name, 'y'.repeat(500)]))),
      { limit: 90 },
    );
    expect(text.length).toBeLessThan(3_100);
    expect(text).toMatch(/\n\.\.\. and \d+ more$/);
  });
});
