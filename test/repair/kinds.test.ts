import { describe, expect, test } from 'vitest';
import { ConfigurationError } from '../../src/json/index.js';
import { chosenRepairs, repairKindOf, repairOptions } from '../../src/repair/options.js';
import type { RepairChoice, RepairedTool, RepairOption } from '../../src/repair/options.js';
import { repairArguments } from '../../src/repair/repair.js';
import { compileSchema } from '../../src/schema/compile/compile.js';
import { closed as closedObject, integer, string } from '../../test-support/schemas/short.js';

type Case = [what: string, schema: object, args: unknown, repaired: unknown];
type Refused = [what: string, schema: object, args: unknown];

/** Tests one kind alone: the cases that it repairs, without any other kind, and the cases that it rejects. */
function table(kind: RepairOption, repaired: Case[], refused: Refused[]): void {
  const repair = (schema: object, args: unknown) => repairArguments(compileSchema(schema), args, kind);
  describe(kind, () => {
    test.each(repaired)(`Repairs of ${kind} are made: %s`, (_, schema, args, expected) => {
      const { arguments: result, repairs, evaluation } = repair(schema, args);
      expect(result).toEqual(expected);
      expect(JSON.stringify(result)).toBe(JSON.stringify(expected));
      expect(evaluation.outcome).toBe('valid');
      expect([...new Set(repairs.map((each) => each.kind))]).toEqual([repairKindOf[kind]]);
      expect(repair(schema, result).arguments).toBe(result);
      expect(repairArguments(compileSchema(schema), args, 'off').arguments).toBe(args);
    });
    test.each(refused)(`Repairs of ${kind} are not made: %s`, (_, schema, args) => {
      const { arguments: result, repairs, evaluation } = repair(schema, args);
      expect(repairs).toEqual([]);
      expect(result).toBe(args);
      expect(evaluation.outcome).not.toBe('undetermined');
    });
  });
}

const a = (schema: unknown, rest: object = {}) => ({ type: 'object', properties: { a: schema }, ...rest });
const closed = (properties: object, ...required: string[]) => closedObject(properties, { required });
const boolean = { type: 'boolean' };
const strings = { type: 'array', items: string };
const described = (description: string, of: object = string) => a({ ...of, description });
const object = { a: { b: [1.5, null] } };
const objectText = { a: '{"b":[1.5,null]}' };
const dependent = (keyword: string) => a(integer, { [keyword]: { b: ['a'] } });

