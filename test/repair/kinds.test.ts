import { describe, expect, test } from 'vitest';
import {
  defaultRepairs,
  onlyRepairs,
  type RepairChoice,
  type RepairedTool,
  type RepairOptions,
} from '../../src/repair/options.js';
import { repairArguments } from '../../src/repair/repair.js';
import { compileSchema } from '../../src/schema/compile/compile.js';

type Case = [what: string, schema: object, args: unknown, repaired: unknown];
type Refused = [what: string, schema: object, args: unknown];

function table(kind: keyof RepairOptions, repaired: Case[], refused: Refused[]): void {
  describe(kind, () => {
    test.each(repaired)('%s', (_, schema, args, expected) => {
      const { arguments: result, ...made } = repairArguments(compileSchema(schema), args, onlyRepairs(kind));
      expect(result).toEqual(expected);
      expect(JSON.stringify(result)).toBe(JSON.stringify(expected));
      expect(made.evaluation.outcome).toBe('valid');
      expect(made.repairs.length).toBeGreaterThan(0);
      expect(repairArguments(compileSchema(schema), args, 'off').arguments).toBe(args);
    });
    test.each(refused)('not %s', (_, schema, args) => {
      const { arguments: result, ...made } = repairArguments(compileSchema(schema), args, onlyRepairs(kind));
      expect(made.repairs).toEqual([]);
      expect(result).toBe(args);
      expect(made.evaluation.outcome).not.toBe('undetermined');
    });
  });
}

const a = (schema: unknown, rest: object = {}) => ({ type: 'object', properties: { a: schema }, ...rest });
const closed = (properties: object, rest: object = {}) => ({
  type: 'object',
  properties,
  additionalProperties: false,
  ...rest,
});
const string = { type: 'string' };
const integer = { type: 'integer' };
const strings = { type: 'array', items: string };
const dependent = (keyword: string) => a(integer, { [keyword]: { b: ['a'] } });

