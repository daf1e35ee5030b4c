import { describe, expect, test } from 'vitest';
import { defaultRepairs, onlyRepairs, type RepairOptions, repairKindOf } from '../../src/repair/options.js';
import { repairArguments } from '../../src/repair/repair.js';
import { compileSchema } from '../../src/schema/compile/compile.js';
import { evaluate } from '../../src/schema/evaluate/evaluate.js';
import { fc } from '../../test-support/fuzz.js';
import { lawRuns } from '../../test-support/law-runs.js';

const names = ['limit', 'max_results', 'sortOrder', 'input'];

/** What a property may be, and values for it: right ones, and those that every kind repairs. */
const leaves: readonly (readonly [schema: object, values: readonly unknown[]])[] = [
  [{ type: 'integer' }, [1, '5', '-7', '5.0', '007', ' 5', '1e3', [5], ['5'], null, '', 'null', '9007199254740993']],
  [{ type: 'number', minimum: 0 }, [1.5, '0.5', '-1.5', '1e3', '2', [0.5], null, '', 'None', '1,5']],
  [{ type: 'boolean' }, [true, 'true', 'False', 'TRUE', 'yes', '1', 0, 1, [true], null, '']],
  [{ type: 'array', items: { type: 'integer' } }, [[1], '1, 2', '1,2,3', '1,234', '[1]', 5, null]],
  [
    { type: 'object', properties: { kind: { const: 'k' } }, required: ['kind'] },
    [{ kind: 'k' }, {}, { a: 1 }, { kind: 'x' }, '{}', null],
  ],
  [{ type: 'string' }, ['a', '5', '', 5, 1.5, true, 1e21, 175928847299117063, ['a'], [5], null]],
  [{ type: 'string', minLength: 2 }, ['ab', '', 5, 12, 0.25, ['ab'], null]],
  [
    { enum: ['six_months', 'Year', 'day'] },
    ['Year', 'YEAR', 'six months', 'last year', 'not year', '"day"', ['day'], '', null],
  ],
  [
    { type: 'array', items: { type: 'string' } },
    [['a'], [], 'a', 5, '["a"]', "['a', 'b']", 'a, b', '[5]', [5], null, ''],
  ],
  [
    { type: 'array', items: { enum: ['red', 'blue'] } },
    [['red'], ['Red'], 'RED', 'dark red', ['dark red'], '["Blue"]'],
  ],
  [
    { type: 'object', properties: { max_size: { type: 'integer' } }, additionalProperties: false },
    [{}, { max_size: 1 }, { maxSize: 1 }, { maxSize: '1' }, '{"max_size": 1}', "{'maxSize': '1'}", { args: {} }, null],
  ],
  [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, [null, 5, '5', 'null', '', [5], 1.5]],
  [
    { anyOf: [{ type: 'number' }, { type: 'array', items: { type: 'string' } }] },
    [5, ['a'], [5], '5', 'a', [1.5], null],
  ],
  [{ type: ['string', 'null'], pattern: '^\\d+\\.\\d+$' }, ['1.5', 1.5, 2, '', null, [1.5]]],
];

const properties = fc.tuple(...names.map(() => fc.nat(leaves.length - 1)));

/** Schemas of a few properties, and arguments for them: one malformed value, a misspelled name or an envelope, and now and then none. */
const calls = fc
  .tuple(
    properties,
    fc.boolean(),
    fc.subarray(names),
    fc.nat(3),
    fc.nat(20),
    fc.constantFrom('', '', '', 'args', 'input', 'text'),
  )
  .map(([chosen, isClosed, required, place, pick, envelope]) => {
    const schema = {
      type: 'object',
      properties: Object.fromEntries(chosen.map((leaf, index) => [names[index], leaves[leaf]?.[0]])),
      required,
      ...(isClosed && { additionalProperties: false }),
    };
    const entries = names.map((name, index) => {
      const values = leaves[chosen[index] ?? 0]?.[1] ?? [];
      const value = values[index === place ? pick % values.length : 0];
      return [index === place && pick > 15 ? swapped(name) : name, value] as const;
    });
    const args: unknown = Object.fromEntries(entries);
    const sent = envelope === '' ? args : { [envelope]: envelope === 'text' ? JSON.stringify(args) : args };
    return [schema, sent] as const;
  });

function swapped(name: string): string {
  return name.includes('_') ? name.replace(/_(\w)/, (_, letter: string) => letter.toUpperCase()) : name.toUpperCase();
}

describe.each(Object.keys(defaultRepairs) as (keyof RepairOptions)[])('the laws of repair, for %s alone', (kind) => {
  const choice = onlyRepairs(kind);
  // Some kinds are met once in a few hundred calls.
  const numRuns = Math.max(lawRuns(1000), 400);

  test('what is repaired is valid and of that kind; once is enough; what was valid is not touched', () => {
    const seen = { valid: 0, repaired: 0 };
    fc.assert(
      fc.property(calls, ([schema, args]) => {
        const compiled = compileSchema(schema);
        const wasValid = evaluate(compiled, args).outcome === 'valid';
        const { arguments: repaired, repairs, evaluation } = repairArguments(compiled, args, choice);
        if (wasValid) {
          seen.valid++;
          expect(repaired).toBe(args);
          expect(repairs).toEqual([]);
        }
        expect(evaluate(compiled, repaired).outcome).toBe(evaluation.outcome);
        for (const repair of repairs) expect(repair.kind).toBe(repairKindOf[kind]);
        const again = repairArguments(compiled, repaired, choice);
        expect(again.repairs).toEqual([]);
        expect(again.arguments).toBe(repaired);
        if (evaluation.outcome === 'valid' && repairs.length > 0) seen.repaired++;
      }),
      { numRuns },
    );
    expect(seen.valid).toBeGreaterThan(numRuns / 100);
    expect(seen.repaired).toBeGreaterThan(Math.floor(numRuns / 1000));
  });
});
