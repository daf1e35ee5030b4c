import { afterEach, describe, expect, test, vi } from 'vitest';
import type { RepairChoice } from '../../src/repair/options.js';
import { repairArguments } from '../../src/repair/repair.js';
import { compileSchema } from '../../src/schema/compile/compile.js';
import { describeViolations } from '../../src/schema/violations/describe.js';

const integer = { type: 'integer' };
const string = { type: 'string' };

function repair(schema: unknown, args: unknown, repairs?: RepairChoice) {
  const { arguments: repaired, evaluation } = repairArguments(compileSchema(schema), args, repairs);
  return {
    repaired,
    outcome: evaluation.outcome,
    said: evaluation.outcome === 'invalid' ? describeViolations(evaluation.violations) : '',
  };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('several malformed arguments at once', () => {
  test.each([
    [
      'in one branch',
      { anyOf: [{ properties: { a: integer, b: integer } }, { type: 'null' }] },
      { a: '1', b: '2' },
      { a: 1, b: 2 },
    ],
    [
      'in the branch that the discriminator names',
      {
        oneOf: ['x', 'y', 'z'].map((kind) => ({
          type: 'object',
          properties: { kind: { const: kind }, [kind]: integer, n: integer },
          required: ['kind', kind],
        })),
      },
      { kind: 'y', y: '1', n: '2', z: 'text' },
      { kind: 'y', y: 1, n: 2, z: 'text' },
    ],
    [
      'of which one decides what the other must be',
      {
        properties: { version: integer },
        if: { properties: { version: { const: 2 } } },
        then: { properties: { n: integer } },
      },
      { version: '2', n: '5' },
      { version: 2, n: 5 },
    ],
    [
      'in elements of a list that must differ',
      { properties: { a: { type: 'array', items: integer, uniqueItems: true } } },
      { a: ['1', 2, '3'] },
      { a: [1, 2, 3] },
    ],
  ])('%s', (_, schema, args, expected) => {
    expect(repair(schema, args)).toMatchObject({ outcome: 'valid', repaired: expected });
  });
});

test.each([
  ['the text of an object', '{"b": "5"}'],
  ['the text of a list whose indexes are names', '{"0": {"b": 5}}'],
])('%s in the place of a list of objects is read', (_, text) => {
  const items = { type: 'object', properties: { b: integer }, required: ['b'], additionalProperties: false };
  const schema = { properties: { a: { type: 'array', items } } };
  expect(repair(schema, { a: text }, 'all')).toMatchObject({ outcome: 'valid', repaired: { a: [{ b: 5 }] } });
});

describe('where the schema offers several ways', () => {
  test.each([
    [
      'fewer changes come before the earlier branch',
      { anyOf: [{ properties: { a: integer, b: integer } }, { properties: { a: integer } }] },
      { a: '1', b: '2' },
      { a: 1, b: '2' },
    ],
  ])('%s', (_, schema, args, expected) => {
    expect(repair(schema, args)).toMatchObject({ outcome: 'valid', repaired: expected });
  });
});

describe('where two alternatives cost as much, neither is taken', () => {
  test.each([
    [
      'integers in the one or in the other',
      { oneOf: [{ properties: { a: integer, b: string } }, { properties: { a: string, b: integer } }] },
      { a: '1', b: '2' },
    ],
    [
      'a text, or a list of one',
      {
        properties: {
          pages: {
            anyOf: [
              { type: 'string', minLength: 1 },
              { type: 'array', items: integer },
            ],
          },
        },
      },
      { pages: 1 },
    ],
    [
      'one element of a list or the other',
      { properties: { list: { items: { type: ['string', 'integer'] }, contains: integer } } },
      { list: ['5', '6'] },
    ],
    [
      'alternatives within an alternative, beside one that costs more',
      {
        anyOf: [
          { anyOf: [{ properties: { a: integer } }, { properties: { b: integer } }] },
          { properties: { a: { const: 'X' }, b: { const: 'Y' } } },
        ],
      },
      { a: '1', b: '2', c: true },
    ],
    [
      'of more than a few alternatives the first and the last',
      {
        oneOf: ['Asc', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'ASC'].map((op) => ({
          properties: { op: { const: op } },
        })),
      },
      { op: 'asc' },
    ],
    [
      'either of two repairs that were made for different reasons',
      {
        allOf: [
          { if: { properties: { a: string, b: string } }, then: { properties: { a: integer, b: integer } } },
          { properties: { c: true } },
        ],
      },
      { a: '1', b: '2' },
    ],
  ])('%s', (_, schema, args) => {
    const { arguments: repaired, evaluation } = repairArguments(compileSchema(schema), args, 'all');
    expect(evaluation.outcome).toBe('invalid');
    expect(repaired).toBe(args);
  });

  test('and rows of which each is closest to another of a hundred are repaired', () => {
    vi.spyOn(performance, 'now').mockReturnValue(0);
    const branch = (index: number) => ({
      properties: { [`p${index}`]: integer },
      required: [`p${index}`],
      additionalProperties: false,
    });
    const schema = { items: { oneOf: Array.from({ length: 100 }, (_, index) => branch(index)) } };
    const rows = (value: unknown) => Array.from({ length: 200 }, (_, index) => ({ [`p${index % 100}`]: value }));
    expect(repair(schema, rows('1'))).toMatchObject({ outcome: 'valid', repaired: rows(1) });
  });

  test('nor where they cost more, counting what is repaired within a repaired value once', () => {
    const number = {
      anyOf: [
        { type: 'number', minimum: 2 },
        { type: 'array', items: integer },
      ],
    };
    const schema = { anyOf: [{ properties: { a: number } }, { properties: { b: string } }] };
    const { repairs } = repairArguments(compileSchema(schema), { a: '1', b: [1] }, 'all');
    expect(repairs.map(({ instanceLocation, kind }) => `${kind} ${instanceLocation}`)).toEqual([
      'singleton /a',
      'integer /a/0',
    ]);
  });

  test('but what is settled by another keyword is repaired', () => {
    const either = { anyOf: [{ properties: { a: integer } }, { properties: { b: integer } }] };
    const schema = { allOf: [either, { properties: { a: integer } }] };
    expect(repair(schema, { a: '1', b: '2' })).toMatchObject({ outcome: 'valid', repaired: { a: 1, b: '2' } });
  });

  test('and an object is not put into a list so that a schema has nothing to say about it', () => {
    const card = { properties: { object: { enum: ['card'] }, number: string } };
    const schema = { properties: { source: { anyOf: [card, integer] } } };
    const { arguments: repaired } = repairArguments(
      compileSchema(schema),
      { source: { object: null, number: '1' } },
      'all',
    );
    expect(repaired).toEqual({ source: { number: '1' } });
  });

  test('unless they mean the same', () => {
    const swapped = { anyOf: [{ properties: { a: integer, b: integer } }, { properties: { b: integer, a: integer } }] };
    expect(repair({ allOf: [swapped] }, { a: '1', b: '2' })).toMatchObject({ repaired: { a: 1, b: 2 } });
    const same = { anyOf: [integer, { type: 'number', minimum: 1 }] };
    expect(repair({ properties: { a: same } }, { a: '5' })).toMatchObject({ outcome: 'valid', repaired: { a: 5 } });
  });
});

describe('where the schema leaves open which value was meant, nothing is repaired', () => {
  const condition = { if: { properties: { k: { const: 1 } } }, then: { properties: { n: string } } };
  test.each<[what: string, schema: object, given: unknown]>([
    ['any of the items may be the one that is looked for', { contains: integer }, ['1', 'x']],
    ['also where all of them are', { contains: integer, minContains: 2 }, ['1', '2']],
    [
      'what `else` asks for, or the condition',
      { ...condition, else: { properties: { n: integer } } },
      { k: 2, n: '5' },
    ],
    [
      'nor beside it',
      { properties: { k: integer }, ...condition, else: { properties: { n: integer } } },
      { k: '1', n: '5' },
    ],
    ['within an alternative', { anyOf: [{ type: 'array', contains: integer }, { type: 'null' }] }, ['1']],
  ])('%s', (_, schema, given) => {
    expect(repair(schema, given)).toMatchObject({ repaired: given, outcome: 'invalid' });
  });
});

describe('where something stays wrong', () => {
  const schema = {
    type: 'object',
    properties: {
      limit: { type: 'integer', minimum: 0 },
      offset: integer,
      list: { type: 'array', items: integer, uniqueItems: true },
      name: string,
      pick: { anyOf: [{ type: 'integer', minimum: 0 }, { type: 'boolean' }] },
    },
    required: ['name'],
  };
  test('repairs what can be, and reports the rest', () => {
    const { repaired, outcome, said } = repair(schema, { limit: '5', offset: 'abc' });
    expect(repaired).toEqual({ limit: 5, offset: 'abc' });
    expect(outcome).toBe('invalid');
    expect(said).toContain('/offset');
    expect(said).toContain('name');
    expect(said).not.toContain('/limit');
  });
  test('keeps no repair that the schema refuses, and says what is wrong with the value', () => {
    const { repaired, said } = repair(schema, { limit: '-1', offset: '3', name: 'n' });
    expect(repaired).toEqual({ limit: '-1', offset: 3, name: 'n' });
    expect(said).toContain('>= 0');
    expect(said).toContain('"-1"');
    expect(said).not.toContain('must be integer,');
  });
  test('keeps no repair that makes something else wrong', () => {
    const args = { list: ['1', 1], name: 'n' };
    expect(repair(schema, args)).toMatchObject({ repaired: args, outcome: 'invalid' });
  });
  // What makes something else wrong is given up, and what takes its place as well; what stands beside it is repaired.
  test.each<[what: string, wrong: object, given: unknown]>([
    ['a list of the value', { allOf: [{ type: 'array' }, { items: { type: 'null' } }] }, 'X'],
    ['a list that the text holds', { allOf: [{ type: 'array' }, { items: { type: 'null' } }] }, '["x"]'],
    [
      'a number, and then a list',
      { allOf: [{ type: ['integer', 'array'] }, { not: { type: ['integer', 'array'] } }] },
      '1',
    ],
    [
      'another name',
      {
        allOf: [
          { properties: { user_id: integer }, additionalProperties: false },
          { if: { required: ['user_id'] }, then: { minProperties: 4 } },
        ],
      },
      { userId: 1 },
    ],
  ])('repairs the others where it is no use to try %s', (_, wrong, given) => {
    const { repaired, outcome } = repair(
      { properties: { wrong, right: integer } },
      { wrong: given, right: '5' },
      'all',
    );
    expect([repaired, outcome]).toEqual([{ wrong: given, right: 5 }, 'invalid']);
  });
  test('keeps a repair where more is wrong than an evaluation tells', () => {
    const values = ['7', ...Array.from({ length: 99 }, () => 'x')];
    const { repaired } = repair({ allOf: [{ items: integer }, { uniqueItems: true }] }, values);
    expect(repaired).toEqual([7, ...values.slice(1)]);
  });
  test('tells what the branch meant for the value wants', () => {
    const { said } = repair(schema, { pick: '-1', name: 'n' });
    expect(said).toContain('>= 0');
    expect(said).toContain('"-1"');
  });
  test.each<[where: string, schema: object, given: unknown, said: string]>([
    [
      'within an alternative',
      {
        anyOf: [
          { type: 'object', properties: { n: { type: 'integer', minimum: 0 } }, required: ['n'] },
          { type: 'object', required: ['n', 'm'] },
        ],
      },
      { n: '-1' },
      '/wrong/n: must be >= 0, received string "-1"',
    ],
    [
      'within what a text was read as',
      { type: 'object', properties: { n: { type: 'integer', minimum: 0 } }, required: ['n', 'm'] },
      '{"n":"-1","x":1}',
      String.raw`/wrong: must be object, received string "{\"n\":\"-1\",\"x\":1}"`,
    ],
  ])('shows what came, not what was made of it: %s', (_, wrong, given, received) => {
    const { repaired, said } = repair({ properties: { wrong } }, { wrong: given });
    expect(repaired).toEqual({ wrong: given });
    expect(said).toBe(received);
  });
  test('repairs the others of a long list around a wrong one', () => {
    // However long it takes.
    vi.spyOn(performance, 'now').mockReturnValue(0);
    const values = Array.from({ length: 2000 }, (_, index) => String(index - 1));
    const { repaired } = repair(
      { properties: { a: { type: 'array', items: { type: 'integer', minimum: 0 } } } },
      { a: values },
    );
    expect(repaired).toEqual({ a: ['-1', ...values.slice(1).map(Number)] });
  });
});

describe('the arguments given', () => {
  test('are never modified, nor what is shared within them', () => {
    const shared = Object.freeze({ n: '1' });
    const args = Object.freeze({ a: shared, b: shared, list: Object.freeze(['1']) });
    const schema = { properties: { a: { properties: { n: integer } }, list: { items: integer } } };
    expect(repair(schema, args).repaired).toEqual({ a: { n: 1 }, b: { n: '1' }, list: [1] });
    expect(args).toEqual({ a: { n: '1' }, b: { n: '1' }, list: ['1'] });
  });
  test('keep the order of their keys', () => {
    const { repaired } = repair({ properties: { b: integer } }, { a: 1, b: '2', c: 3 });
    expect(JSON.stringify(repaired)).toBe('{"a":1,"b":2,"c":3}');
  });
  test('may be anything', () => {
    for (const args of [null, undefined, '5', 5, [], ['5']]) {
      expect(() => repair({ type: 'object', properties: { a: integer } }, args)).not.toThrow();
    }
    expect(repair(integer, '5')).toMatchObject({ repaired: 5, outcome: 'valid' });
  });
});
