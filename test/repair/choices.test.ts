import { describe, expect, test } from 'vitest';
import type { RepairChoice } from '../../src/repair/options.js';
import { repairArguments } from '../../src/repair/repair.js';
import { compileSchema } from '../../src/schema/compile/compile.js';
import { violationLines } from '../../src/schema/violations/describe.js';
import { closed, integer, object, string, times } from '../../test-support/schemas/short.js';

const positive = { type: 'integer', minimum: 0 };
const integers = { type: 'array', items: integer };
const a = (schema: object) => ({ properties: { a: schema } });
const both = (ofA: object, ofB: object) => ({ properties: { a: ofA, b: ofB } });
const optional = (schema: object) => ({ anyOf: [schema, { type: 'null' }] });
const tagged = (kind: string, properties: object) =>
  object({ kind: { const: kind }, ...properties }, { required: ['kind'] });

function repair(schema: unknown, args: unknown, repairs: RepairChoice = 'all') {
  const { arguments: repaired, evaluation } = repairArguments(compileSchema(schema), args, repairs);
  const said = evaluation.outcome === 'invalid' ? violationLines(evaluation.violations).join('\n') : '';
  return { repaired, outcome: evaluation.outcome, said };
}

type Rows = Record<string, [schema: object, args: unknown, expected: unknown]>;

test('A repair is never written into a value that replaces its parent', () => {
  const alone = { properties: { b: { type: ['integer', 'object'] } } };
  const strings = { allOf: [{ properties: { b: { items: string } } }] };
  for (const b of [[1], ['1'], [[1]]]) {
    const { repaired } = repair({ ...alone, ...strings }, { b });
    expect([{ b: 1 }, { b }]).toContainEqual(repaired);
  }
});

const rows = { properties: { a: { type: 'array', items: { properties: { b: integer }, required: ['b'] } } } };
const discriminated = ['x', 'y', 'z'].map((kind) => {
  return { properties: { kind: { const: kind }, [kind]: integer, n: integer }, required: ['kind', kind] };
});
const ofTwo = {
  oneOf: [tagged('x', both(integer, integer).properties), tagged('y', both(string, string).properties)],
};
const numbers = { ...a(integer), if: a({ const: 2 }), then: { properties: { b: integer } } };
const dependent = { if: { ...object({ k: { const: 1 } }), required: ['k'] }, then: both(integer, integer) };

const repaired: Rows = {
  'in the branch that the discriminator names': [
    { oneOf: discriminated },
    { kind: 'y', y: '1', n: '2', z: 'text' },
    { kind: 'y', y: 1, n: 2, z: 'text' },
  ],
  'in a branch whose tag excludes the other branch': [ofTwo, { kind: 'x', a: '1', b: '2' }, { kind: 'x', a: 1, b: 2 }],
  'one decides the type of the other': [numbers, { a: '2', b: '5' }, { a: 2, b: 5 }],
  'by a condition': [dependent, { k: 1, a: '1', b: '2' }, { k: 1, a: 1, b: 2 }],
  'by `dependentSchemas`': [
    { dependentSchemas: { k: both(integer, integer) } },
    { k: 1, a: '1', b: '2' },
    { k: 1, a: 1, b: 2 },
  ],
  'by `unevaluatedItems`': [{ prefixItems: [integer], unevaluatedItems: integer }, ['1', '2', '3'], [1, 2, 3]],
  'in elements of a list that must differ': [{ items: integer, uniqueItems: true }, ['1', 2, '3'], [1, 2, 3]],
  'fewer change in a later branch': [
    { anyOf: [both(integer, integer), a(integer)] },
    { a: '1', b: '2' },
    { a: 1, b: '2' },
  ],
  'in the text of an object in the place of a list': [rows, { a: '{"b": "5"}' }, { a: [{ b: 5 }] }],
  'in the text of a list whose indexes are names': [rows, { a: '{"0": {"b": "5"}}' }, { a: [{ b: 5 }] }],
  // Reading `a` as 1 ends the condition that rejects `b`.
  'one needs a repair only while a condition holds': [
    { allOf: [a(integer), { if: a(string), then: { properties: { b: integer } } }] },
    { a: '1', b: '2' },
    { a: 1, b: '2' },
  ],
  'one needs a repair only beside a member that is left out': [
    object({ k: integer, a: true }, { dependentSchemas: { k: a(integer) } }),
    { k: null, a: '2' },
    { a: '2' },
  ],
  'one is evaluated only after another is repaired': [
    { anyOf: [{ prefixItems: [integer, string] }, true], unevaluatedItems: integer },
    ['1', '2'],
    [1, '2'],
  ],
};
test.each(Object.entries(repaired))(
  'Several malformed arguments at once are repaired: %s',
  (_, [schema, args, expected]) => {
    expect(repair(schema, args)).toMatchObject({ outcome: 'valid', repaired: expected });
  },
);

