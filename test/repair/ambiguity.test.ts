import { describe, expect, test } from 'vitest';
import { canonicalText } from '../../src/json/index.js';
import { repairArguments } from '../../src/repair/repair.js';
import { compileSchema } from '../../src/schema/compile/compile.js';
import { fc } from '../../test-support/fuzz.js';
import { choosingCalls, decidingCalls, jointlyChoosingCalls, outcomeOf, overlappingCalls } from './choosing-calls.js';
import { cheapestReadings, listedKinds } from './readings.js';

describe('what is ambiguous is not repaired', () => {
  test.each([
    ['wherever the choice lies', choosingCalls, { numRuns: 800, repaired: 75, ambiguous: 50 }],
    ['however many choices there are', jointlyChoosingCalls, { numRuns: 2_000, repaired: 75, ambiguous: 60 }],
    ['whichever keywords decide', decidingCalls, { numRuns: 1_000, repaired: 50, ambiguous: 20 }],
    ['however many schemas apply', overlappingCalls, { numRuns: 1_500, repaired: 30, ambiguous: 3 }],
  ])('%s: no other set of repairs presumes as little and makes something else valid', (_, calls, least) => {
    const seen = { repaired: 0, ambiguous: 0 };
    fc.assert(
      fc.property(calls, ([schema, args]) => {
        const compiled = compileSchema(schema);
        if (outcomeOf(schema, args) !== 'invalid') return;
        const readings = cheapestReadings(args, compiled);
        if (!readings) return;
        const { arguments: repaired, evaluation } = repairArguments(compiled, args, listedKinds);
        if (readings.length > 1) seen.ambiguous++;
        if (evaluation.outcome !== 'valid') return;
        seen.repaired++;
        expect(readings.map((reading) => canonicalText(reading))).toEqual([canonicalText(repaired)]);
      }),
      { numRuns: least.numRuns },
    );
    expect(seen.repaired).toBeGreaterThan(least.repaired);
    expect(seen.ambiguous).toBeGreaterThan(least.ambiguous);
  });

  test('of several schemas for one argument, all count', () => {
    const patternProperties = { '.': { type: ['string', 'array'] }, 'a|c': { type: ['integer', 'array'] } };
    const properties = { ab: { type: ['string', 'array'] } };
    const compiled = compileSchema({ type: 'object', patternProperties, properties });
    expect(repairArguments(compiled, { ab: '1' }, listedKinds).arguments).toEqual({ ab: ['1'] });
  });
});