table(
  'strings',
  [
    ['an integer', a(string), { a: 25 }, { a: '25' }],
    ['a negative integer', a(string), { a: -7 }, { a: '-7' }],
    ['where a format of numbers is named', a({ ...string, format: 'int64' }), { a: 25 }, { a: '25' }],
    ['a boolean whose text is listed', a({ enum: ['true', 'auto'] }), { a: true }, { a: 'true' }],
    ...[
      'Tags in JSON format (e.g., \'{"key":"value"}\')',
      'The data as a JSON string',
      'Resource tags as JSON',
      'JSON-encoded state',
      'The date, or JSON: {"date": "2025-01-01"}',
    ].map((description): Case => [
      `an object where JSON is wanted: ${description}`,
      a({ ...string, description }),
      { a: { b: [1.5, null] } },
      { a: '{"b":[1.5,null]}' },
    ]),
    ['a list of several', a({ ...string, description: 'A JSON array' }), { a: [1, 2] }, { a: '[1,2]' }],
    ['an element', a(strings), { a: ['x', 10] }, { a: ['x', '10'] }],
    ['where text or null is accepted', a({ type: ['string', 'null'] }), { a: 25 }, { a: '25' }],
    ['one of the allowed texts', a({ enum: ['1', '2'] }), { a: 2 }, { a: '2' }],
    ['as many digits as are asked for', a({ ...string, description: '4-digit year' }), { a: 2024 }, { a: '2024' }],
  ],
  [
    ['where numbers are accepted', a({ type: ['string', 'number'] }), { a: 25 }],
    ['what the pattern refuses', a({ type: 'string', pattern: '^[a-z]+$' }), { a: 25 }],
    ['a number that is not written in digits', a(string), { a: 1e21 }],
    ['fewer digits than are asked for', a({ ...string, description: 'The 6-digit code' }), { a: 40123 }],
    ['one of two numbers of digits', a({ ...string, description: '4 digits or 6 digits' }), { a: 4012 }],
    ['an integer that JavaScript has rounded', a(string), { a: 175928847299117063 }],
    ['a fraction', a(string), { a: 1.5 }],
    ['where "12.0" is wanted', a({ ...string, description: "The version, such as '12.0'" }), { a: 12 }],
    ...['examples', 'default', 'title'].map((keyword): Refused => [
      `where ${keyword} shows such a number`,
      a({ ...string, [keyword]: keyword === 'examples' ? ['12.0'] : '12.0' }),
      { a: 12 },
    ]),
    ['where its list is of such numbers', a({ ...strings, description: 'Versions such as "12.0"' }), { a: [12] }],
    ['where its map is', { additionalProperties: string, description: 'Versions such as "12.0"' }, { a: 12 }],
    ['a zero that was lost', a({ ...string, description: 'ZIP code, such as 02134' }), { a: 2134 }],
    ['a plus that was lost', a({ ...string, examples: ['+4915112345678'] }), { a: 4915112345678 }],
    ...['zero-padded month', 'keep leading zeros', 'A six-digit number', 'E.164', 'with country code', 'HH:MM'].map(
      (description): Refused => [`"${description}"`, a({ ...string, description }), { a: 40123 }],
    ),
    ...['date-time', 'date', 'uuid', 'email', 'uri'].map((format): Refused => [
      `where ${format} is wanted`,
      a({ ...string, format }),
      { a: 1700000000 },
    ]),
    ['a boolean', a(string), { a: true }],
    ['a boolean whose text is not listed', a({ enum: ['yes', 'no'] }), { a: true }],
    ['where a list is accepted as well', a({ type: ['string', 'array'] }), { a: 25 }],
    ['where a list is accepted, by an alternative', a({ anyOf: [string, strings] }), { a: 25 }],
    ...['version', 'apiVersion', 'zip_code', 'country-codes', 'PINCode', 'phone'].map((name): Refused => [
      `where it is called ${name}`,
      { properties: { [name]: string } },
      { [name]: 2 },
    ]),
    ['where a version is spoken of', a({ ...string, description: 'The API version' }), { a: 2 }],
    ['a list of one that may be the JSON', a({ ...string, description: 'As JSON' }), { a: ['{"b": 1}'] }],
    ['null where JSON is wanted', a({ ...string, description: 'As JSON' }), { a: null }],
    ['a list', a(string), { a: [1] }],
    ['an object', a(string), { a: { b: 1 } }],
    ...[
      'A JSON file, such as {"a": 1}.json',
      'The message (will be serialized as JSON)',
      'Plain text, not a JSON object',
      'Name of a JSON object',
      'A filter of the JSON response',
      'Path to angular.json',
      'Keys and values; a JSON object is not allowed',
    ].map((description): Refused => [
      `an object where it says "${description}"`,
      a({ ...string, description }),
      { a: { b: 1 } },
    ]),
    [
      'an object with a number that JavaScript has rounded',
      a({ ...string, description: 'As JSON' }),
      { a: { b: 175928847299117063 } },
    ],
    ['where objects are accepted', a({ type: ['string', 'object'], description: 'As JSON' }), { a: { b: 1 } }],
  ],
);

table(
  'decimals',
  [
    ['a fraction', a(string), { a: 1.5 }, { a: '1.5' }],
    ['fifteen digits', a(string), { a: 0.12345678901234 }, { a: '0.12345678901234' }],
  ],
  [
    ['an integer', a(string), { a: 25 }],
    ['more digits than JavaScript gives back', a(string), { a: 0.123456789012345678 }],
    ['what is not written in digits', a(string), { a: 1e-7 }],
    ['what the pattern refuses', a({ type: 'string', pattern: '^\\d\\.\\d\\d$' }), { a: 3.1 }],
  ],
);

