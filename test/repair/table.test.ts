import { describe, expect, test } from 'vitest';
import type { RepairChoice } from '../../src/repair/options.js';
import { repairArguments } from '../../src/repair/repair.js';
import { compileSchema } from '../../src/schema/compile/compile.js';
import { violationLines } from '../../src/schema/violations/describe.js';

/** Repairs `{value}` for `{properties: {value: schema}}`: the accepted arguments, or the refusal's text. */
function outcome(schema: unknown, value: unknown, repairs: RepairChoice = 'integers') {
  const compiled = compileSchema({ type: 'object', properties: { value: schema } });
  const args = { value };
  const { arguments: repaired, evaluation, repairs: made } = repairArguments(compiled, args, repairs);
  if (evaluation.outcome === 'valid') {
    if (made.length === 0) expect(repaired).toBe(args);
    return { accepted: repaired };
  }
  return { refused: violationLines(evaluation.outcome === 'invalid' ? evaluation.violations : []).join('\n') };
}

const uint = { type: ['integer', 'null'], format: 'uint', minimum: 0 };
const integer = { type: 'integer' };
const number = { type: 'number' };
const positive = { type: 'integer', minimum: 1 };
const integerOrDigits = { oneOf: [positive, { type: 'string', pattern: '^[1-9]\\d*$' }] };
const noIntegers = [
  ...['9007199254740993', '1e3', '007', ' 5 ', '5.0', '-0', '+5', '', '0x10', '١٢', '1_000', '1,000', 'NaN'],
  ...['Infinity', '--1'],
];

test.each([
  ['100', uint, 100],
  ['-7', integer, -7],
  ['0', integer, 0],
  ['9007199254740991', integer, Number.MAX_SAFE_INTEGER],
  ['-9007199254740991', integer, Number.MIN_SAFE_INTEGER],
  ['2', { enum: [1, 2, 3] }, 2],
  ['5', { const: 5 }, 5],
  ['5', { anyOf: [positive, { type: 'null' }] }, 5],
  [
    '5',
    {
      oneOf: [
        { ...integer, maximum: 3 },
        { ...integer, minimum: 4 },
      ],
    },
    5,
  ],
  ['5', { type: 'integer', oneOf: [{ const: 4 }, { const: 5 }] }, 5],
  ['5', { type: ['integer', 'array', 'object'] }, 5],
  ['30', number, 30],
])('The string %j against %j becomes %j', (value, schema, expected) => {
  expect(outcome(schema, value)).toEqual({ accepted: { value: expected } });
});

test.each([
  ['2', integerOrDigits],
  ['0049151', { type: 'string' }],
  ['42', { type: ['integer', 'string'] }],
  ['42', { anyOf: [integer, { type: 'string' }] }],
  ['42', { enum: [42, '42'] }],
  ['42', { not: integer }],
])('The value %j against %j is not repaired', (value, schema) => {
  expect(outcome(schema, value)).toEqual({ accepted: { value } });
});

test.each<[unknown, unknown, string[]]>([
  ['abc', uint, ['integer or null', '"abc"']],
  ['-1', uint, ['integer or null', '"-1"']],
  ['-1', { anyOf: [positive, { type: 'null' }] }, ['integer or null', '"-1"']],
  ['0', integerOrDigits, ['"0"']],
  ['5', { anyOf: [integer, { type: 'string', pattern: '^[a-z]+$' }] }, ['"5"']],
  ['10', { type: ['number', 'string'], enum: [10, 100, 'admin'] }, ['"10"']],
  ['7', { type: 'integer', enum: [1, 2, 3] }, ['1, 2', '"7"']],
  ...noIntegers.map((value): [unknown, unknown, string[]] => [value, integer, ['integer', JSON.stringify(value)]]),
  ['5', { oneOf: [integer, number] }, ['"5"']],
  ['30.5', number, ['number', '"30.5"']],
  ['030', number, ['number', '"030"']],
  [['5'], integer, ['integer']],
  [{ '5': 5 }, integer, ['integer']],
])('The value %j against %j is not repaired to an integer', (value, schema, words) => {
  const { refused } = outcome(schema, value);
  for (const word of ['/value', ...words]) expect(refused).toContain(word);
});

