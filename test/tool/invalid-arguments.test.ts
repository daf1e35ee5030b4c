import { describe, expect, test } from 'vitest';
import type { ToolOptions } from '../../src/tool/index.js';
import { refusal } from './refusal.js';

const off: ToolOptions = { repairs: 'off' };
const takes = (properties: Record<string, unknown>, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
});
const text = { type: 'string' };

describe('Null for an optional parameter', () => {
  const advice = (inputSchema: Record<string, unknown>, args: object, description = 'Lists tasks.') =>
    refusal({ name: 'tool', description, inputSchema }, args, off).advice;
  const leaveOut = 'Correct them and call it again. Leave out optional parameters that have no value.';
  const correct = 'Correct them and call it again.';

  test.each<[what: string, schema: Record<string, unknown>, args: object]>([
    ['of which nothing is said', takes({ due: text }), { due: null }],
    ['that is null by default', takes({ due: { ...text, description: 'Due date (default: null).' } }), { due: null }],
    ['in an item', takes({ rows: { type: 'array', items: takes({ due: text }) } }), { rows: [{ due: null }] }],
    [
      'behind a reference',
      { ...takes({ a: { $ref: '#/$defs/a' } }), $defs: { a: takes({ due: text }) } },
      { a: { due: null } },
    ],
  ])('%s is to be left out', (_, schema, args) => {
    expect(advice(schema, args)).toBe(leaveOut);
  });

  test.each<[what: string, schema: Record<string, unknown>, args: object, description?: string]>([
    ['that null clears', takes({ due: { ...text, description: 'Due date; null clears it.' } }), { due: null }],
    ['that can be unset', takes({ due: { ...text, description: 'Leave empty to unset.' } }), { due: null }],
    [
      'of a tool that removes by null',
      takes({ due: text }),
      { due: null },
      'To remove a property, set it to null explicitly.',
    ],
    ['that lists null', takes({ due: { type: 'integer', enum: [1, null] } }), { due: null }],
    [
      'that mentions null in one of its parts',
      takes({ due: { allOf: [{ type: ['string', 'null'] }, text] } }),
      { due: null },
    ],
    [
      'that mentions it behind a reference',
      { ...takes({ due: { ...text, $ref: '#/$defs/a' } }), $defs: { a: { nullable: true } } },
      { due: null },
    ],
    ['that is required', takes({ due: text }, ['due']), { due: null }],
    ['that is an item', takes({ due: { type: 'array', items: text } }), { due: [null] }],
  ])('%s is only refused', (_, schema, args, description) => {
    expect(advice(schema, args, description)).toBe(correct);
  });
});

describe('The expected shape', () => {
  const filter = takes({ field: text, op: { enum: ['eq', 'ne'] }, value: { type: 'integer' } }, ['field']);
  const shape = '{field: string, op?: "eq" | "ne", value?: integer}';
  const advice = (inputSchema: Record<string, unknown>, args: unknown) =>
    refusal({ name: 'tool', inputSchema }, args, off).advice;

  test.each<[what: string, schema: Record<string, unknown>, args: unknown, expected: string]>([
    ['of an object that is missing', takes({ filter }, ['filter']), {}, `filter: ${shape}`],
    ['of one that is none', takes({ filter }), { filter: 'x' }, `filter: ${shape}`],
    [
      'behind a reference',
      { ...takes({ filter: { $ref: '#/$defs/f' } }, ['filter']), $defs: { f: filter } },
      {},
      `filter: ${shape}`,
    ],
    ['of a list of objects', takes({ rows: { type: 'array', items: filter } }), { rows: 'x' }, `rows: ${shape}[]`],
    ['of an item', takes({ rows: { type: 'array', items: filter } }), { rows: ['x'] }, `rows.0: ${shape}`],
    [
      'of the arguments',
      takes({ id: text, limit: { type: 'integer' } }, ['id']),
      'x',
      'The arguments: {id: string, limit?: integer}',
    ],
  ])('%s is shown', (_, schema, args, expected) => {
    expect(advice(schema, args)).toBe(`Correct them and call it again. Expected: ${expected}.`);
  });

  test.each<[what: string, schema: Record<string, unknown>, args: unknown]>([
    ['an object in which something is wrong', takes({ filter }), { filter: { field: 1 } }],
    ['a list of texts', takes({ tags: { type: 'array', items: text } }), { tags: 'x' }],
    ['a text', takes({ tag: text }, ['tag']), {}],
  ])('is not shown for %s', (_, schema, args) => {
    expect(advice(schema, args)).toBe('Correct them and call it again.');
  });

  test('is shown of two, and is short', () => {
    const wide = takes(Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`name${i}`, text])));
    const told = advice(takes({ a: wide, b: filter, c: filter }), { a: 'x', b: 'x', c: 'x' }) ?? '';
    expect(told).toContain(`; b: ${shape}.`);
    expect(told).not.toContain('c: ');
    expect(told.length).toBeLessThan(600);
  });

  test('says nothing of fixed arguments', () => {
    const schema = takes({ tenant: text, query: text }, ['tenant', 'query']);
    const { message } = refusal({ name: 'tool', inputSchema: schema }, 'x', { ...off, fixed: { tenant: 'acme' } });
    expect(message).not.toMatch(/tenant|acme/);
  });

  test('shows no name that writes a line of its own', () => {
    const name = 'a\n- b\u202e';
    expect(advice(takes({ [name]: filter }), { [name]: 'x' })).not.toMatch(/[\n\u202e]/);
  });
});