table(
  'enums',
  [
    ['case', a({ enum: ['Like New', 'Used'] }), { a: 'like new' }, { a: 'Like New' }],
    [
      'a space for an underscore',
      a({ type: 'string', enum: ['six_months'] }),
      { a: 'Six Months' },
      { a: 'six_months' },
    ],
    ['a hyphen left out', a({ enum: ['hip-hop', 'pop'] }), { a: 'hiphop' }, { a: 'hip-hop' }],
    ['two letters where all are in one case', a({ enum: ['NA', 'EU'] }), { a: 'na' }, { a: 'NA' }],
    ['spaces around', a({ enum: ['open'] }), { a: ' open ' }, { a: 'open' }],
    ['a space before a number', a({ enum: ['step1', 'step_2'] }), { a: 'Step 1' }, { a: 'step1' }],
    ['a constant', a({ const: 'createUser' }), { a: 'create_user' }, { a: 'createUser' }],
    ['an element', a({ items: { enum: ['Vegan'] } }), { a: ['vegan'] }, { a: ['Vegan'] }],
    ['in an alternative', a({ anyOf: [{ enum: ['asc', 'desc'] }, { type: 'null' }] }), { a: 'DESC' }, { a: 'desc' }],
    [
      'the tag of an alternative',
      a({ oneOf: [a({ const: 'Cut' }), { properties: { a: { const: 'Copy' } }, required: ['a'] }] }),
      { a: { a: 'copy' } },
      { a: { a: 'Copy' } },
    ],
  ],
  [
    ...[
      ['-date', 'date'],
      ['UTC-5', 'UTC5'],
      ['A-', 'A'],
      ['1-10', '110'],
      ['1_0', '10'],
      ['-', ''],
      ['-', '_'],
    ].map(([value, sent]): Refused => [`"${value}" for "${sent}"`, a({ enum: [value, 'other'] }), { a: sent }]),
    ['one letter', a({ enum: ['M', 'F'] }), { a: 'm' }],
    ['two letters where the case says something', a({ enum: ['kW', 'MW'] }), { a: 'mW' }],
    ['two letters in both cases', a({ enum: ['NA', 'EU'] }), { a: 'nA' }],
    [
      'where an alternative takes other texts',
      a({ anyOf: [{ enum: ['Now'] }, { ...string, minLength: 5 }] }),
      { a: 'now' },
    ],
    ['two that differ by case alone', a({ enum: ['Name', 'NAME'] }), { a: 'name' }],
    ['months for minutes', a({ enum: ['1m', '5m', '1h'] }), { a: '1M' }],
    ['minutes for months', a({ enum: ['1 M', '1 Y'] }), { a: '1 m' }],
    ['two that differ by separators alone', a({ enum: ['a_b', 'a-b'] }), { a: 'a b' }],
    ['the nearest by distance', a({ enum: ['basic', 'detailed'] }), { a: 'detail' }],
    ['what is too long for a name', a({ enum: ['x'.repeat(201)] }), { a: 'X'.repeat(201) }],
    ['where any text is accepted', a({ anyOf: [{ enum: ['Vegan'] }, string] }), { a: 'vegan' }],
  ],
);

table(
  'names',
  [
    ['camelCase for snake_case', closed({ max_results: integer }), { maxResults: 5 }, { max_results: 5 }],
    ['case', closed({ userID: integer }), { userId: 5 }, { userID: 5 }],
    ['a required one is missing', a(integer, { required: ['a'] }), { A: 5, b: 1 }, { a: 5, b: 1 }],
    ['one that is required beside another', dependent('dependentRequired'), { b: 1, A: 2 }, { b: 1, a: 2 }],
    ['the same in older drafts', dependent('dependencies'), { b: 1, A: 2 }, { b: 1, a: 2 }],
    ['several', closed({ a_b: integer, c_d: integer }), { cD: 1, aB: 2 }, { c_d: 1, a_b: 2 }],
    ['a sign at the edge', closed({ _from: integer }), { from: 5 }, { _from: 5 }],
    ['a hyphen at the edge', closed({ '-v': { type: 'boolean' } }), { v: true }, { '-v': true }],
    ['in an alternative', { anyOf: [closed({ a_b: integer }), { type: 'null' }] }, { aB: 1 }, { a_b: 1 }],
  ],
  [
    ['a name that is accepted', a(integer), { A: 5 }],
    ['one that is required beside another that did not come', dependent('dependentRequired'), { A: 5 }],
    ['over one that was given', closed({ a_b: integer }), { a_b: 1, aB: 2 }],
    ['two for one', closed({ a_b: integer }), { aB: 1, AB: 2 }],
    ['one for two', closed({ a_b: integer, aB: integer }), { AB: 1 }],
    ['one for two, by a sign at the edge', closed({ from: integer, _from: integer }), { From: 1 }],
    ['a synonym', closed({ a: integer }, { required: ['a'] }), { value: 1 }],
    ['a name whose value is refused there', closed({ a_b: integer }), { aB: 'x' }],
    ['one that a pattern accepts', closed({ a_b: integer }, { patternProperties: { '^a': integer } }), { aB: 1, c: 1 }],
    [
      'one that is declared elsewhere',
      { properties: { a_b: integer }, allOf: [{ properties: { aB: integer } }], required: ['a_b'] },
      { aB: 1 },
    ],
  ],
);

