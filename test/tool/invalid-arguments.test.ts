import { describe, expect, test } from 'vitest';
import { integer, members, object, string as text, texts, to } from '../../test-support/schemas/short.js';
import { refusal } from './refusal.js';

const advice = (inputSchema: Record<string, unknown>, args: unknown, description = 'Lists tasks.') =>
  refusal({ name: 'tool', description, inputSchema }, args, { repairs: 'off' }).advice;
const list = (items: unknown) => ({ type: 'array', items });
const required = (...names: string[]) => ({ required: names });
const plain = 'Correct them and call it again.';

describe('Null for an optional parameter', () => {
  test.each<[what: string, schema: Record<string, unknown>, args: object]>([
    ['without a word about null', object({ due: text }), { due: null }],
    ['that is null by default', object({ due: { ...text, description: 'Due date (default: null).' } }), { due: null }],
    ['in an item', object({ rows: list(object({ due: text })) }), { rows: [{ due: null }] }],
    ['behind a reference', object({ a: to('a') }, { $defs: { a: object({ due: text }) } }), { a: { due: null } }],
  ])('The refusal of a null for a parameter %s says to leave it out', (_, schema, args) => {
    expect(advice(schema, args)).toBe(`${plain} Leave out optional parameters that have no value.`);
  });

  const meant: Record<string, [schema: Record<string, unknown>, args: object, description?: string]> = {
    'that null clears': [object({ due: { ...text, description: 'Due date; null clears it.' } }), { due: null }],
    'that can be unset': [object({ due: { ...text, description: 'Leave empty to unset.' } }), { due: null }],
    'of a tool that removes by null': [
      object({ due: text }),
      { due: null },
      'To remove a property, set it to null explicitly.',
    ],
    'that lists null': [object({ due: { type: 'integer', enum: [1, null] } }), { due: null }],
    'that mentions null in a part': [object({ due: { allOf: [{ type: ['string', 'null'] }, text] } }), { due: null }],
    'that mentions it behind a reference': [
      object({ due: { ...text, ...to('a') } }, { $defs: { a: { nullable: true } } }),
      { due: null },
    ],
    'that is required': [object({ due: text }, required('due')), { due: null }],
    'that is an item': [object({ due: list(text) }), { due: [null] }],
  };
  test.each(Object.entries(meant))(
    'The refusal of a null for a parameter %s does not say to leave it out',
    (_, [schema, args, description]) => {
      expect(advice(schema, args, description)).toBe(plain);
    },
  );
});

