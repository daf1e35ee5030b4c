import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { checkArguments, type CheckedTool } from '../../src/tool/check.js';
import { InvalidArgumentsError } from '../../src/tool/invalid-arguments.js';
import { repairArguments, type RepairChoice } from '../../src/repair/index.js';
import { compileSchema } from '../../src/schema/index.js';
import type * as source from '../../src/index.js';
import { isObject, isWithin } from '../../src/json/index.js';
import { lawRuns } from '../../test-support/law-runs.js';
import { corpusTools } from '../../test-support/schemas/corpus.js';
import { slipsIn } from '../../test-support/schemas/slips.js';
import { synthesise } from '../../test-support/schemas/synthesise.js';
import { sharedFolder } from '../../test-support/shared.js';

function refusalOf(tool: CheckedTool, args: unknown, repairs?: RepairChoice): string | undefined {
  try {
    // Steps alone decide, so a machine that stalls changes nothing.
    const budget = { ms: 60_000, patternMs: 60_000 };
    checkArguments(tool, args, repairs === undefined ? { budget } : { repairs, budget });
    return undefined;
  } catch (error) {
    if (!(error instanceof InvalidArgumentsError)) throw error;
    return error.message;
  }
}

/** The lines without two additions: the reading of a string, and advice at the end. */
function linesOf(refusal: string | undefined): string[] {
  return (refusal ?? '')
    .split('\n')
    .map((line) =>
      line.replace(/ \(read as .+, which must be .+\)(?=\.?$)|(?<=^Correct them and call it again\.) .*$/, ''),
    );
}

/** Repaired places have no line; all other lines are the same. */
function expectSameLines(tool: CheckedTool, args: unknown, repaired: string): void {
  const [on, off] = [linesOf(repaired), linesOf(refusalOf(tool, args, 'off'))];
  const { repairs } = repairArguments(compileSchema(tool.inputSchema), args, 'safe', { tool });
  if (repairs.length === 0) {
    expect(on, tool.name).toEqual(off);
    return;
  }
  const isRepaired = (line: string) => {
    const place = /^- (\/[^\s:*]*)/.exec(line)?.[1]?.replace(/\/$/, '') ?? '';
    return repairs.some(({ instanceLocation: at }) => isWithin(place, at) || isWithin(at, place));
  };
  const known = new Set(off);
  expect(
    on.filter((line) => !known.has(line)),
    tool.name,
  ).toEqual([]);
  expect(
    off.filter((line) => line.startsWith('- ') && !on.includes(line) && !isRepaired(line)),
    tool.name,
  ).toEqual([]);
}

const values: readonly unknown[] = [
  ...['', 'x', '12', '-1', '500', 'true', 'None', 'null', 'HIGH', '[]', '["x"]', '{"id":"x"}', 'a, b', '2.5'],
  ...[0, 1, -3, 500, 2.5, true, false, null, [], ['a'], [5], [null], {}, { id: 'x' }, { id: '5', n: '-1' }],
];

