import Ajv2020 from 'ajv/dist/2020.js';
import { fc } from '../../test-support/fuzz.js';
import { describe, expect, test } from 'vitest';
import { permissiveSchema, repairArguments } from '../../src/repair/index.js';
import { compileSchema, evaluate } from '../../src/schema/index.js';
import { calls } from './generated.js';

const accepts = (schema: unknown, value: unknown) => evaluate(compileSchema(schema), value).outcome === 'valid';
const digits = '^(0|-?[1-9][0-9]{0,15})$';

describe('permissiveSchema', () => {
  test.each<[string, unknown, unknown]>([
    ['an integer', { type: 'integer', minimum: 0 }, { type: ['integer', 'string'], minimum: 0, pattern: digits }],
    [
      'an integer or null',
      { type: ['integer', 'null'], format: 'uint' },
      { type: ['integer', 'null', 'string'], format: 'uint', pattern: digits },
    ],
    ['listed integers', { enum: [1, 'a', null] }, { enum: [1, 'a', null, '1'] }],
    [
      'typed, listed integers',
      { type: 'integer', enum: [1, 2] },
      { type: ['integer', 'string'], enum: [1, 2, '1', '2'], pattern: digits },
    ],
    ['a constant', { const: 5 }, { enum: [5, '5'] }],
    [
      'members, elements and definitions',
      {
        type: 'object',
        properties: { a: { items: { $ref: '#/$defs/n' } }, default: { type: 'integer' } },
        $defs: { n: { type: 'integer' } },
      },
      {
        type: 'object',
        properties: { a: { items: { $ref: '#/$defs/n' } }, default: { type: ['integer', 'string'], pattern: digits } },
        $defs: { n: { type: ['integer', 'string'], pattern: digits } },
      },
    ],
    [
      'exclusive alternatives, which would overlap',
      { oneOf: [{ type: 'integer' }, { type: 'string' }] },
      { allOf: [{ anyOf: [{ type: ['integer', 'string'], pattern: digits }, { type: 'string' }] }] },
    ],
  ])('also takes the string for %s', (_, schema, expected) => {
    const before = JSON.stringify(schema);
    expect(permissiveSchema(schema)).toEqual(expected);
    expect(JSON.stringify(schema)).toBe(before);
  });

  test.each<[string, unknown]>([
    [
      'strings and numbers',
      { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' }, c: { $ref: '#/properties/a' } } },
    ],
    ['integers or strings', { type: ['integer', 'string'] }],
    ['an example of an integer', { type: 'string', examples: [{ type: 'integer' }], default: 5 }],
    ['true', true],
    ['null', null],
  ])('is the very schema for %s', (_, schema) => {
    expect(permissiveSchema(schema)).toBe(schema);
  });

  test('leaves what is no subschema alone', () => {
    const schema = {
      type: 'integer',
      default: { type: 'integer' },
      examples: [{ type: 'integer' }],
      'x-note': { type: 'integer' },
    };
    expect(permissiveSchema(schema)).toMatchObject({
      default: { type: 'integer' },
      examples: [{ type: 'integer' }],
      'x-note': { type: 'integer' },
    });
  });

  test('keeps references pointing to what they pointed to', () => {
    const schema = {
      properties: {
        a: { oneOf: [{ type: 'integer', minimum: 3 }, { type: 'boolean' }] },
        b: { $ref: '#/properties/a/oneOf/0' },
      },
    };
    const copy = permissiveSchema(schema);
    expect(accepts(copy, { b: '5' })).toBe(true);
    expect(accepts(copy, { b: 5 })).toBe(true);
    expect(accepts(copy, { b: 2 })).toBe(false);
    expect(accepts(copy, { b: 'five' })).toBe(false);
  });

  test('copes with recursive and with dereferenced schemas', () => {
    const node: Record<string, unknown> = { type: 'object', properties: { n: { type: 'integer' } } };
    (node['properties'] as Record<string, unknown>)['next'] = node;
    const copy = permissiveSchema(node) as { properties: { n: unknown; next: unknown } };
    expect(copy.properties.next).toBe(copy);
    expect(copy.properties.n).toEqual({ type: ['integer', 'string'], pattern: digits });
    let deep: unknown = { type: 'integer' };
    for (let depth = 0; depth < 100_000; depth++) deep = { items: deep };
    expect(() => permissiveSchema(deep)).not.toThrow();
  });

  test('accepts null and everything else as before, and the strings besides', () => {
    const schema = {
      type: 'object',
      properties: { n: { type: ['integer', 'null'], minimum: 0 }, m: { type: 'integer' }, s: { type: 'string' } },
    };
    const copy = permissiveSchema(schema);
    for (const value of [{ n: 5 }, { n: null }, { n: '5' }, { m: '-5' }, { s: 'x' }])
      expect(accepts(copy, value), JSON.stringify(value)).toBe(true);
    for (const value of [{ n: 'x' }, { n: -1 }, { n: '007' }, { m: null }, { m: '' }, { m: '5.0' }, { s: 5 }]) {
      expect(accepts(copy, value), JSON.stringify(value)).toBe(false);
    }
  });

  test('accepts whatever the original accepts, or the repair makes it accept', () => {
    let repaired = 0;
    fc.assert(
      fc.property(calls, ([schema, args]) => {
        const { evaluation, repairs } = repairArguments(compileSchema(schema), args);
        if (evaluation.outcome !== 'valid') return;
        // Beside these, only the repaired value is right.
        if (repairs.length > 0 && /"number"|"maximum"|"uniqueItems"|"not"/.test(JSON.stringify(schema))) return;
        if (repairs.length > 0) repaired++;
        expect(accepts(permissiveSchema(schema), args)).toBe(true);
      }),
      { numRuns: 1500 },
    );
    expect(repaired).toBeGreaterThan(40);
  });

  test('is something that other validators compile and agree upon', () => {
    const ajv = new Ajv2020({ strict: false });
    fc.assert(
      fc.property(calls, ([schema, args]) => {
        if (JSON.stringify([schema, args]).includes('__proto__')) return;
        const copy = permissiveSchema(schema);
        // Ajv compares objects by their own `valueOf`, which generated ones may lack.
        const plain: unknown = JSON.parse(JSON.stringify(args));
        expect(ajv.compile(copy as object)(plain)).toBe(accepts(copy, plain));
      }),
      { numRuns: 150 },
    );
  });
});
