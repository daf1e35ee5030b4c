import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Chance } from '../../../bench/refusals/chance.js';
import { Counts, tryCall } from '../../../bench/refusals/count.js';
import { generatedTool } from '../../../bench/refusals/generated.js';
import { compileSchema, evaluate } from '../../../src/schema/index.js';
import { lawRuns } from '../../../test-support/law-runs.js';
import { untrueLines } from '../../../test-support/refusals/untrue.js';

const { untrue } = JSON.parse(readFileSync(new URL('./untrue.json', import.meta.url), 'utf8')) as {
  untrue: [line: string, sent: unknown, why: string][];
};

test('A reader who follows refusals literally gets a valid call, and no line is untrue of the sent arguments', () => {
  const counts = new Counts();
  const chance = new Chance(1128);
  for (let run = 0; run < lawRuns(1_000); run++) {
    const { name, inputSchema, args } = generatedTool(chance);
    if (evaluate(compileSchema(inputSchema), args).outcome !== 'valid') continue;
    for (let time = 0; time < 5; time++) tryCall({ tool: { name, inputSchema }, args }, chance, counts);
  }
  expect(counts.refused).toBeGreaterThan(lawRuns(1_000));
  expect(counts.left.filter((each) => each.startsWith('UNTRUE'))).toEqual([]);
  expect(counts.afterOne / counts.refused).toBeGreaterThan(0.85);
  expect(counts.afterTwo / counts.refused).toBeGreaterThan(0.95);
}, 120_000);

test.each(untrue)('The detector finds the untrue line about %s of %j', (line, sent, why) => {
  expect(untrueLines(`- ${line}`, sent).untrue).toEqual([{ line, why }]);
});

test.each<[line: string, sent: unknown]>([
  ['/i: must be integer, received string "-1" (read as -1, which must be >= 0)', { i: '-1' }],
  ['/a: must be array of integers, received array ["x"]', { a: ['x'] }],
  ['/p: must be a string matching a pattern of 300 characters, received string "x"', { p: 'x' }],
  ['(root): must have property "a" or "b"; both are missing', {}],
])('The detector accepts the line about %s of %j', (line, sent) => {
  expect(untrueLines(`- ${line}`, sent)).toEqual({ lines: 1, untrue: [] });
});