table(
  'strings',
  [
    ['an integer', a(string), { a: 25 }, { a: '25' }],
    ['if a format of numbers is named', a({ ...string, format: 'int64' }), { a: 25 }, { a: '25' }],
    ['a boolean whose text is listed', a({ enum: ['true', 'auto'] }), { a: true }, { a: 'true' }],
    ['an object as JSON', described('Resource tags as JSON'), object, objectText],
    ['an object as a JSON string', described('The data as a JSON string'), object, objectText],
    ['an object in JSON format', described('Tags in JSON format (e.g., \'{"k":"v"}\')'), object, objectText],
    ['an object as one is shown', described('The date, or JSON: {"date": "2025"}'), object, objectText],
    ['a list of several', described('A JSON array'), { a: [1, 2] }, { a: '[1,2]' }],
    ['an element', a(strings), { a: ['x', 10] }, { a: ['x', '10'] }],
    ['one of the allowed texts', a({ enum: ['1', '2'] }), { a: 2 }, { a: '2' }],
    ['as many digits as are asked for', described('4-digit year'), { a: 2024 }, { a: '2024' }],
  ],
  [
    ['what the pattern refuses', a({ type: 'string', pattern: '^[a-z]+$' }), { a: 25 }],
    ['a number that is not written in digits', a(string), { a: 1e21 }],
    ['fewer digits than are asked for', described('The 6-digit code'), { a: 40123 }],
    ['one of two numbers of digits', described('4 digits or 6 digits'), { a: 4012 }],
    ['an integer that JavaScript has rounded', a(string), { a: 175928847299117063 }],
    ['a fraction', a(string), { a: 1.5 }],
    ['where "12.0" is wanted', described("The version, such as '12.0'"), { a: 12 }],
    ['if its list is of such numbers', described('Versions such as "12.0"', strings), { a: [12] }],
    ['if its map is', { additionalProperties: string, description: 'Versions such as "12.0"' }, { a: 12 }],
    ['a plus that was lost', a({ ...string, examples: ['+4915112345678'] }), { a: 4915112345678 }],
    ...['zero-padded month', 'keep leading zeros', 'A six-digit number', 'E.164', 'with country code', 'HH:MM'].map(
      (text): Refused => [`"${text}"`, described(text), { a: 40123 }],
    ),
    ['for a date', a({ ...string, format: 'date' }), { a: 1700000000 }],
    ['a boolean', a(string), { a: true }],
    ['a boolean whose text is not listed', a({ enum: ['yes', 'no'] }), { a: true }],
    ...['version', 'apiVersion', 'zip_code', 'country-codes', 'PINCode', 'phone'].map((name): Refused => [
      `if it is called ${name}`,
      { properties: { [name]: string } },
      { [name]: 2 },
    ]),
    ['if a version is mentioned', described('The API version'), { a: 2 }],
    ['a list of one that may be the JSON', described('As JSON'), { a: ['{"b": 1}'] }],
    ['null for JSON', described('As JSON'), { a: null }],
    ['an object', a(string), { a: { b: 1 } }],
    ...[
      ...['A JSON file, such as {"a": 1}.json', 'The message (will be serialized as JSON)'],
      ...['Plain text, not a JSON object', 'Name of a JSON object', 'A filter of the JSON response'],
      ...['Path to angular.json', 'Keys and values; a JSON object is not allowed'],
    ].map((text): Refused => [`an object if it says "${text}"`, described(text), { a: { b: 1 } }]),
    ['an object with a rounded number', described('As JSON'), { a: { b: 175928847299117063 } }],
  ],
);

table(
  'decimals',
  [
    ['a fraction', a(string), { a: 1.5 }, { a: '1.5' }],
    ['fifteen digits', a(string), { a: 0.12345678901234 }, { a: '0.12345678901234' }],
  ],
  [
    ['more digits than JavaScript gives back', a(string), { a: 0.123456789012345678 }],
    ['what is not written in digits', a(string), { a: 1e-7 }],
  ],
);

const oneOfTags = { oneOf: ['Cut', 'Copy'].map((tag) => a({ const: tag })) };
table(
  'enums',
  [
    ['case', a({ enum: ['Like New', 'Used'] }), { a: 'like new' }, { a: 'Like New' }],
    ['a space for an underscore', a({ enum: ['six_months'] }), { a: 'Six Months' }, { a: 'six_months' }],
    ['a hyphen left out', a({ enum: ['hip-hop', 'pop'] }), { a: 'hiphop' }, { a: 'hip-hop' }],
    ['two letters if all are in one case', a({ enum: ['NA', 'EU'] }), { a: 'na' }, { a: 'NA' }],
    ['spaces around', a({ enum: ['open'] }), { a: ' open ' }, { a: 'open' }],
    ['a space before a number', a({ enum: ['step1', 'step_2'] }), { a: 'Step 1' }, { a: 'step1' }],
    ['a constant', a({ const: 'createUser' }), { a: 'create_user' }, { a: 'createUser' }],
    ['the tag of an alternative', oneOfTags, { a: 'copy' }, { a: 'Copy' }],
  ],
  [
    ['what says something at the beginning', a({ enum: ['-date', 'other'] }), { a: 'date' }],
    ['what says something at the end', a({ enum: ['A-', 'B'] }), { a: 'A' }],
    ['a sign before a number', a({ enum: ['UTC-5', 'UTC'] }), { a: 'UTC5' }],
    ['a sign between numbers', a({ enum: ['1_0', '2_0'] }), { a: '10' }],
    ['a sign for another', a({ enum: ['-', '*'] }), { a: '_' }],
    ['one letter', a({ enum: ['M', 'F'] }), { a: 'm' }],
    ['two letters if the case says something', a({ enum: ['kW', 'MW'] }), { a: 'mW' }],
    ['two letters in both cases', a({ enum: ['NA', 'EU'] }), { a: 'nA' }],
    ['if other texts fit', a({ anyOf: [{ enum: ['Now'] }, { ...string, minLength: 5 }] }), { a: 'now' }],
    ['two that differ by case alone', a({ enum: ['Name', 'NAME'] }), { a: 'name' }],
    ['months for minutes', a({ enum: ['1m', '5m', '1h'] }), { a: '1M' }],
    ['minutes for months', a({ enum: ['1 M', '1 Y'] }), { a: '1 m' }],
    ['the nearest by distance', a({ enum: ['basic', 'detailed'] }), { a: 'detail' }],
    ['what is too long for a name', a({ enum: ['x'.repeat(201)] }), { a: 'X'.repeat(201) }],
  ],
);

