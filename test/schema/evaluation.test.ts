import { describe, expect, test } from 'vitest';
import { evaluate } from '../../src/schema/evaluate/evaluate.js';
import { compileSchema } from '../../src/schema/compile/compile.js';
import type { Violation } from '../../src/schema/violations/violation.js';
import { integer, nested, string, times, to } from '../../test-support/schemas/short.js';
import { decide, outcome, violations } from './decide.js';

test('A known verdict on a value is not reused if it was undetermined', () => {
  const slow = { ...to('slow'), minLength: 1 };
  const open = { anyOf: [slow, slow], $defs: { slow: { pattern: '^(a+)+$' } } };
  expect(outcome(open, `${'a'.repeat(60)}!`, { budget: { patternMs: 20 } })).toBe('pattern-time');
});

test('An evaluation rethrows an error of the instance itself', () => {
  const instance = {
    get a(): number {
      throw new TypeError('of the getter');
    },
  };
  expect(() => evaluate(compileSchema({ properties: { a: integer } }), instance)).toThrow('of the getter');
});

test('An evaluation names the place of an undetermined part', () => {
  const schema = { properties: { a: { items: { $ref: '#/missing' } } } };
  expect(decide(schema, { a: [1] })).toMatchObject({
    reason: 'unresolved-reference',
    schemaLocation: '#/properties/a/items/$ref',
    instanceLocation: '/a/0',
  });
  expect(decide({ items: {} }, [1, 2, 3], { budget: { steps: 2 } })).toMatchObject({ reason: 'steps' });
});

test('An evaluation reports the first undetermined part that matters', () => {
  const open = (name: string) => ({ $ref: `#/${name}` });
  const settled = { anyOf: [open('does-not-matter'), true] };
  const schema = { allOf: [settled, open('first'), open('second'), settled] };
  expect(decide(schema, 1)).toMatchObject({ schemaLocation: '#/allOf/1/$ref' });
});

test('An evaluation cuts a very long location in its middle', () => {
  const message = (length: number) => {
    const name = 'x'.repeat(length);
    return JSON.stringify(decide({ properties: { [name]: { $ref: '#/no' } } }, { [name]: 1 }));
  };
  const around = '#/properties//$ref'.length;
  expect(message(200 - around)).toContain('x'.repeat(200 - around));
  expect(message(201 - around)).toContain(`#/properties/${'x'.repeat(99 - 13)}...${'x'.repeat(98 - 5)}/$ref`);
});

describe('an invalid value', () => {
  test('A value stays invalid without steps left to look for more violations', () => {
    const schema = { items: integer };
    const items = [...times(50, () => 1), 'x'];
    const steps = 1 + items.length;
    const violations = [{ instanceLocation: '/50' }];
    expect(outcome(schema, items, { budget: { steps: steps - 1 } })).toBe('steps');
    expect(decide(schema, items, { budget: { steps } })).toMatchObject({ truncated: true, violations });
    expect(decide(schema, items, { budget: { steps: 2 * steps + 20 } })).toMatchObject({
      truncated: false,
      violations,
    });
  });

  test('A violation that is reached in two ways is reported once, and two violations of one place are both reported', () => {
    const schema = { allOf: [to('a'), to('a'), { minimum: 5 }, { minimum: 7 }], $defs: { a: { minimum: 5 } } };
    expect(violations(schema, 1).map(({ expected }) => expected)).toEqual(['>= 5', '>= 7']);
  });

  test('Violations have nested branches up to twelve levels', () => {
    const schema = nested(20, (inner) => ({ anyOf: [inner, { type: 'null' }] }), integer);
    const depth = (found: readonly Violation[] = []): number => (found[0] ? 1 + depth(found[0].branches?.[0]) : 0);
    expect(depth(violations(schema, 'a')[0]?.branches?.[0])).toBe(12);
  });

  test('Violations in branches have their places', () => {
    const schema = { properties: { a: { items: { anyOf: [{ properties: { b: string } }, { type: 'null' }] } } } };
    expect(violations(schema, { a: [{}, { b: 1 }] })).toMatchObject([
      { instanceLocation: '/a/1', branches: [[{ instanceLocation: '/a/1/b' }], {}] },
    ]);
  });
});

test('A dynamic reference sees all resources around it, however deep the evaluation before it was', () => {
  const properties = { p: { properties: { q: string } }, r: { $dynamicRef: '#n' } };
  const schema = {
    $ref: 'b',
    $defs: {
      n: { $dynamicAnchor: 'n', ...integer },
      b: { $id: 'b', properties, $defs: { n: { $dynamicAnchor: 'n', ...string } } },
    },
  };
  expect(outcome(schema, { p: { q: 'text' }, r: 1 })).toBe('valid');
  expect(outcome(schema, { p: { q: 'text' }, r: 'text' })).toBe('invalid');
});