describe('refusals of the installed package', () => {
  // The built package, as a program loads it.
  const { checkArguments: check } = createRequire(import.meta.url)(
    '../../packages/mcp-verbatim/dist/cjs/index.js',
  ) as typeof source; // built from it
  const atLeast = { type: 'integer', minimum: 0 };
  test.each<[what: string, schema: object, value: unknown, line: string]>([
    ['an integer', atLeast, '-1', 'must be integer, received string "-1" (read as -1, which must be >= 0)'],
    [
      'an optional integer',
      { anyOf: [atLeast, { type: 'null' }] },
      '-1',
      'must be integer or null, received string "-1" (read as -1, which must be >= 0)',
    ],
    [
      'not a value that is no text',
      { anyOf: [atLeast, { type: 'string', minLength: 5 }] },
      -1,
      'must be >= 0, received integer -1',
    ],
    [
      'not a text if texts are accepted',
      { type: ['integer', 'string'], minLength: 3 },
      '-1',
      'must be at least 3 characters long, received string "-1"',
    ],
    [
      'not a text if one alternative of several takes texts',
      { anyOf: [atLeast, { type: 'number', maximum: -5 }, { type: 'string', pattern: '^x' }] },
      '-1',
      'must be a string matching "^x", received string "-1"',
    ],
    ['nothing that is said already', { enum: [1, 2] }, '7', 'must be one of 1, 2, received string "7"'],
    ['not a text of no other type', atLeast, 'x', 'must be integer, received string "x"'],
  ])('A refusal says how a rejected string would be read: %s', (_, schema, value, line) => {
    const inputSchema = { type: 'object' as const, properties: { k: schema } };
    expect(() => check({ name: 'tool', inputSchema }, { k: value })).toThrow(`\n- /k: ${line}\n`);
  });

  test('A refusal does not suggest a place that only a repair has freed', () => {
    const page = { type: 'object', properties: { size: { type: 'integer' } } } as const;
    const list = { type: 'object', properties: {}, additionalProperties: false } as const;
    const tool = { name: 'get_rows', inputSchema: { type: 'object' as const, properties: { page, list } } };
    const call = (repairs: RepairChoice) => () => check(tool, { page: '', list: { size: 5 } }, { repairs });
    const line = /^- \/list: must not have the property "size"$/m;
    expect(call('off')).toThrow(line);
    expect(call('all')).toThrow(line);
  });

  test('A refusal does not say how a value under another name would be read', () => {
    const yName = { type: 'integer' };
    const inputSchema = { type: 'object' as const, properties: { yName, b: yName }, required: ['yName'] };
    const call = (y_name: unknown) => () => check({ name: 'tool', inputSchema }, { yName: null, y_name, b: '3' });
    for (const other of ['q', { x: 1 }])
      expect(call(other)).toThrow('\n- /yName: must be integer, received null\nCorrect');
    expect(call('7')().arguments).toEqual({ yName: 7, b: 3 });
  });

  test('A refusal names a member that is not allowed even if its value was repaired', () => {
    const branch = (properties: object, more: object) => ({ properties, ...more });
    const anyOf = [
      branch({ id: { type: 'integer' }, kind: { const: 'a' } }, { required: ['kind', 'q'] }),
      branch({ s: { type: 'integer' }, kind: { const: 'b' } }, { required: ['kind'], additionalProperties: false }),
    ];
    const inputSchema = { type: 'object' as const, properties: { id: { const: 5 } }, anyOf };
    const line = '(root): must not have the properties "id" and "M" (allowed: "s")';
    for (const repairs of ['safe', 'off'] as const)
      expect(() => check({ name: 'tool', inputSchema }, { id: '5', M: null, kind: 'b' }, { repairs })).toThrow(line);
  });

  test('A refusal does not mention values that only a repair has made', () => {
    const a = { type: 'string' };
    const anyOf = [{ properties: { a: { enum: [0, 1] } }, required: ['t'] }];
    const inputSchema = { type: 'object' as const, properties: { a, n: { type: 'integer' } }, anyOf };
    const lines = '- /a: must be string, received integer 0\n- (root): must have property "t", which is missing\n';
    expect(() => check({ name: 'tool', inputSchema }, { a: 0, n: '5' })).toThrow(`\n${lines}Correct`);
    expect(() => check({ name: 'tool', inputSchema }, { a: 0, n: '5', k: 1 }, { fixed: { k: 1 } })).toThrow(
      `\n${lines}Correct`,
    );
  });

  test('A refusal never shows the value of a secret', () => {
    const inputSchema = { type: 'object' as const, properties: { password: atLeast } };
    expect(() => check({ name: 'tool', inputSchema }, { password: '-1' })).toThrow(
      /^- \/password: must be integer, received string \[hidden\]$/m,
    );
  });
});

const corpus = sharedFolder('corpus');
// test/repair/refused.test.ts shows this for generated schemas.
test.skipIf(corpus === undefined)(
  'The refusals of recorded tools are the same with repairs on and off, except for repaired arguments',
  () => {
    const all = corpusTools(corpus ?? '');
    const step = Math.ceil(all.length / lawRuns(100, 12));
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
        expectSameLines(tool, broken, repaired);
      }
    }
    expect(refused).toBeGreaterThan(lawRuns(100, 12) * 10);
  },
);