table(
  'names',
  [
    ['camelCase for snake_case', closed({ max_results: integer }), { maxResults: 5 }, { max_results: 5 }],
    ['a required one is missing', a(integer, { required: ['a'] }), { A: 5, b: 1 }, { a: 5, b: 1 }],
    ['one that is required beside another', dependent('dependentRequired'), { b: 1, A: 2 }, { b: 1, a: 2 }],
    ['the same in older drafts', dependent('dependencies'), { b: 1, A: 2 }, { b: 1, a: 2 }],
    ['several', closed({ a_b: integer, c_d: integer }), { cD: 1, aB: 2 }, { c_d: 1, a_b: 2 }],
    ['a sign at the edge', closed({ _from: integer }), { from: 5 }, { _from: 5 }],
    ['in an alternative', { anyOf: [closed({ a_b: integer }), { type: 'null' }] }, { aB: 1 }, { a_b: 1 }],
  ],
  [
    ['one that is required beside another that did not come', dependent('dependentRequired'), { A: 5 }],
    ['over one that was given', closed({ a_b: integer }), { a_b: 1, aB: 2 }],
    ['two for one', closed({ a_b: integer }), { aB: 1, AB: 2 }],
    ['one for two', closed({ a_b: integer, aB: integer }), { AB: 1 }],
    ['a synonym', closed({ a: integer }, 'a'), { value: 1 }],
    ['a name whose value is refused there', closed({ a_b: integer }), { aB: 'x' }],
    [
      'one that a pattern accepts',
      { ...closed({ a_b: integer }), patternProperties: { '^a': integer } },
      { aB: 1, c: 1 },
    ],
    ['one that is declared elsewhere', { allOf: [a(integer), { properties: { A: {} } }], required: ['a'] }, { A: 1 }],
  ],
);

table(
  'lists',
  [
    ['a text', a(string), { a: ['x'] }, { a: 'x' }],
    ['one of the allowed values', a({ enum: ['x', 'y'] }), { a: ['x'] }, { a: 'x' }],
    ['one that is called JSON', described('JSON or XML', { enum: ['json', 'xml'] }), { a: ['json'] }, { a: 'json' }],
    ['of a file', described('Path of the angular.json'), { a: ['x'] }, { a: 'x' }],
    ['a list with its indexes for names', a(strings), { a: { 0: 'x', 1: 'y' } }, { a: ['x', 'y'] }],
  ],
  [
    ...['The labels as JSON', 'A JSON array', 'Such as ["x"]', 'Array of labels'].map((text): Refused => [
      `if the text of a list may be wanted: "${text}"`,
      described(text),
      { a: ['x'] },
    ]),
    ['if an example shows one', a({ ...string, examples: ['["x", "y"]'] }), { a: ['x'] }],
    ['names that are no indexes', a(strings), { a: { 1: 'x', 2: 'y' } }],
    ['an object without names', a(strings), { a: {} }],
    ['two', a(string), { a: ['x', 'y'] }],
    ['an object', a({ type: 'object' }), { a: [{}] }],
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
  ],
);