table(
  'lists',
  [
    ['a text', a(string), { a: ['x'] }, { a: 'x' }],
    ['one of the allowed values', a({ enum: ['x', 'y'] }), { a: ['x'] }, { a: 'x' }],
    [
      'one that is called JSON',
      a({ type: 'string', enum: ['json', 'xml'], description: 'JSON or XML' }),
      { a: ['json'] },
      { a: 'json' },
    ],
    ['of a file', a({ ...string, description: 'Path of the angular.json' }), { a: ['x'] }, { a: 'x' }],
    ['a list with its indexes for names', a(strings), { a: { 0: 'x', 1: 'y' } }, { a: ['x', 'y'] }],
  ],
  [
    ...['The labels as JSON', 'A JSON array', 'Such as ["x"]', 'Array of labels'].map((description): Refused => [
      `where the text of a list may be wanted: "${description}"`,
      a({ ...string, description }),
      { a: ['x'] },
    ]),
    ['where an example shows one', a({ ...string, examples: ['["x", "y"]'] }), { a: ['x'] }],
    ['names that are no indexes', a(strings), { a: { 1: 'x', 2: 'y' } }],
    ['an object without names', a(strings), { a: {} }],
    ['indexes where an object is accepted', a({ type: ['array', 'object'], items: string }), { a: { 0: 'x' } }],
    ['two', a(string), { a: ['x', 'y'] }],
    ['none', a(string), { a: [] }],
    ['an object', a({ type: 'object' }), { a: [{}] }],
    ['a list within', a(string), { a: [['x']] }],
    ['where lists are accepted', a({ type: ['string', 'array'] }), { a: ['x'] }],
    ['another type', a(integer), { a: ['x'] }],
  ],
);

table(
  'singletons',
  [
    ['a text', a(strings), { a: 'x' }, { a: ['x'] }],
    ['an object', a({ type: 'array', items: closed({ b: integer }) }), { a: { b: 1 } }, { a: [{ b: 1 }] }],
    ['an optional list', a({ anyOf: [strings, { type: 'null' }] }), { a: 'x' }, { a: ['x'] }],
  ],
  [
    ['the text of a list', a(strings), { a: "['x']" }],
    ['a code fence', a(strings), { a: '```\n["x"]\n```' }],
    ['values with commas between', a(strings), { a: 'x, y' }],
    ['values with "and" between', a(strings), { a: 'vegan and gluten-free' }],
    ['lines', a(strings), { a: 'x\ny' }],
    ['the words of a command', a(strings), { a: 'ls -la' }],
    ['an object with indexes for names', a({ type: 'array', items: {} }), { a: { 0: 'x' } }],
    ['null', a(strings), { a: null }],
    ['nothing', a(strings), { a: '' }],
    ['an object that has none of the members', a({ type: 'array', items: a(integer) }), { a: { name: 'f' } }],
    ['an element', { items: strings }, ['x']],
    ['what the items refuse', a(strings), { a: 5 }],
  ],
);

