import { fc } from '../../test-support/fuzz.js';
import { lawRuns } from '../../test-support/law-runs.js';
import { describe, expect, test } from 'vitest';
import { isSchema, valueAt, isWithin } from '../../src/json/index.js';
import { applyRepairs, placeAfter } from '../../src/repair/apply.js';
import { type Repair, type RepairChoice, repairOptions } from '../../src/repair/options.js';
import { repairArguments } from '../../src/repair/repair.js';
import { compileSchema } from '../../src/schema/compile/compile.js';
import { evaluate } from '../../src/schema/evaluate/evaluate.js';
import { calls } from './generated.js';

const choices: fc.Arbitrary<RepairChoice> = fc.oneof(
  fc.constant([]),
  fc.constantFrom<RepairChoice>('all', 'safe'),
  fc.subarray(repairOptions),
);
const runs = { numRuns: lawRuns(1500, 100) };

describe('generated schemas and arguments', () => {
  test('A value that the schema accepts is never touched', () => {
    let accepted = 0;
    fc.assert(
      fc.property(calls, choices, ([schema, args], chosen) => {
        const compiled = compileSchema(schema);
        if (evaluate(compiled, args).outcome !== 'valid') return;
        accepted++;
        const result = repairArguments(compiled, args, chosen);
        expect(result).toEqual({ arguments: args, repairs: [], evaluation: { outcome: 'valid' } });
        expect(result.arguments).toBe(args);
      }),
      runs,
    );
    expect(accepted).toBeGreaterThan(runs.numRuns / 20);
  });

  test('A repaired value satisfies the schema, and every change is needed and reported', () => {
    let repaired = 0;
    fc.assert(
      fc.property(calls, choices, ([schema, given], chosen) => {
        const args = deepFrozen(given);
        const compiled = compileSchema(schema);
        const { arguments: result, repairs, evaluation } = repairArguments(compiled, args, chosen);
        expect(repairArguments(compiled, args, chosen)).toEqual({ arguments: result, repairs, evaluation });
        expect(evaluate(compiled, result).outcome).toBe(evaluation.outcome);
        expect(applyRepairs(args, repairs)).toEqual(result);
        for (const [index, { kind, instanceLocation, from }] of repairs.entries()) {
          if (kind !== 'name')
            expect(valueAt(applyRepairs(args, repairs.slice(0, index)), instanceLocation)).toEqual(from);
        }
        if (evaluation.outcome !== 'valid' || repairs.length === 0) return;
        repaired++;
        for (const [index, repair] of repairs.entries()) {
          // A later repair of a value around this one contains it.
          const others = repairs.filter(
            ({ instanceLocation }, at) =>
              at < index ||
              (at > index &&
                !isWithin(instanceLocation, placeAfter(repair)) &&
                !isWithin(repair.instanceLocation, instanceLocation)),
          );
          expect(evaluate(compiled, applyRepairs(args, others)).outcome).not.toBe('valid');
        }
      }),
      runs,
    );
    expect(repaired).toBeGreaterThan(runs.numRuns / 20);
  });

  test('Integers are repaired wherever a schema asks for them, with the fewest possible changes', () => {
    let possible = 0;
    fc.assert(
      fc.property(calls, ([schema, args]) => {
        // These keywords may reject a string without asking for an integer; then nothing is guessed.
        if (/"(?:number|not|if|anyOf|oneOf|uniqueItems|contains|enum)"/.test(JSON.stringify(schema))) return;
        const compiled = compileSchema(schema);
        const least = leastRepairs(args, (value) => evaluate(compiled, value).outcome === 'valid');
        if (least === undefined || least === 0) return;
        possible++;
        const { evaluation, repairs } = repairArguments(compiled, args, 'integers');
        expect(evaluation.outcome).toBe('valid');
        expect(repairs).toHaveLength(least);
      }),
      runs,
    );
    expect(possible).toBeGreaterThan(runs.numRuns / 100);
  });

  test('A second repair changes nothing', () => {
    fc.assert(
      fc.property(calls, choices, ([schema, args], chosen) => {
        const compiled = compileSchema(schema);
        const once = repairArguments(compiled, args, chosen);
        const twice = repairArguments(compiled, once.arguments, chosen);
        expect(twice.arguments).toBe(once.arguments);
        expect(twice.repairs).toEqual([]);
      }),
      runs,
    );
  });

  test('A second repair changes nothing after an omitted member was replaced by another spelling of it', () => {
    const compiled = compileSchema({ properties: { perPage: { type: 'integer' } }, additionalProperties: false });
    const { arguments: once, evaluation } = repairArguments(compiled, { perPage: null, per_page: 5 }, 'all');
    expect([once, evaluation.outcome]).toEqual([{ perPage: 5 }, 'valid']);
    expect(repairArguments(compiled, once, 'all').arguments).toBe(once);
  });

  test('With "integers", only strings of integers change, and only into these integers', () => {
    fc.assert(
      fc.property(calls, ([schema, args]) => {
        for (const { kind, from, to } of repairArguments(compileSchema(schema), args, 'integers').repairs) {
          expect(kind).toBe('integer');
          expect(String(to)).toBe(from);
          expect(Number.isSafeInteger(to)).toBe(true);
        }
      }),
      runs,
    );
  });

  test('Repair never throws for any schema and arguments', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), fc.jsonValue(), (schema, args, json) => {
        // compileSchema rejects a root that is no schema, but not one within a schema.
        for (const root of [schema, json])
          repairArguments(compileSchema(isSchema(root) ? root : { allOf: [root] }), args, 'all');
        repairArguments(compileSchema({ properties: { a: json } }), { a: args }, 'all');
      }),
      runs,
    );
  });
});

/** The smallest number of strings that have to become integers before the schema accepts, found by trying all. */
function leastRepairs(args: unknown, accepts: (value: unknown) => boolean): number | undefined {
  const sites = integerStrings(args, '');
  if (sites.length > 6) return undefined;
  const subsets = Array.from({ length: 2 ** sites.length }, (_, mask) =>
    sites.filter((_, index) => mask & (1 << index)),
  );
  const sizes = subsets.filter((subset) => accepts(applyRepairs(args, subset))).map(({ length }) => length);
  return sizes.length === 0 ? undefined : Math.min(...sizes);
}

function integerStrings(value: unknown, instanceLocation: string): Repair[] {
  if (typeof value === 'string' && /^(0|-?[1-9]\d*)$/.test(value)) {
    return [{ instanceLocation, kind: 'integer', from: value, to: Number(value) }];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    integerStrings(member, `${instanceLocation}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
}

function deepFrozen(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value);
    Object.values(value).forEach(deepFrozen);
  }
  return value;
}
