import { expect, test } from 'vitest';
import { canonicalText } from '../../src/json/index.js';
import { repairArguments } from '../../src/repair/repair.js';
import { compileSchema } from '../../src/schema/compile/compile.js';
import { evaluate } from '../../src/schema/evaluate/evaluate.js';
import { fc } from '../../test-support/fuzz.js';
import { lawRuns } from '../../test-support/law-runs.js';
import { decidingCalls, jointlyChoosingCalls } from './choosing-calls.js';
import { cheapestReadings, listedKinds } from './readings.js';

test.each([
  ['however many choices there are', jointlyChoosingCalls, { inCi: 1_000, repaired: 0.035, ambiguous: 0.025 }],
  ['whichever keywords decide', decidingCalls, { inCi: 400, repaired: 0.03, ambiguous: 0.01 }],
])(
  'A repaired value has no other set of repairs of the same cost that is valid, %s',
  (_, calls, { inCi, ...least }) => {
    const numRuns = lawRuns(inCi);
    const seen = { repaired: 0, ambiguous: 0 };
    fc.assert(
      fc.property(calls, ([schema, args]) => {
        const compiled = compileSchema(schema);
        if (evaluate(compiled, args).outcome !== 'invalid') return;
        const readings = cheapestReadings(args, compiled);
        if (!readings) return;
        const { arguments: repaired, evaluation } = repairArguments(compiled, args, listedKinds);
        if (readings.length > 1) seen.ambiguous++;
        if (evaluation.outcome !== 'valid') return;
        seen.repaired++;
        expect(readings.map((reading) => canonicalText(reading))).toEqual([canonicalText(repaired)]);
      }),
      { numRuns },
    );
    // Chance may leave a few fewer of a hundred cases.
    expect(seen.repaired).toBeGreaterThan(numRuns * least.repaired - 3);
    expect(seen.ambiguous).toBeGreaterThan(Math.ceil(numRuns * least.ambiguous) - 3);
  },
);

test('All schemas that apply to an argument are considered', () => {
  const patternProperties = { '.': { type: ['string', 'array'] }, 'a|c': { type: ['integer', 'array'] } };
  const properties = { ab: { type: ['string', 'array'] } };
  const compiled = compileSchema({ type: 'object', patternProperties, properties });
  expect(repairArguments(compiled, { ab: '1' }, listedKinds).arguments).toEqual({ ab: ['1'] });
});

test('An ambiguous union is not repaired, however many other unions there are', () => {
  const list = (type: string) => ({ type: 'array', items: { type } });
  const c = { anyOf: [{ properties: { c: { enum: [1, 'true'] } } }, { properties: { a: { type: 'integer' } } }] };
  const b = { properties: { b: { type: 'array', contains: { type: 'integer' } }, c: { type: ['string', 'array'] } } };
  const row = {
    anyOf: [
      { allOf: [{ anyOf: [b, { properties: { c: list('integer') } }] }, c] },
      { properties: { b: list('string') } },
    ],
  };
  const compiled = compileSchema({ type: 'object', properties: { rows: { type: 'array', items: row } } });
  // Either 2 means "2", or true means "true".
  const sent = { a: ['true', 'true', '1'], b: ['1', 2], c: true };
  const repaired = (count: number) => repairArguments(compiled, { rows: Array(count).fill(sent) }).repairs.length;
  expect([1, 3, 4, 40].map(repaired)).toEqual([0, 0, 0, 0]);
});
