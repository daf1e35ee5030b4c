import { describe, expect, test } from 'vitest';
import { checkArguments, type CheckedTool } from '../../src/tool/check.js';
import { InvalidArgumentsError } from '../../src/tool/invalid-arguments.js';
import type { RepairChoice } from '../../src/repair/index.js';
import { isObject } from '../../src/json/index.js';
import { fc } from '../../test-support/fuzz.js';
import { lawRuns } from '../../test-support/law-runs.js';
import { corpusTools } from '../../test-support/schemas/corpus.js';
import { slipsIn } from '../../test-support/schemas/slips.js';
import { synthesise } from '../../test-support/schemas/synthesise.js';
import { sharedFolder } from '../../test-support/shared.js';

function refusalOf(tool: CheckedTool, args: unknown, repairs?: RepairChoice): string | undefined {
  try {
    checkArguments(tool, args, repairs === undefined ? {} : { repairs });
    return undefined;
  } catch (error) {
    if (!(error instanceof InvalidArgumentsError)) throw error;
    return error.message;
  }
}

/** What was repaired has no line; every other line is the one that stands there without repairs. */
function expectSameLines(repaired: string, off: string | undefined, name?: string): void {
  expect(
    repaired.split('\n').filter((line) => off?.split('\n').includes(line) !== true),
    name,
  ).toEqual([]);
}

const values: readonly unknown[] = [
  ...['', 'x', '12', '-1', '500', 'true', 'None', 'null', 'HIGH', '[]', '["x"]', '{"id":"x"}', 'a, b', '2.5'],
  ...[0, 1, -3, 500, 2.5, true, false, null, [], ['a'], [5], [null], {}, { id: 'x' }, { id: '5', n: '-1' }],
];

const leaves: readonly object[] = [
  { type: 'integer', minimum: 1, maximum: 100 },
  { type: 'number', exclusiveMinimum: 0 },
  { type: 'string', enum: ['all', 'none'] },
  { type: 'string', pattern: '^last:' },
  { type: 'string', minLength: 5 },
  { type: 'string', format: 'date' },
  { type: 'boolean' },
  { type: 'boolean', const: true },
  { type: 'integer', const: 7 },
  { enum: [1, 2, 'a'] },
  { type: ['integer', 'null'], minimum: 0 },
  { type: 'null' },
  { type: 'array', items: { type: 'string' }, minItems: 1 },
  { type: 'array', items: { type: 'integer', minimum: 0 } },
  { type: 'object', properties: { id: { type: 'integer' }, n: { type: 'integer', minimum: 0 } }, required: ['id'] },
];

const schemas: fc.Arbitrary<object> = fc.letrec<{ schema: object }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    { weight: 3, arbitrary: fc.constantFrom(...leaves) },
    {
      weight: 4,
      arbitrary: fc
        .tuple(fc.constantFrom('anyOf', 'oneOf'), fc.array(tie('schema'), { minLength: 2, maxLength: 3 }))
        .map(([keyword, branches]) => ({ [keyword]: branches })),
    },
    { weight: 1, arbitrary: tie('schema').map((items) => ({ type: 'array', items })) },
    { weight: 1, arbitrary: tie('schema').map((part) => ({ allOf: [{ title: 'x' }, part] })) },
    {
      weight: 1,
      arbitrary: tie('schema').map((n) => ({ type: 'object', properties: { n }, required: ['n'] })),
    },
  ),
})).schema;

describe('a refusal is the same with repairs on and off where nothing was repaired', () => {
  test('over generated schemas, for every value', () => {
    let refused = 0;
    fc.assert(
      fc.property(schemas, (k) => {
        const tool = { name: 'tool', inputSchema: { type: 'object' as const, properties: { k }, required: ['k'] } };
        for (const value of values) {
          const repaired = refusalOf(tool, { k: value });
          if (repaired === undefined) continue;
          refused++;
          expectSameLines(repaired, refusalOf(tool, { k: value }, 'off'));
        }
      }),
      { numRuns: lawRuns(600) },
    );
    expect(refused).toBeGreaterThan(lawRuns(600) * 3);
  });

  const corpus = sharedFolder('corpus');
  test.skipIf(corpus === undefined)('over recorded tools, for calls that are broken as models break them', () => {
    const all = corpusTools(corpus ?? '');
    const step = Math.ceil(all.length / lawRuns(150));
    let refused = 0;
    for (const { inputSchema, ...rest } of all.filter((_, index) => index % step === 0)) {
      const args = synthesise(inputSchema, { optional: true });
      if (!isObject(args) || !isObject(inputSchema)) continue;
      const tool = { ...rest, inputSchema };
      const replaced = Object.keys(args).flatMap((name) => values.map((value) => ({ ...args, [name]: value })));
      for (const broken of [...replaced, ...[...slipsIn(args)].map((slip) => slip.args)].slice(0, 400)) {
        const repaired = refusalOf(tool, broken);
        if (repaired === undefined) continue;
        refused++;
        expectSameLines(repaired, refusalOf(tool, broken, 'off'), tool.name);
      }
    }
    expect(refused).toBeGreaterThan(lawRuns(150) * 10);
  });
});