describe('The expected shape', () => {
  const filter = object({ field: text, op: { enum: ['eq', 'ne'] }, value: integer }, required('field'));
  const shape = '{field: string, op?: "eq" | "ne", value?: integer}';

  const shown: Record<string, [schema: Record<string, unknown>, args: unknown, expected: string]> = {
    'of an object that is missing': [object({ filter }, required('filter')), {}, `filter: ${shape}`],
    'of one that is none': [object({ filter }), { filter: 'x' }, `filter: ${shape}`],
    'behind a reference': [
      object({ filter: to('f') }, { ...required('filter'), $defs: { f: filter } }),
      {},
      `filter: ${shape}`,
    ],
    'of a list of objects': [object({ rows: list(filter) }), { rows: 'x' }, `rows: ${shape}[]`],
    'of an item': [object({ rows: list(filter) }), { rows: ['x'] }, `rows.0: ${shape}`],
    'of the arguments': [object({ id: text }, required('id')), 'x', 'The arguments: {id: string}'],
  };
  test.each(Object.entries(shown))('The expected shape is shown: %s', (_, [schema, args, expected]) => {
    expect(advice(schema, args)).toBe(`${plain} Expected: ${expected}.`);
  });

  test.each<[what: string, schema: Record<string, unknown>, args: unknown]>([
    ['an object in which something is wrong', object({ filter }), { filter: { field: 1 } }],
    ['a list of texts', object({ tags: list(text) }), { tags: 'x' }],
    ['a text', object({ tag: text }, required('tag')), {}],
  ])('The expected shape is not shown for %s', (_, schema, args) => {
    expect(advice(schema, args)).toBe(plain);
  });

  const whole: Record<string, [schema: Record<string, unknown>, args: object, expected: string]> = {
    'a number that is missing': [
      object({ n: { ...integer, minimum: 5, multipleOf: 5 } }, required('n')),
      {},
      'n: integer ≥ 5 (multiple of 5)',
    ],
    'a text of another type': [
      object({ t: { ...text, minLength: 3, pattern: '^a' } }),
      { t: {} },
      't: string (≥ 3 characters, matching "^a")',
    ],
    'either of two that are missing': [
      object({}, { anyOf: [object({ a: filter }, required('a')), object({ b: text }, required('b'))] }),
      {},
      `a: ${shape}`,
    ],
    'a list in order that is too short': [
      object({ p: { type: 'array', prefixItems: [text, integer], minItems: 2 } }),
      { p: [] },
      'p: [string, integer] (≥ 2 items)',
    ],
    'alternatives with members beside them': [
      object({ o: object({ a: text, b: text }, { anyOf: [required('a'), required('b')] }) }),
      { o: 1 },
      'o: {a: string, b?: string} | {a?: string, b: string}',
    ],
  };
  test.each(Object.entries(whole))(
    'The expected shape of %s has all its constraints',
    (_, [schema, args, expected]) => {
      expect(advice(schema, args)).toBe(`${plain} Expected: ${expected}.`);
    },
  );

  test.each<[where: string, rules: object, example: string]>([
    ['its examples', { examples: ['x', 'ab-123'] }, 'ab-123'],
    ['its description', { description: 'The key, "AB" then a number, e.g. ab-12, or `cd-34`.' }, 'ab-12'],
    ['a part that its schema refers to', { allOf: [{ description: 'Such as `ab-12`.' }] }, 'ab-12'],
    ['an alternative to null', { anyOf: [{ type: 'string', examples: ['ab-12'] }, { type: 'null' }] }, 'ab-12'],
    ['those that every part accepts', { examples: ['ab-1', 'ab-12'], allOf: [{ pattern: '..-..' }] }, 'ab-12'],
    ['its format', { pattern: `^(${'x'.repeat(60)}|\\d{4}-\\d\\d-\\d\\d)$`, format: 'date' }, '2026-01-31'],
  ])('The expected shape of a string with a long pattern has an example from %s', (_, rules, example) => {
    const key = { ...text, pattern: `^(${'x'.repeat(60)}|[a-z]{2}-\\d+)$`, ...rules };
    expect(advice(object({ key }), { key: 'no' })).toMatch(`Expected: key: string (`);
    expect(advice(object({ key }), { key: 'no' })).toContain(`such as "${example}")`);
  });

  test('The expected shape omits optional members if there is no room for all', () => {
    const wide = object({ ...members(texts(500)), id: text }, required('id'));
    expect(advice(object({ a: wide }), { a: 'x' })).toBe(`${plain} Expected: a: {id: string, …}.`);
  });

  test('The expected shape is shown for at most eight arguments, and is short', () => {
    const names = Array.from({ length: 20 }, (_, index) => `p${index}`);
    const args = Object.fromEntries(names.map((name) => [name, 'x']));
    const told = advice(object(Object.fromEntries(names.map((name) => [name, filter]))), args) ?? '';
    expect(told).toContain(`; p7: ${shape}.`);
    expect(told.length).toBeLessThan(1_700);
  });

  test('The expected shape does not mention fixed arguments', () => {
    const inputSchema = object({ tenant: text, query: text }, required('tenant', 'query'));
    const { message } = refusal({ name: 'tool', inputSchema }, 'x', { repairs: 'off', fixed: { tenant: 'acme' } });
    expect(message).not.toMatch(/tenant|acme/);
  });

  test('A name in the expected shape cannot write a line of its own', () => {
    const name = 'a\n- b\u202e';
    expect(advice(object({ [name]: filter }), { [name]: 'x' })).not.toMatch(/[\n\u202e]/);
  });
});