describe('numbers', () => {
  const on = 'integers,numbers';
  test.each([
    ['0.5', 0.5],
    ['-1.5', -1.5],
    ['1e3', 1000],
    ['2.50', 2.5],
    ['1E-2', 0.01],
    ['0.7999999999999999', 0.1 + 0.7],
    ['0.30000000000000004', 0.1 + 0.2],
  ])('The string %j becomes the number %j', (value, expected) => {
    expect(outcome(number, value, on)).toEqual({ accepted: { value: expected } });
  });
  test.each([
    ...['007', ' 5', '.5', '5.', '1e400', '1e-400', '-0', '-0.0', '9007199254740992', '9007199254740993', 'NaN'],
    ...['0.12345678901234567', '52.520006599999996', '123456789012345680000', '0x1'],
  ])('The string %j is not read as a number', (value) => {
    expect(outcome(number, value, on).refused).toContain('number');
  });
  test.each(['5.0', '-10.00', '1e3', '5.000', '5.5', '5.', '-0.0', '05.0'])(
    'The value %j does not become an integer',
    (value) => {
      expect(outcome(integer, value, on).refused).toContain('integer');
    },
  );
});

describe('booleans', () => {
  const on = 'booleans';
  test.each(['true', 'True', 'TRUE', 'false', 'False', 'FALSE'])('The string %j becomes a boolean', (value) => {
    const expected = value.toLowerCase() === 'true';
    expect(outcome({ type: 'boolean' }, value, on)).toEqual({ accepted: { value: expected } });
    expect(outcome({ enum: [expected] }, value, on)).toEqual({ accepted: { value: expected } });
  });
  test.each(['yes', 'no', '1', '0', '', ' true', 'tRUE', 'on', 't'])(
    'The string %j is not read as a boolean',
    (value) => {
      expect(outcome({ type: 'boolean' }, value, on).refused).toContain('boolean');
    },
  );
});

describe('json', () => {
  const on = 'integers,json';
  const record = { type: 'object', properties: { limit: integer }, required: ['limit'] };
  const list = (items: object) => ({ type: 'array', items });
  const version = { type: 'object', properties: { v: { type: 'string' } } };
  test.each([
    ['an array', list({ type: 'string' }), '["a", "b"]', ['a', 'b']],
    ['an object', record, ' {"limit": 5} ', { limit: 5 }],
    ['an object with an integer sent as string', record, '{"limit":"5"}', { limit: 5 }],
    ['a list of such texts', list(record), '["{\\"limit\\":\\"5\\"}"]', [{ limit: 5 }]],
    ['fractions for strings', list({ type: 'string' }), '[3.10, 3.9]', ['3.10', '3.9']],
    [
      'such a fraction behind a reference',
      { $ref: '#/properties/value/$defs/v', $defs: { v: version } },
      "{'v': 1.0}",
      { v: '1.0' },
    ],
    ['one that is one of the allowed texts', list({ enum: ['1.0', 'x'] }), '[1.0]', ['1.0']],
    ['digits of a large integer', version, '{"v": 175928847299117063}', { v: '175928847299117063' }],
    ['fractions for strings or numbers', list({ type: ['string', 'number'] }), '[1.0]', [1]],
    ['fractions for anything', { type: 'array' }, '[1.50]', [1.5]],
  ])('JSON in a string is parsed: %s', (_, schema, value, expected) => {
    expect(outcome(schema, value, on)).toEqual({ accepted: { value: expected } });
  });
  test.each([
    ['an array for an object', { type: 'object' }, '[]'],
    ['what is no JSON', { type: 'object' }, '{limit}'],
    ['a scalar', { type: 'array' }, '5'],
    ['an object that the schema rejects', record, '{}'],
    ['an integer that would be rounded', { type: 'array' }, '[9007199254740993]'],
    ['an integer for strings or integers', list({ type: ['string', 'integer'] }), '[9007199254740993]'],
  ])('JSON in a string is not parsed: %s', (_, schema, value) => {
    expect(outcome(schema, value, on).refused).toContain('/value');
  });
  test('JSON in a string does not reach a prototype', () => {
    const { accepted } = outcome(record, '{"__proto__":{"polluted":true},"limit":"1"}', on);
    const { value } = accepted as { value: object };
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(JSON.stringify(value)).toBe('{"__proto__":{"polluted":true},"limit":1}');
    expect({}).not.toHaveProperty('polluted');
  });
});
