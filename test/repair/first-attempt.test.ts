import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { canonicalText } from '../../src/json/index.js';
import { repairArguments } from '../../src/repair/index.js';
import type * as schemas from '../../src/schema/index.js';
import { compileSchema } from '../../src/schema/index.js';
import { corpusTools } from '../../test-support/schemas/corpus.js';
import { slipsIn } from '../../test-support/schemas/slips.js';
import { synthesise } from '../../test-support/schemas/synthesise.js';
import { fc } from '../../test-support/fuzz.js';
import { sharedFolder } from '../../test-support/shared.js';
import { choosingCalls, decidingCalls, jointlyChoosingCalls, overlappingCalls } from './choosing-calls.js';
import { calls } from './generated.js';

/** Whether the first attempt is left out, and how often it was all that was needed. */
const first = vi.hoisted(() => ({ isLeftOut: false, sufficed: 0 }));

vi.mock('../../src/schema/index.js', async (importOriginal) => {
  const original = await importOriginal<typeof schemas>();
  const evaluateCoercing: typeof original.evaluateCoercing = (...parameters) => {
    const coerced = original.evaluateCoercing(...parameters);
    const { result } = coerced;
    if (result.outcome !== 'coerced' && result.outcome !== 'refused') return coerced;
    if (first.isLeftOut) return { ...coerced, result: { outcome: 'refused', isHopeless: false } };
    if (result.outcome === 'coerced' || result.isHopeless) first.sufficed++;
    return coerced;
  };
  return { ...original, evaluateCoercing };
});

/** What comes of a call, in a text; of one that is refused all the same, nothing is promised. */
function repaired(schema: unknown, args: unknown, isLeftOut: boolean): string {
  first.isLeftOut = isLeftOut;
  const { arguments: result, repairs, evaluation } = repairArguments(compileSchema(schema), args, 'all');
  if (evaluation.outcome !== 'valid') return evaluation.outcome;
  const changes = repairs.map(({ kind, instanceLocation, to }) => [kind, instanceLocation, to ?? 'left out']);
  return `${canonicalText(result)} ${JSON.stringify(changes.sort())}`;
}

describe('The first attempt comes to what the search comes to', () => {
  beforeEach(() => {
    first.sufficed = 0;
    // No search is cut short by the clock.
    vi.spyOn(performance, 'now').mockReturnValue(0);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test.each([
    ['calls of every structure', calls],
    ['calls about which a schema decides', decidingCalls],
    ['alternatives', choosingCalls],
    ['several choices about the same arguments', jointlyChoosingCalls],
    ['several schemas for one argument', overlappingCalls],
  ] as const)('for %s', (_, generated) => {
    fc.assert(
      fc.property(generated as fc.Arbitrary<readonly [unknown, unknown]>, ([schema, args]) => {
        expect(repaired(schema, args, false)).toBe(repaired(schema, args, true));
      }),
      { numRuns: 2_000 },
    );
    expect(first.sufficed).toBeGreaterThan(50);
  });

  const late = { allOf: [{ maxLength: 2 }, { type: 'boolean' }] };
  test.each<[what: string, anyOf: readonly object[], to: unknown]>([
    ['it has a candidate', [late, { type: 'null' }], true],
    ['it is the one that presumes least', [late, { enum: ['TRUE', 'FALSE'] }], true],
    ['another one presumes as little', [{ allOf: [{ pattern: '^T' }, { const: 'TRUE' }] }, { enum: ['True'] }], 'true'],
  ])('where an alternative refuses a text for something else first, and %s', (_, anyOf, to) => {
    const schema = { properties: { v: { anyOf } } };
    expect(repairArguments(compileSchema(schema), { v: 'true' }).arguments).toEqual({ v: to });
    expect(repaired(schema, { v: 'true' }, false)).toBe(repaired(schema, { v: 'true' }, true));
  });

  test('where two alternatives ask for the same by one reference, and the second accepts it', () => {
    const $ref = '#/$defs/flag';
    const anyOf = [{ $ref, const: false }, { $ref }, { enum: ['TRUE', 'FALSE'] }];
    const schema = { properties: { v: { anyOf } }, $defs: { flag: { type: 'boolean' } } };
    expect(repairArguments(compileSchema(schema), { v: 'true' }).arguments).toEqual({ v: true });
    expect(repaired(schema, { v: 'true' }, false)).toBe(repaired(schema, { v: 'true' }, true));
  });

  test('where one alternative accepts what another one would have, and refuses', () => {
    const schema = { properties: { v: { anyOf: [{ type: 'integer' }, { type: 'string', pattern: '^[a-z]+$' }] } } };
    for (const isLeftOut of [false, true]) expect(repaired(schema, { v: '"a"' }, isLeftOut)).toBe('invalid');
  });

  const text = { type: 'string' };
  test.each<[keyword: string, beside: Record<string, unknown>]>([
    ['patternProperties', { patternProperties: { n: text } }],
    ['allOf', { allOf: [{ properties: { n: text } }] }],
    ['$ref', { $ref: '#/$defs/other' }],
    ['anyOf', { anyOf: [{ properties: { n: text } }, false] }],
    ['if', { if: { properties: { n: text } }, else: false }],
    ['not', { not: { properties: { n: { const: 1 } } } }],
    ['dependentSchemas', { dependentSchemas: { n: { properties: { n: text } } } }],
    ['enum', { enum: [{ n: '1' }] }],
    ['const', { const: { n: '1' } }],
    ['contains', { properties: { n: { items: { type: 'integer' }, contains: text } } }],
    ['uniqueItems', { properties: { n: { items: { type: 'integer' }, uniqueItems: true } } }],
    ['prefixItems', { properties: { n: { items: [{ type: 'integer' }], prefixItems: [text] } } }],
  ])('where %s looks at what another schema changes', (_, beside) => {
    const schema = { properties: { n: { type: 'integer' } }, ...beside, $defs: { other: { properties: { n: text } } } };
    const args = 'properties' in beside ? { n: ['1', 1] } : { n: '1' };
    for (const isLeftOut of [false, true]) expect(repaired(schema, args, isLeftOut)).toBe('invalid');
  });

  test.skipIf(sharedFolder('corpus') === undefined)('for slips in calls to the tools of recorded servers', () => {
    for (const { inputSchema } of corpusTools(sharedFolder('corpus') ?? '').filter((_, index) => index % 10 === 0)) {
      for (const { args } of slipsIn(synthesise(inputSchema, { optional: true }))) {
        expect(repaired(inputSchema, args, false)).toBe(repaired(inputSchema, args, true));
      }
    }
    expect(first.sufficed).toBeGreaterThan(1000);
  });
});