table(
  'nulls',
  [
    ['null', a(integer), { a: null, b: 1 }, { b: 1 }],
    ['what null is by default', described('null for all', { ...integer, default: null }), { a: null }, {}],
    ['if None is the default', described('The limit. Default is None.', integer), { a: null }, {}],
    ['one that the schema around does not require', a(a(integer)), { a: { a: null } }, { a: {} }],
    ['the text of the null that is accepted', a({ type: ['integer', 'null'] }), { a: 'null' }, { a: null }],
    ['or of one in an alternative', a({ anyOf: [integer, { type: 'null' }] }), { a: 'None' }, { a: null }],
  ],
  [
    ['a required property', a(integer, { required: ['a'] }), { a: null }],
    ['one that another requires', a(integer, { dependentRequired: { b: ['a'] } }), { a: null, b: 1 }],
    ['an empty text', a(integer), { a: '' }],
    ['an element', a({ items: integer }), { a: [null, 1] }],
    ['a name that is not declared', { additionalProperties: integer }, { a: null }],
    ['if it can be cleared', described('The limit; unset it with null', integer), { a: null }],
    ['if what is left out stays', described('Omit to leave it unchanged', integer), { a: null }],
    ['if it stays if left out', described('Keeps the old value if omitted', integer), { a: null }],
    ['if it can be removed', described('Removes the limit if not given', integer), { a: null }],
    ['if a property beside it accepts null', closed({ a: integer, b: { type: ['integer', 'null'] } }), { a: null }],
    ['where "nullable" is said without a type', a({ anyOf: [integer, string], nullable: true }), { a: null }],
    ['null in a text', a(integer), { a: 'null' }],
    ['other words', a(integer), { a: 'none' }],
  ],
);

table(
  'allNulls',
  [
    ['null', a(integer), { a: null, b: 1 }, { b: 1 }],
    ['null in a text', a(integer), { a: 'null' }, {}],
    ['None', a({ enum: ['x'] }), { a: 'None' }, {}],
    ['the text of a null that is listed', a({ enum: ['x', null] }), { a: 'null' }, { a: null }],
    ['or accepted beside a text', a({ type: ['string', 'null'], pattern: '^\\d+$' }), { a: 'None' }, { a: null }],
    ['or in an alternative', a({ anyOf: [{ enum: ['x'] }, { type: 'null' }] }), { a: 'null' }, { a: null }],
    ['beside one that accepts null', { properties: { a: integer, b: { type: 'null' } } }, { a: null }, {}],
  ],
  [
    ['if off is allowed', a({ enum: ['on', 'off'] }), { a: 'None' }],
    ['if never is allowed', a({ enum: ['on', 'never'] }), { a: 'None' }],
  ],
);

table(
  'bits',
  [
    ['1', a(boolean), { a: 1 }, { a: true }],
    ['0', a({ anyOf: [boolean, { type: 'null' }] }), { a: 0 }, { a: false }],
  ],
  [['2', a(boolean), { a: 2 }]],
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
  ],
  [
    ['texts', a(strings), { a: 'a, b' }],
    ['one that is not listed', a(states), { a: 'open,other' }],
    ['one in another spelling', a(states), { a: 'open,Closed' }],
    ['what may be one number', a(integers), { a: '1,234' }],
    ['a fraction among integers', a(integers), { a: '1, 2.5' }],
    ['an empty part', a(states), { a: 'open,' }],
    ['a text that is itself listed', a({ type: 'array', items: { enum: ['a', 'b', 'a,b'] } }), { a: 'a,b' }],
    ['if any text is an item', a({ type: 'array', items: { anyOf: [integer, string] } }), { a: '1, 2' }],
  ],
);

table(
  'blanks',
  [
    ['an empty text', a(integer), { a: '', b: 1 }, { b: 1 }],
    ['one that is too short', a({ type: 'string', minLength: 1 }), { a: '' }, {}],
    ['if null is accepted and the default', a({ type: ['integer', 'null'], default: null }), { a: '' }, {}],
  ],
  [
    ['a required property', a(integer, { required: ['a'] }), { a: '' }],
    ['if the description gives it a meaning', described("'' matches any error", strings), { a: '' }],
    ['if it can be cleared', described('Estimate (empty to clear)', integer), { a: '' }],
    ['if members can be', described('Empty strings clear a field', a(integer)), { a: { a: '' } }],
  ],
);

