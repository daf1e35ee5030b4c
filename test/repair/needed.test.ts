import { describe, expect, test } from 'vitest';
import { repairArguments } from '../../src/repair/repair.js';
import { compileSchema } from '../../src/schema/compile/compile.js';

const integer = { type: 'integer' };
const string = { type: 'string' };
const of = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const tagged = (kind: string, properties: object) =>
  of({ kind: { const: kind }, ...properties }, { required: ['kind'] });

function repair(schema: object, args: unknown) {
  const { arguments: repaired, evaluation } = repairArguments(compileSchema(schema), args, 'all');
  return [evaluation.outcome, repaired];
}

describe('repairs that are needed stay, however the schema asks for them', () => {
  const items = { prefixItems: [integer], unevaluatedItems: integer };
  const condition = { if: of({ k: { const: 1 } }, { required: ['k'] }), then: of({ a: integer, b: integer }) };
  const dependent = { dependentSchemas: { k: of({ a: integer, b: integer }) } };
  const branches = { oneOf: [tagged('x', { a: integer, b: integer }), tagged('y', { a: string, b: string })] };
  test.each<[what: string, schema: object, args: unknown, repaired: unknown]>([
    ['`unevaluatedItems`', items, ['1', '2', '3'], [1, 2, 3]],
    ['`if`', condition, { k: 1, a: '1', b: '2' }, { k: 1, a: 1, b: 2 }],
    ['`dependentSchemas`', dependent, { k: 1, a: '1', b: '2' }, { k: 1, a: 1, b: 2 }],
    [
      'a branch, the tag of which excludes the other',
      branches,
      { kind: 'x', a: '1', b: '2' },
      { kind: 'x', a: 1, b: 2 },
    ],
  ])('%s', (_, schema, args, repaired) => {
    expect(repair(schema, args)).toEqual(['valid', repaired]);
  });
});

describe('a repair that is not needed is taken back', () => {
  test('if a condition holds only for the value as it came', () => {
    // Reading `k` as 1 ends the condition that rejects `a`.
    const schema = { allOf: [of({ k: integer }), { if: of({ k: string }), then: of({ a: integer }) }] };
    expect(repair(schema, { k: '1', a: '2' })).toEqual(['valid', { k: 1, a: '2' }]);
  });

  test('if a schema depends on a member that is left out', () => {
    const schema = of({ k: integer, a: true }, { dependentSchemas: { k: of({ a: integer }) } });
    expect(repair(schema, { k: null, a: '2' })).toEqual(['valid', { a: '2' }]);
  });

  test('if items are evaluated once another one is read', () => {
    const schema = { anyOf: [{ prefixItems: [integer, string] }, true], unevaluatedItems: integer };
    expect(repair(schema, ['1', '2'])).toEqual(['valid', [1, '2']]);
  });
});
