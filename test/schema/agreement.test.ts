import { fc } from '../../test-support/fuzz.js';
import { lawRuns } from '../../test-support/law-runs.js';
import { describe, expect, test } from 'vitest';
import { evaluate } from '../../src/schema/evaluate/evaluate.js';
import { compileSchema } from '../../src/schema/compile/compile.js';
import { evaluateCounting } from '../../test-support/counted.js';
import { asDraft07, jsonValue, schemaWithDefinitions } from '../../test-support/schemas/arbitraries.js';
import { ajvOracle, cfworkerOracle } from '../../test-support/schemas/oracles.js';

const numRuns = lawRuns(400);

describe('Evaluation of generated schemas', () => {
  test.each([
    ['draft-07', schemaWithDefinitions.map(asDraft07)],
    ['2019-09', schemaWithDefinitions],
    ['2020-12', schemaWithDefinitions],
  ] as const)('Evaluation by %s agrees with Ajv and cfworker wherever they agree', (dialect, schemas) => {
    let compared = 0;
    fc.assert(
      fc.property(schemas, fc.array(jsonValue, { minLength: 10, maxLength: 20 }), (schema, instances) => {
        const compiled = compileSchema(schema, { defaultDialect: dialect });
        const oracles = [ajvOracle(schema, dialect), cfworkerOracle(schema, dialect)] as const;
        for (const instance of instances) {
          const [ajv, cfworker] = oracles.map((oracle) => oracle(instance));
          if (ajv === undefined || ajv !== cfworker) continue;
          compared++;
          expect(evaluate(compiled, instance).outcome).toBe(ajv ? 'valid' : 'invalid');
        }
      }),
      { numRuns },
    );
    expect(compared).toBeGreaterThan(2.5 * numRuns);
  });

  const upTo = (max: number) => fc.integer({ min: 0, max });

  test('Evaluation never throws and never exceeds a budget of any size', () => {
    const budget = fc.record({ steps: upTo(60), depth: upTo(6), violations: upTo(4), argumentSize: upTo(60) });
    fc.assert(
      fc.property(schemaWithDefinitions, jsonValue, budget, (schema, instance, limits) => {
        const { evaluation, steps } = evaluateCounting(compileSchema(schema), instance, { budget: limits });
        expect(steps).toBeLessThanOrEqual(limits.steps);
        if (evaluation.outcome === 'invalid')
          expect(evaluation.violations.length).toBeLessThanOrEqual(Math.max(1, limits.violations));
      }),
      { numRuns },
    );
  });

  test('Evaluation with a small budget gives the same verdict as with a large one, or none', () => {
    const limits = fc.record({ steps: upTo(40), depth: upTo(5) });
    fc.assert(
      fc.property(schemaWithDefinitions, jsonValue, limits, (schema, instance, budget) => {
        const compiled = compileSchema(schema);
        const { outcome } = evaluate(compiled, instance, { budget });
        if (outcome !== 'undetermined') expect(outcome).toBe(evaluate(compiled, instance).outcome);
      }),
      { numRuns: lawRuns(1000) },
    );
  });
});