const wrapped = closed({ q: string }, 'q');
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
    ['deeper inside', a(wrapped), { a: { arguments: { q: 'x' } } }],
    ['a list', wrapped, { arguments: [{ q: 'x' }] }],
  ],
);

const tagged = { oneOf: ['x', 'y'].map((kind) => closed({ kind: { const: kind }, [kind]: string }, 'kind', kind)) };

test.each<Refused>([
  ['a text of several values', a(strings), { a: 'x,y' }],
  ['a number with a thousands separator', a({ type: 'number' }), { a: '1,234.50' }],
  ['a date in another format', a({ type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d$' }), { a: '31.12.2026' }],
  ['a property that nobody knows', closed({ a: integer }), { a: 1, b: 2 }],
  ['a missing property with a default', a({ ...integer, default: 5 }, { required: ['a'] }), {}],
  ['a missing property with one allowed value', a({ enum: ['v1'] }, { required: ['a'] }), {}],
  ['the missing tag of the only alternative that fits', a(tagged), { a: { y: '1' } }],
  ['a missing consent', a({ const: true }, { required: ['a'] }), {}],
  ['a consent that came as null', a({ const: true }, { required: ['a'] }), { a: null }],
  ['members that belong one level deeper', closed({ f: closed({ a: integer }) }, 'f'), { a: 1 }],
  ['a number that would be rounded', a(integer), { a: 1.5 }],
  ['a yes', a(boolean), { a: 'yes' }],
])('No kind repairs %s', (_, schema, args) => {
  const { arguments: result, evaluation } = repairArguments(compileSchema(schema), args, 'all');
  expect(evaluation.outcome).toBe('invalid');
  expect(result).toBe(args);
});

describe('0 and 1 where a boolean and another type are accepted', () => {
  const $defs = { flag: boolean, text: string, both: { type: ['boolean', 'string'] } };
  const [flag, text] = [{ $ref: '#/$defs/flag' }, { $ref: '#/$defs/text' }];
  const tag = (kind: string, value: object) => ({
    properties: { kind: { const: kind }, a: value },
    required: ['kind'],
  });
  test.each<[what: string, schema: object]>([
    ['by a list of types', a({ type: ['boolean', 'string'] })],
    ['or null', a({ type: ['string', 'null', 'boolean'] })],
    ['by two alternatives', a({ anyOf: [boolean, string] })],
    ['by one of two alternatives', a({ oneOf: [string, boolean, { type: 'null' }] })],
    ['behind references', a({ anyOf: [flag, text] }, { $defs })],
    ['behind a reference to both', a({ $ref: '#/$defs/both' }, { $defs })],
    ['by alternatives within an alternative', a({ anyOf: [{ anyOf: [boolean, { type: 'null' }] }, string] })],
    ['in parts', a({ allOf: [{ anyOf: [boolean, string] }, { title: 'x' }] })],
    ['by allowed values', a({ enum: [true, false, '0', '1'] })],
    ['by a boolean or a listed text', a({ anyOf: [boolean, { enum: ['0', '1', 'auto'] }] })],
    ['by a constant or text', a({ anyOf: [{ const: true }, { ...string, minLength: 1 }] })],
    ['by a boolean or a list', a({ type: ['boolean', 'array'] })],
    ['by a boolean or a list of text', a({ anyOf: [boolean, strings] })],
    ['by alternatives of the object around', { anyOf: [a(boolean), a(string)] }],
    ['by a condition', { ...a(string), if: { required: ['b'] }, else: { anyOf: [a(boolean), a(string)] } }],
    ['as an item', a({ type: 'array', items: { anyOf: [boolean, string] } })],
    ['of rows in a text', a({ type: 'array', items: tag('x', { type: ['boolean', 'string'] }) })],
  ])('The numbers 0 and 1 are not repaired if a boolean and another type are accepted %s', (what, schema) => {
    for (const value of [0, 1])
      for (const choice of ['safe', 'all'] as const) {
        const row = { kind: 'x', a: value };
        const sent = what === 'as an item' ? [value] : what.startsWith('of rows') ? JSON.stringify([row]) : value;
        const { arguments: repaired, evaluation } = repairArguments(compileSchema(schema), { a: sent }, choice);
        expect([repaired, evaluation.outcome]).toEqual([{ a: sent }, 'invalid']);
      }
  });

  test('Numbers other than 0 and 1 become text', () => {
    expect(repairArguments(compileSchema(a({ type: ['boolean', 'string'] })), { a: 25 }).arguments).toEqual({
      a: '25',
    });
  });
});

describe('nulls by the tool', () => {
  const repaired = (tool: RepairedTool, args: object, schema: object = a(integer)) =>
    repairArguments(compileSchema(schema), args, 'safe', { tool }).arguments;
  const annotations = { readOnlyHint: true };
  const nothing = { a: null };

  const updates = [
    ...['update_task', 'asana_update_task', 'updateTask', 'UpdateTask', 'tasks.update', 'UPDATE_TASK', 'bulkupdate'],
    ...['edit_card', 'patch-user', 'set_due_date', 'modify', 'change_status', 'clear', 'reset_all', 'unset_field'],
    ...['assign', 'move_card', 'replace_row', 'upsert-record', 'put_object', 'delete_rows', 'remove_filter'],
  ];
  const clearing = ['To remove a property, set it to null explicitly.', 'Null clears a field.', 'Fields can be unset.'];
  const described = [...clearing, 'Resets what is not given.'].map((text) => ({ name: 'do_it', description: text }));

  test.each<RepairedTool>([
    ...[{ name: 'search_tasks' }, { name: 'list-settings' }, { name: 'getUpdates', annotations }],
    ...[{ name: 'create_task', description: 'Creates a task.' }, ...updates.map((name) => ({ name, annotations }))],
  ])('A null that clears nothing is dropped from a call of the tool $name', (tool) => {
    expect(repaired(tool, nothing)).toEqual({});
  });

  test.each<RepairedTool>([
    ...updates.map((name) => ({ name })),
    ...described.map((tool) => ({ ...tool, annotations })),
  ])('A null that may clear something is kept in a call of the tool $name: $description', (tool) => {
    expect(repaired(tool, nothing)).toBe(nothing);
  });

  test("The tool's name beside its arguments is dropped", () => {
    const call = { name: 'search', arguments: { q: 'x' } };
    expect(repaired({ name: 'search' }, call, wrapped)).toEqual({ q: 'x' });
    expect(repaired({ name: 'search' }, { name: 'search', arguments: '{"q":"x"}' }, wrapped)).toEqual({ q: 'x' });
    expect(repaired({ name: 'other' }, call, wrapped)).toBe(call);
  });
});

test.each<Case>([
  ['no boolean if a text is allowed, but its spelling', a({ enum: ['TRUE', true] }), { a: 'true' }, { a: 'TRUE' }],
  ['a quoted value', a({ enum: ['asc', 'desc'] }), { a: '"asc"' }, { a: 'asc' }],
  ["a number in Python's quotes", a(integer), { a: "'5'" }, { a: 5 }],
  ['a text with names and numbers', closed({ a_b: integer }), '{"aB": "5"}', { a_b: 5 }],
  ['a list of one text of a number', a(integer), { a: ['5'] }, { a: 5 }],
  ['a single text of a number for a list', a({ type: 'array', items: integer }), { a: '5' }, { a: [5] }],
  ['everything within a wrapper', closed({ a_b: { enum: ['Long'] } }), { args: { aB: ['long'] } }, { a_b: 'Long' }],
])('Several kinds of repair work together: %s', (_, schema, args, expected) => {
  const { arguments: result, evaluation } = repairArguments(compileSchema(schema), args, 'all');
  expect(evaluation.outcome).toBe('valid');
  expect(result).toEqual(expected);
});

test('Each repair is reported with its current place and the values before and after', () => {
  const schema = closed({ max_results: integer, tags: a(integer), note: integer });
  const inner = { maxResults: '5', tags: '{"a":"1"}', note: null };
  const { repairs } = repairArguments(compileSchema(schema), { args: inner }, 'all');
  expect(repairs).toEqual([
    { instanceLocation: '', kind: 'wrapper', from: { args: inner }, to: inner },
    { instanceLocation: '/tags', kind: 'json', from: '{"a":"1"}', to: { a: '1' } },
    { instanceLocation: '/tags/a', kind: 'integer', from: '1', to: 1 },
    { instanceLocation: '/note', kind: 'null', from: null, to: undefined },
    { instanceLocation: '/maxResults', kind: 'name', from: 'maxResults', to: 'max_results' },
    { instanceLocation: '/max_results', kind: 'integer', from: '5', to: 5 },
  ]);
});

test('A member of a wrapper is not reported at its old place', () => {
  const schema = { additionalProperties: { additionalProperties: { type: 'object' } }, required: ['q'] };
  const { repairs } = repairArguments(compileSchema(schema), { args: { q: '{}' } });
  expect(repairs.map(({ kind }) => kind)).toEqual(['wrapper']);
});

test('A renamed member that replaces an omitted one is reported beside it', () => {
  const schema = a(integer, { anyOf: [{ required: ['a'] }, { required: ['b'] }] });
  const { arguments: result, repairs } = repairArguments(compileSchema(schema), { a: '', A: 5 }, 'all');
  expect(result).toEqual({ a: 5 });
  expect(repairs).toEqual([
    { instanceLocation: '/a', kind: 'blank', from: '', to: undefined },
    { instanceLocation: '/A', kind: 'name', from: 'A', to: 'a' },
  ]);
});

describe('a choice of repairs', () => {
  const compiled = compileSchema({ properties: { a: integer, b: boolean } });
  test.each<[RepairChoice | undefined, object]>([
    [undefined, { a: 5, b: true }],
    ['integers', { a: 5, b: 'True' }],
    ['off', { a: '5', b: 'True' }],
    ['safe', { a: 5, b: true }],
    ['all', { a: 5, b: true }],
    ['-booleans', { a: 5, b: 'True' }],
    ['safe,-booleans', { a: 5, b: 'True' }],
    [['safe', '-booleans'], { a: 5, b: 'True' }],
    ['all, -booleans , booleans', { a: 5, b: true }],
    ['booleans', { a: '5', b: true }],
    [['booleans'], { a: '5', b: true }],
    [['integers', 'booleans'], { a: 5, b: true }],
    ['booleans,off', { a: '5', b: 'True' }],
    ['off,integers', { a: 5, b: 'True' }],
    [[], { a: '5', b: 'True' }],
  ])('The choice %j makes only its own repairs', (choice, expected) => {
    expect(repairArguments(compiled, { a: '5', b: 'True' }, choice).arguments).toEqual(expected);
  });

  test.each<[choice: unknown, word: string, hint?: string]>([
    ['some', '"some"'],
    ['toString', '"toString"'],
    ['', '""'],
    ['safe,', '""'],
    ['boolean', '"boolean"', 'Did you mean "booleans"?'],
    ['safe,-null', '"-null"', 'Did you mean "nulls"?'],
    ['-off', '"-off"'],
    [['safe', 'nuls'], '"nuls"', 'Did you mean "nulls"?'],
    [['safe', 7], '7'],
    [{ nulls: false }, '{"nulls":false}'],
    [null, 'null'],
    [true, 'true'],
  ])('The choice %j is refused by an error that names the known words', (choice, word, hint = word) => {
    const attempt = () => repairArguments(compiled, {}, choice as RepairChoice);
    expect(attempt).toThrow(ConfigurationError);
    expect(attempt).toThrow(`${word} is no choice of repairs. Choose from off, safe, all, integers, numbers,`);
    expect(attempt).toThrow(hint);
  });

  test('The default choice is safe', () => {
    const off = repairOptions.filter((option) => !chosenRepairs().has(option));
    expect(off).toEqual(['bits', 'decimals', 'lists', 'singletons', 'allNulls', 'blanks']);
  });
});