describe.each([1, 5, 8, 40, 99])('%i of them, beside a decision of the schema', (count) => {
  const names = times(count, (index) => `k${index}`);
  const properties: Record<string, object> = Object.fromEntries(names.map((name) => [name, integer]));
  const args: Record<string, string> = Object.fromEntries(names.map((name) => [name, '7']));
  const oneOf = [{ required: ['c'] }, { required: ['d'] }];
  const whole = { properties: { c: { type: 'array', contains: string }, ...properties } };

  test.each([
    ['in an optional list', a(optional(integers)), { a: Object.values(args) }],
    ['in an optional object', a(optional({ properties })), { a: args }],
    ['beside required branches', { properties: { ...properties, c: integer }, oneOf }, { c: 1, ...args }],
    [
      'beside a condition that holds',
      { properties, if: { required: ['d'] }, then: { required: ['c'] } },
      { c: 5, d: 1, ...args },
    ],
  ])('Malformed arguments beside a decision of the schema are all repaired %s', (_, schema, given) => {
    const { repairs, evaluation } = repairArguments(compileSchema(schema), given);
    expect([evaluation.outcome, repairs.length]).toEqual(['valid', count]);
  });

  test.each([
    ['beside it', { ...whole, oneOf }, { c: '[5,6]', ...args }],
    ['in the same text', a(optional({ type: 'object', ...whole })), { a: JSON.stringify({ c: [5, 6], ...args }) }],
    ['in a wrapper', { ...whole, required: ['c'], oneOf }, { input: { c: [5, 6], ...args } }],
  ])('Malformed arguments do not hide that a list is ambiguous %s', (_, schema, given) => {
    expect(repair(schema, given, 'safe').outcome).toBe('invalid');
  });
});

describe('alternatives of the same cost', () => {
  const word = { type: 'string', minLength: 1 };
  const spellings = ['Asc', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'ASC'].map((text) => a({ const: text }));

  const left: Record<string, [schema: object, args: unknown]> = {
    'a string, or a list of one item': [a({ anyOf: [word, integers] }), { a: 1 }],
    'a string, or a list of several items': [a({ anyOf: [word, { ...integers, minItems: 2 }] }), { a: 1 }],
    'alternatives within an alternative, beside one that costs more': [
      { anyOf: [{ anyOf: [a(integer), { properties: { b: integer } }] }, both({ const: 'X' }, { const: 'Y' })] },
      { a: '1', b: '2', c: true },
    ],
    'the first and the last of many alternatives': [{ oneOf: spellings }, { a: 'asc' }],
    'a repair for each of two unions, or two for both': [
      {
        allOf: ['a', 'b'].map((name) => ({ anyOf: [object({ [name]: integer }), object({ c: integer, d: integer })] })),
      },
      { a: '1', b: '2', c: '3', d: '4' },
    ],
    'either of two repairs that were made for different reasons': [
      { allOf: [{ if: both(string, string), then: both(integer, integer) }, { properties: { c: true } }] },
      { a: '1', b: '2' },
    ],
  };
  test.each(Object.entries(left))(
    'Neither of two alternatives that cost the same is taken: %s',
    (_, [schema, args]) => {
      expect(repair(schema, args)).toMatchObject({ outcome: 'invalid', repaired: args });
    },
  );

  const swapped = { anyOf: [both(integer, integer), { properties: { b: integer, a: integer } }] };
  const either = { anyOf: [a(integer), { properties: { b: integer } }] };
  const card = { properties: { object: { enum: ['card'] }, number: string } };
  const costly = a({ anyOf: [{ type: 'number', minimum: 2 }, integers] });
  const branches = times(100, (at) => closed({ [`p${at}`]: integer }, { minProperties: 1 }));
  const rows = (value: unknown) => times(100, (at) => ({ [`p${at}`]: value }));
  const taken: Rows = {
    'each row has another closest branch of a hundred': [{ items: { oneOf: branches } }, rows('1'), rows(1)],
    'one costs less if nested repairs are counted once': [
      { anyOf: [costly, { properties: { b: string } }] },
      { a: '1', b: [1] },
      { a: [1], b: [1] },
    ],
    'another keyword decides': [{ allOf: [either, a(integer)] }, { a: '1', b: '2' }, { a: 1, b: '2' }],
    'an object is not put into a list to evade a schema': [
      a({ anyOf: [card, integer] }),
      { a: { object: null, number: '1' } },
      { a: { number: '1' } },
    ],
    'both mean the same': [{ allOf: [swapped] }, { a: '1', b: '2' }, { a: 1, b: 2 }],
    'both give the same value': [a({ anyOf: [integer, { type: 'number', minimum: 1 }] }), { a: '5' }, { a: 5 }],
  };
  test.each(Object.entries(taken))(
    'An alternative is taken although others seem to cost the same: %s',
    (_, [schema, args, expected]) => {
      expect(repair(schema, args)).toMatchObject({ outcome: 'valid', repaired: expected });
    },
  );
});