table(
  'nulls',
  [
    ['null', a(integer), { a: null, b: 1 }, { b: 1 }],
    ['what null is by default', a({ ...integer, default: null, description: 'null for all' }), { a: null }, {}],
    ['where None is the default', a({ ...integer, description: 'The limit. Default is None.' }), { a: null }, {}],
    ['in a reference', { $defs: { i: integer }, ...a({ $ref: '#/$defs/i' }) }, { a: null }, {}],
    ['one that the schema around does not require', a(a(integer)), { a: { a: null } }, { a: {} }],
    ['the text of the null that is accepted', a({ type: ['integer', 'null'] }), { a: 'null' }, { a: null }],
    ['or of one in an alternative', a({ anyOf: [integer, { type: 'null' }] }), { a: 'None' }, { a: null }],
  ],
  [
    ['a required property', a(integer, { required: ['a'] }), { a: null }],
    ['one that another requires', a(integer, { dependentRequired: { b: ['a'] } }), { a: null, b: 1 }],
    ['where null is accepted', a({ type: ['integer', 'null'] }), { a: null }],
    ['where the description gives null a meaning', a({ ...string, description: 'A date or null' }), { a: null }],
    ['where it does around alternatives', a({ anyOf: [string, integer], description: 'null clears it' }), { a: null }],
    ['an empty text', a(integer), { a: '' }],
    ['an element', a({ items: integer }), { a: [null, 1] }],
    ['a name that is not declared', { additionalProperties: integer }, { a: null }],
    ['where None has a meaning', a({ ...string, description: 'Pass None to remove it' }), { a: null }],
    ['where it can be cleared', a({ ...integer, description: 'The limit; unset it with null' }), { a: null }],
    ['where what is left out stays', a({ ...integer, description: 'Omit to leave it unchanged' }), { a: null }],
    ['where it stays if left out', a({ ...integer, description: 'Keeps the old value if omitted' }), { a: null }],
    ['where a value says the same', a({ enum: ['asc', 'none'], default: 'asc' }), { a: null }],
    [
      'where a property beside it accepts null',
      a(integer, { properties: { a: integer, b: { type: ['integer', 'null'] } } }),
      { a: null },
    ],
    ['where "nullable" is said without a type', a({ anyOf: [integer, string], nullable: true }), { a: null }],
    ['where it can be removed', a({ ...integer, description: 'Removes the limit if not given' }), { a: null }],
    ['null in a text', a(integer), { a: 'null' }],
    ['None in a text', a({ enum: ['x'] }), { a: 'None' }],
    ['other words', a(integer), { a: 'none' }],
  ],
);

table(
  'allNulls',
  [
    ['null', a(integer), { a: null, b: 1 }, { b: 1 }],
    ['null in a text', a(integer), { a: 'null' }, {}],
    ['None', a({ enum: ['x'] }), { a: 'None' }, {}],
    ['beside one that accepts null', { properties: { a: integer, b: { type: 'null' } } }, { a: null }, {}],
  ],
  [
    ['where the description gives null a meaning', a({ ...string, description: 'A date or null' }), { a: null }],
    ...['off', 'never', 'None', 'no'].map((value): Refused => [
      `where ${value} is allowed`,
      a({ enum: ['on', value] }),
      { a: 'None' },
    ]),
  ],
);

table(
  'bits',
  [
    ['1', a({ type: 'boolean' }), { a: 1 }, { a: true }],
    ['0', a({ anyOf: [{ type: 'boolean' }, { type: 'null' }] }), { a: 0 }, { a: false }],
  ],
  [
    ['2', a({ type: 'boolean' }), { a: 2 }],
    ['the text of one', a({ type: 'boolean' }), { a: '1' }],
    ['where numbers are accepted', a({ anyOf: [{ type: 'boolean' }, { type: 'integer', minimum: 5 }] }), { a: 1 }],
  ],
);

const states = { type: 'array', items: { enum: ['open', 'closed', 'in progress'] } };
const integers = { type: 'array', items: integer };
table(
  'split',
  [
    ['listed values', a(states), { a: 'open,closed' }, { a: ['open', 'closed'] }],
    ['integers', a(integers), { a: '1, 2, 3' }, { a: [1, 2, 3] }],
    ['two, of which the second has two digits', a(integers), { a: '1,20' }, { a: [1, 20] }],
    ['numbers', a({ type: 'array', items: { type: 'number' } }), { a: '1.5, -2' }, { a: [1.5, -2] }],
    ['an optional list', a({ anyOf: [states, { type: 'null' }] }), { a: 'open,closed' }, { a: ['open', 'closed'] }],
    [
      'behind a reference',
      { $defs: { s: states.items }, ...a({ type: 'array', items: { $ref: '#/$defs/s' } }) },
      { a: 'open,closed' },
      { a: ['open', 'closed'] },
    ],
  ],
  [
    ['texts', a(strings), { a: 'a, b' }],
    ['one', a(states), { a: 'open' }],
    ['one that is not listed', a(states), { a: 'open,other' }],
    ['one in another spelling', a(states), { a: 'open,Closed' }],
    ['what may be one number', a(integers), { a: '1,234' }],
    ['a fraction among integers', a(integers), { a: '1, 2.5' }],
    ['an empty part', a(states), { a: 'open,' }],
    ['a text that is itself listed', a({ type: 'array', items: { enum: ['a', 'b', 'a,b'] } }), { a: 'a,b' }],
    ['where any text is an item', a({ type: 'array', items: { anyOf: [integer, string] } }), { a: '1, 2' }],
    ['more than the list may have', a({ ...states, maxItems: 1 }), { a: 'open,closed' }],
    ['where the text is accepted', a({ anyOf: [states, string] }), { a: 'open,closed' }],
  ],
);

