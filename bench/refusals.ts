/**
 * Do refusals say what to do? `npm run bench:refusals [-- --show N]`.
 *
 * Valid calls, to the recorded tools and to generated ones, are broken in one or two of the ways of models. If a call is
 * refused, with the defaults, a reader gets the text alone, not the schema, and follows it literally. The bench counts how
 * many calls are valid then, and how many lines were not true of the arguments as they were sent. The same in every run.
 * `--show N` prints the first N calls that took more than one round, and lines that were not true; `--every N` takes every
 * Nth call only; `--seed N` draws others.
 */
import { parseArgs } from 'node:util';
import { isObject } from '../src/json/index.js';
import { compileSchema, evaluate } from '../src/schema/index.js';
import { corpusTools } from '../test-support/schemas/corpus.js';
import { synthesise } from '../test-support/schemas/synthesise.js';
import { requiredFolder } from '../test-support/shared.js';
import { Chance } from './refusals/chance.js';
import { Counts, tryCall, type ValidCall } from './refusals/count.js';
import { generatedTool } from './refusals/generated.js';

const seed = 20_261_128;
const callsPerTool = 30;
const generatedTools = 3_000;

const { values } = parseArgs({
  options: {
    show: { type: 'string', default: '0' },
    seed: { type: 'string', default: String(seed) },
    every: { type: 'string', default: '1' },
  },
});

print('recorded tools', recorded());
print('generated tools', generated());

function recorded(): Counts {
  const folder = requiredFolder('corpus');
  const counts = new Counts();
  const chance = new Chance(Number(values.seed));
  const calls = corpusTools(folder).flatMap(({ name, description, annotations, inputSchema }) => {
    if (!isObject(inputSchema)) return [];
    const tool = { name, description, annotations, inputSchema } as ValidCall['tool'];
    return [true, false].map((optional) => ({ tool, args: synthesise(inputSchema, { optional }) }));
  });
  tryAll(calls.filter(isValid), callsPerTool / 2, chance, counts);
  return counts;
}

function generated(): Counts {
  const counts = new Counts();
  const chance = new Chance(Number(values.seed));
  const calls = Array.from({ length: generatedTools }, () => {
    const { name, inputSchema, args } = generatedTool(chance);
    return { tool: { name, inputSchema }, args };
  });
  tryAll(calls.filter(isValid), 10, chance, counts);
  return counts;
}

function tryAll(calls: readonly ValidCall[], times: number, chance: Chance, counts: Counts): void {
  const every = Number(values.every);
  for (const [index, call] of calls.entries())
    if (index % every === 0) for (let time = 0; time < times; time++) tryCall(call, chance, counts);
}

function isValid({ tool, args }: ValidCall): boolean {
  return evaluate(compileSchema(tool.inputSchema), args).outcome === 'valid';
}

function print(title: string, counts: Counts): void {
  const share = (part: number, of: number) => `${((100 * part) / Math.max(1, of)).toFixed(1)} %`;
  const { calls, refused, afterOne, afterTwo, lines, untrue } = counts;
  console.log(`${title}: ${calls} broken calls, ${refused} refused; ${lines} lines, ${untrue} of them untrue\n`);
  console.log('| broken by | refused | valid after one round | after two |\n| --- | ---: | ---: | ---: |');
  for (const [name, of] of [...counts.byBreak, ['all', { refused, afterOne, afterTwo }] as const])
    console.log(`| ${name} | ${of.refused} | ${share(of.afterOne, of.refused)} | ${share(of.afterTwo, of.refused)} |`);
  console.log('');
  for (const each of counts.left.slice(0, Number(values.show))) console.log(`${each}\n`);
}