const [then, otherwise] = [{ properties: { n: string } }, { properties: { n: integer } }];
const condition = { if: { properties: { k: { const: 1 } } }, then, else: otherwise };
test.each<[what: string, schema: object, given: unknown]>([
  ['any item may be the required one', { contains: integer }, ['1', 'x']],
  ['all items are candidates', { contains: integer, minContains: 2 }, ['1', '2']],
  ['the condition or `else` may be wrong', condition, { k: 2, n: '5' }],
  ["the condition's own value is malformed", { properties: { k: integer }, ...condition }, { k: '1', n: '5' }],
  ['within an alternative', { anyOf: [{ type: 'array', contains: integer }, { type: 'null' }] }, ['1']],
])('Nothing is repaired if it is unclear which value was meant: %s', (_, schema, given) => {
  expect(repair(schema, given)).toMatchObject({ repaired: given, outcome: 'invalid' });
});

describe('arguments that stay invalid', () => {
  const schema = {
    properties: {
      limit: positive,
      offset: integer,
      list: { type: 'array', items: integer, uniqueItems: true },
      pick: { anyOf: [positive, { type: 'boolean' }] },
    },
    required: ['name'],
  };

  test.each([
    ['fixes what it can and reports the rest', { limit: '5', offset: 'abc' }, { limit: 5, offset: 'abc' }],
    ['keeps no repair that the schema rejects', { limit: '-1', offset: '3' }, { limit: '-1', offset: 3 }],
    ['keeps no repair that makes something else wrong', { list: ['1', 1] }, { list: ['1', 1] }],
  ])('The repair of arguments that stay invalid %s', (_, args, expected) => {
    const { repaired, outcome, said } = repair(schema, args);
    expect([repaired, outcome]).toEqual([expected, 'invalid']);
    expect(said).toContain('"name"');
    for (const [name, value] of Object.entries<unknown>(expected))
      if (name !== 'list') expect(said.includes(`/${name}`)).toBe(typeof value === 'string');
  });

  // A repair that makes another value wrong is dropped, with the repairs that would replace it. Repairs beside it are
  // kept.
  const noList = { allOf: [{ type: 'array' }, { items: { type: 'null' } }] };
  const renamed = { properties: { user_id: integer }, additionalProperties: false };
  test.each<[what: string, wrong: object, given: unknown]>([
    ['a list of the value', noList, 'X'],
    ['the list in a string', noList, '["x"]'],
    ['a number, and then a list', { type: ['integer', 'array'], not: { type: ['integer', 'array'] } }, '1'],
    [
      'another name',
      { allOf: [renamed, { if: { required: ['user_id'] }, then: { minProperties: 4 } }] },
      { userId: 1 },
    ],
  ])('The other arguments are repaired if a repair fails, such as %s', (_, wrong, given) => {
    const { repaired, outcome } = repair({ properties: { wrong, right: integer } }, { wrong: given, right: '5' });
    expect([repaired, outcome]).toEqual([{ wrong: given, right: 5 }, 'invalid']);
  });

  test('A repair is kept if there are more violations than an evaluation reports', () => {
    const others = times(99, () => 'x');
    const { repaired } = repair({ allOf: [{ items: integer }, { uniqueItems: true }] }, ['7', ...others]);
    expect(repaired).toEqual([7, ...others]);
  });

  const inner = object({ n: positive }, { required: ['n'] });
  test.each<[where: string, schema: object, given: unknown, said: string]>([
    [
      'within an alternative',
      { anyOf: [inner, { type: 'object', required: ['n', 'm'] }] },
      { n: '-1' },
      '/wrong/n: must be integer, received string "-1"',
    ],
    [
      'inside a parsed string',
      { ...inner, required: ['n', 'm'] },
      '{"n":"-1","x":1}',
      String.raw`/wrong: must be object, received string "{\"n\":\"-1\",\"x\":1}"`,
    ],
  ])('A violation shows the received value instead of the repaired one: %s', (_, wrong, given, received) => {
    const { repaired, said } = repair({ properties: { wrong } }, { wrong: given }, 'safe');
    expect([repaired, said]).toEqual([{ wrong: given }, received]);
  });

  test('The other values of a long list around an invalid value are repaired', () => {
    const values = times(2000, (index) => String(index - 1));
    expect(repair({ items: positive }, values).repaired).toEqual(['-1', ...values.slice(1).map(Number)]);
  });
});

test('The given arguments are never modified, even if they share parts', () => {
  const shared = Object.freeze({ n: '1' });
  const args = Object.freeze({ a: shared, b: shared, list: Object.freeze(['1']) });
  const schema = { properties: { a: { properties: { n: integer } }, list: { items: integer } } };
  expect(repair(schema, args).repaired).toEqual({ a: { n: 1 }, b: { n: '1' }, list: [1] });
  expect(args).toEqual({ a: { n: '1' }, b: { n: '1' }, list: ['1'] });
});

test('The given arguments keep the order of their keys', () => {
  const { repaired } = repair({ properties: { b: integer } }, { a: 1, b: '2', c: 3 });
  expect(JSON.stringify(repaired)).toBe('{"a":1,"b":2,"c":3}');
});

test('The given arguments may be a single value', () => {
  expect(repair(integer, '5')).toMatchObject({ repaired: 5, outcome: 'valid' });
});