const tagged = (...kinds: string[]) => ({
  oneOf: kinds.map((kind) => ({
    type: 'object',
    properties: { kind: { const: kind }, [kind]: string },
    required: ['kind', kind],
    additionalProperties: false,
  })),
});
table(
  'consts',
  [
    ['the tag of an alternative', a(tagged('x', 'y')), { a: { y: '1' } }, { a: { y: '1', kind: 'y' } }],
    ['a list of one value', a({ enum: ['v1'] }, { required: ['a'] }), {}, { a: 'v1' }],
  ],
  [
    [
      'where two alternatives fit',
      a({
        anyOf: [closed({ k: { const: 1 } }, { required: ['k'] }), closed({ k: { const: 2 } }, { required: ['k'] })],
      }),
      { a: {} },
    ],
    ['where none fits', a(tagged('x', 'y')), { a: { z: '1' } }],
    ['one of two values', a({ enum: ['v1', 'v2'] }, { required: ['a'] }), {}],
    ['a default', a({ ...integer, default: 5 }, { required: ['a'] }), {}],
    ['an optional property', a({ oneOf: [{ const: 'v1' }] }, { anyOf: [{ required: ['b'] }] }), {}],
    ['another value', a(tagged('x', 'y')), { a: { kind: 'z', y: '1' } }],
    ['null', a({ const: 'v1' }, { required: ['a'] }), { a: null }],
  ],
);

table(
  'blanks',
  [
    ['an empty text', a(integer), { a: '', b: 1 }, { b: 1 }],
    ['one that is too short', a({ type: 'string', minLength: 1 }), { a: '' }, {}],
    ['one that is none of the values', a({ enum: ['x', 'y'] }), { a: '' }, {}],
    ['where null is accepted and the default', a({ type: ['integer', 'null'], default: null }), { a: '' }, {}],
  ],
  [
    ['where text is accepted', a(string), { a: '' }],
    ['a required property', a(integer, { required: ['a'] }), { a: '' }],
    ['an element', a({ items: integer }), { a: [''] }],
    ['null', a(integer), { a: null }],
    ['where null is accepted: it may mean null', a({ type: ['integer', 'null'] }), { a: '' }],
    ['where the description gives it a meaning', a({ ...strings, description: "'' matches any error" }), { a: '' }],
    ['where it can be cleared', a({ ...integer, description: 'Estimate (empty to clear)' }), { a: '' }],
    ['where members can be', a(a(integer), { description: 'Empty strings clear a field' }), { a: { a: '' } }],
  ],
);

const wrapped = closed({ q: string }, { required: ['q'] });
table(
  'wrappers',
  [
    ...['arguments', 'input', 'parameters', 'properties', 'args'].map((name): Case => [
      name,
      wrapped,
      { [name]: { q: 'x' } },
      { q: 'x' },
    ]),
    ['a required property is missing', a(string, { required: ['a'] }), { input: { a: 'x' } }, { a: 'x' }],
    ['an envelope of JSON text', wrapped, { arguments: '{"q": "x"}' }, { q: 'x' }],
  ],
  [
    ['a name that is declared', closed({ input: a(integer) }), { input: { q: 'x' } }],
    ['what is refused inside', wrapped, { arguments: { r: 'x' } }],
    ['beside another member', wrapped, { arguments: { q: 'x' }, name: 'search' }],
    ['another name', wrapped, { body: { q: 'x' } }],
    ['where it is accepted', a(string), { arguments: { a: 'x' } }],
    ['deeper inside', a(wrapped), { a: { arguments: { q: 'x' } } }],
    ['a list', wrapped, { arguments: [{ q: 'x' }] }],
    ['names that are paths', a({ type: 'array', items: a(string) }, { required: ['a'] }), { 'a[0].a': 'x' }],
  ],
);

