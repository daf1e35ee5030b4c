import { describe, expect, test, vi } from 'vitest';
import { repairArguments } from '../../src/repair/repair.js';
import { compileSchema } from '../../src/schema/compile/compile.js';
import { evaluateCounting } from '../../test-support/counted.js';
import { integer, members, nested, string, texts, times } from '../../test-support/schemas/short.js';

/** Pydantic writes an optional value like this, as a choice with null. */
const optional = (schema: unknown) => ({ anyOf: [schema, { type: 'null' }] });
const row = { type: 'object', properties: { id: integer, name: string, size: optional(integer) } };

// test/schema/promise.test.ts bounds the time of a repair, whatever the schema and the arguments are.
describe('the budget of a repair', () => {
  // All attempts together take at most four times the steps of the budget.
  test.each([
    ['a usual call', 1, 60, { items: row }],
    ['fifty rows', 50, 300, { items: row }],
    ['fifty optional rows', 50, 300, optional({ type: 'array', items: optional(row) })],
    // Beyond about 300 repairs, the test without each single one is skipped.
    ['a thousand rows', 1000, 100, { items: row }],
    ['a thousand optional rows', 1000, 100, optional({ type: 'array', items: optional(row) })],
  ])(
    'The budget of a repair suffices for two malformed arguments in each row of %s',
    (_, count, evaluations, schema) => {
      const compiled = compileSchema(schema);
      const rows = times(count, (at) => ({ id: at, name: String(at), size: 1 }));
      const malformed = rows.map((it) => ({ ...it, id: String(it.id), size: '1' }));
      const budget = { steps: (evaluations / 4) * evaluateCounting(compiled, rows).steps };
      const { evaluation, repairs, arguments: repaired } = repairArguments(compiled, malformed, 'all', { budget });
      expect([evaluation.outcome, repairs.length]).toEqual(['valid', count * 2]);
      expect(repaired).toEqual(rows);
    },
  );

  test("The gateway's budget for a call suffices to repair fifty rows", () => {
    const items = { properties: { id: integer, qty: integer, price: { type: 'number' } } };
    const args = times(50, (at) => ({ id: String(at), qty: '2', price: '1.5' }));
    const { repairs, evaluation } = repairArguments(compileSchema({ items }), args, 'safe', {
      budget: { steps: 8_000 },
    });
    expect([repairs.length, evaluation.outcome]).toEqual([150, 'valid']);
  });

  test('A spent budget leaves the arguments unchanged', () => {
    const args = times(2000, String);
    const repair = (steps: number) =>
      repairArguments(compileSchema({ items: integer }), args, 'safe', { budget: { steps } });
    expect(repair(3000).arguments).toBe(args);
    expect(repair(30_000).arguments).toEqual(args.map(Number));
  });

  test('The budget of a repair does not depend on the clock', () => {
    const args = times(2000, String);
    const compiled = compileSchema({ items: optional(integer) });
    let now = 0;
    // A slow machine must not matter.
    for (const tick of [0, 0.001, 100]) {
      vi.spyOn(performance, 'now').mockImplementation(() => (now += tick));
      expect(repairArguments(compiled, args).arguments).toEqual(args.map(Number));
    }
  });

  test('A chain of repairs that each need the next one is given up', () => {
    const names = texts(40);
    const links = names.slice(1).map((name, at) => ({
      if: { properties: { [names[at] ?? '']: integer } },
      then: { properties: { [name]: integer } },
    }));
    const schema = { properties: { p0: integer }, allOf: links.reverse() };
    const args = members(names, () => '1');
    const { evaluation, repairs } = repairArguments(compileSchema(schema), args);
    expect(evaluation.outcome).toBe('invalid');
    expect(repairs.length).toBeLessThanOrEqual(6);
  });

  test('Only a few nested candidates are read', () => {
    const compiled = compileSchema({ properties: { q: integer }, required: ['q'] });
    const wrapped = (levels: number) => nested(levels, (args) => ({ args }), { q: 1 });
    expect(repairArguments(compiled, wrapped(3), 'all').arguments).toEqual({ q: 1 });
    expect(repairArguments(compiled, wrapped(6), 'all').evaluation.outcome).toBe('invalid');
  });
});