describe('what is not repaired, whatever is chosen', () => {
  test.each<Refused>([
    ['a text of several values', a(strings), { a: 'x,y' }],
    ['a number with a thousands separator', a({ type: 'number' }), { a: '1,234.50' }],
    ['a date in another format', a({ type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d$' }), { a: '31.12.2026' }],
    ['a property that nobody knows', closed({ a: integer }), { a: 1, b: 2 }],
    ['a missing property with a default', a({ ...integer, default: 5 }, { required: ['a'] }), {}],
    ['members that belong one level deeper', closed({ f: closed({ a: integer }) }, { required: ['f'] }), { a: 1 }],
    ['a number that would be rounded', a(integer), { a: 1.5 }],
    ['a yes', a({ type: 'boolean' }), { a: 'yes' }],
  ])('%s', (_, schema, args) => {
    const { arguments: result, repairs, evaluation } = repairArguments(compileSchema(schema), args, 'all');
    expect(evaluation.outcome).toBe('invalid');
    expect(repairs).toEqual([]);
    expect(result).toBe(args);
  });
});

describe('a tool that is called', () => {
  const tool = (name: string, rest: object = {}) => ({ name, ...rest });
  const drop = (called: RepairedTool, schema: object = a(integer)) =>
    repairArguments(compileSchema(schema), { a: null }, 'safe', { tool: called }).evaluation.outcome === 'valid';

  test.each([
    ['search_tasks', {}],
    ['list-settings', {}],
    ['getUpdates', { annotations: { readOnlyHint: true } }],
    ['create_task', { description: 'Creates a task.' }],
  ])('%s loses a null that clears nothing', (name, rest) => {
    expect(drop(tool(name, rest))).toBe(true);
  });

  test.each([
    ...['update_task', 'asana_update_task', 'updateTask', 'UpdateTask', 'tasks.update', 'UPDATE_TASK', 'bulkupdate'],
    ...['edit_card', 'patch-user', 'set_due_date', 'modify', 'change_status', 'clear', 'reset_all', 'unset_field'],
    ...['assign', 'move_card', 'replace_row', 'upsert-record', 'put_object', 'delete_rows', 'remove_filter'],
  ])('%s keeps its null', (name) => {
    expect(drop(tool(name))).toBe(false);
    expect(drop(tool(name, { annotations: { readOnlyHint: true } }))).toBe(true);
  });

  test.each([
    'To remove a property, set it to null explicitly.',
    'Null clears a field.',
    'Fields can be unset.',
    'Resets what is not given.',
  ])('one that is described so keeps its null: %s', (description) => {
    expect(drop(tool('do_it', { description }))).toBe(false);
    expect(drop(tool('do_it', { description, annotations: { readOnlyHint: true } }))).toBe(false);
  });

  test('is called by its name beside its arguments', () => {
    const compiled = compileSchema(wrapped);
    const repaired = (args: object, name: string) =>
      repairArguments(compiled, args, 'safe', { tool: tool(name) }).arguments;
    const call = { name: 'search', arguments: { q: 'x' } };
    expect(repaired(call, 'search')).toEqual({ q: 'x' });
    expect(repaired({ name: 'search', arguments: '{"q":"x"}' }, 'search')).toEqual({ q: 'x' });
    expect(repaired(call, 'other')).toBe(call);
  });
});

describe('kinds together', () => {
  test.each<Case>([
    ['no number where a text is allowed, but its spelling', a({ enum: ['TRUE', true] }), { a: 'true' }, { a: 'TRUE' }],
    ['a quoted value', a({ enum: ['asc', 'desc'] }), { a: '"asc"' }, { a: 'asc' }],
    ["a number in Python's quotes", a(integer), { a: "'5'" }, { a: 5 }],
    ['a text with names and numbers', closed({ a_b: integer }), '{"aB": "5"}', { a_b: 5 }],
    ['a list of one text of a number', a(integer), { a: ['5'] }, { a: 5 }],
    ['a single text of a number for a list', a({ type: 'array', items: integer }), { a: '5' }, { a: [5] }],
    ['everything within a wrapper', closed({ a_b: { enum: ['Long'] } }), { args: { aB: ['long'] } }, { a_b: 'Long' }],
  ])('%s', (_, schema, args, expected) => {
    const { arguments: result, evaluation } = repairArguments(compileSchema(schema), args, 'all');
    expect(evaluation.outcome).toBe('valid');
    expect(result).toEqual(expected);
  });

  test('each repair is reported with its place as of then, and with before and after', () => {
    const schema = closed({ max_results: integer, tags: strings, note: { type: 'string', minLength: 1 } });
    const { repairs } = repairArguments(
      compileSchema(schema),
      { args: { maxResults: '5', tags: 'x', note: null } },
      'all',
    );
    expect(repairs).toEqual([
      {
        instanceLocation: '',
        kind: 'wrapper',
        from: { args: { maxResults: '5', tags: 'x', note: null } },
        to: { maxResults: '5', tags: 'x', note: null },
      },
      { instanceLocation: '/tags', kind: 'singleton', from: 'x', to: ['x'] },
      { instanceLocation: '/note', kind: 'null', from: null, to: undefined },
      { instanceLocation: '/maxResults', kind: 'name', from: 'maxResults', to: 'max_results' },
      { instanceLocation: '/max_results', kind: 'integer', from: '5', to: 5 },
    ]);
  });

  test('a name in the place of a member that is left out is reported beside it', () => {
    const schema = a(integer, { anyOf: [{ required: ['a'] }, { required: ['b'] }] });
    const { arguments: result, repairs } = repairArguments(compileSchema(schema), { a: '', A: 5 }, 'all');
    expect(result).toEqual({ a: 5 });
    expect(repairs).toEqual([
      { instanceLocation: '/a', kind: 'blank', from: '', to: undefined },
      { instanceLocation: '/A', kind: 'name', from: 'A', to: 'a' },
    ]);
  });

  test('what is coerced within what was made of a value is reported by itself', () => {
    const schema = a({ type: 'array', items: { type: 'object', properties: { n: integer } } });
    const { arguments: result, repairs } = repairArguments(compileSchema(schema), { a: { n: '1' } }, 'all');
    expect(result).toEqual({ a: [{ n: 1 }] });
    expect(repairs).toEqual([
      { instanceLocation: '/a', kind: 'singleton', from: { n: '1' }, to: [{ n: '1' }] },
      { instanceLocation: '/a/0/n', kind: 'integer', from: '1', to: 1 },
    ]);
  });
});

describe('a choice of repairs', () => {
  const schema = a(integer, { properties: { a: integer, b: { type: 'boolean' } } });
  test.each<[RepairChoice | undefined, object]>([
    [undefined, { a: 5, b: true }],
    ['integers', { a: 5, b: 'True' }],
    ['off', { a: '5', b: 'True' }],
    ['safe', { a: 5, b: true }],
    ['all', { a: 5, b: true }],
    [{}, { a: 5, b: true }],
    [{ booleans: false }, { a: 5, b: 'True' }],
    [onlyRepairs('integers'), { a: 5, b: 'True' }],
    [
      { integers: false, booleans: true },
      { a: '5', b: true },
    ],
  ])('%j', (choice, expected) => {
    expect(repairArguments(compileSchema(schema), { a: '5', b: 'True' }, choice).arguments).toEqual(expected);
  });

  test('that is none is refused', () => {
    expect(() => repairArguments(compileSchema(schema), {}, 'some' as RepairChoice)).toThrow(
      '"some" is not a repair setting. Choose off, integers, safe, all or an object.',
    );
    expect(() => repairArguments(compileSchema(schema), {}, 'toString' as RepairChoice)).toThrow(TypeError);
  });

  test('is safe where nothing is chosen', () => {
    const off = Object.entries(defaultRepairs).filter(([, isOn]) => !isOn);
    expect(off.map(([kind]) => kind)).toEqual(['bits', 'decimals', 'lists', 'singletons', 'allNulls', 'blanks']);
  });
});
