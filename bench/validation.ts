/**
 * Validation side by side: `npm run bench:validation [schemas] [rounds]`.
 *
 * The first call of a tool costs the compilation of its schema and a validation: in a row of first calls by the same
 * contender; and cold, after memory larger than the processor's own caches was walked through, as after a while of other
 * work. Cold is measured three times: with all contenders in this process, call by call; each in a process of its own, a
 * block of calls at a time; and so again, call by call, with which each process wakes up after the others have run. The
 * further calls are those that an agent makes, 40 of them; by turns are calls of all tools one after the other, as in a
 * process with many tools, round after round; hot is a call of one tool after thousands of it, when JavaScript has compiled
 * what Ajv and Zod generate for that one schema. The arguments fill every property that the schema declares. All contenders
 * take turns on the same schema within one run; a figure is the median over the schemas of each schema's ratio to this
 * project, so that it does not depend on the machine; in brackets its quartiles.
 *
 * It runs as a bundle, as the packages do: tsx gives every closure a name, which costs as much as a small validation.
 *
 * The second table is of one wrong value among the same arguments: what refusing it costs beside accepting the right ones,
 * as a verdict alone, with the message that a model reads, and repaired. The third is of thousands of slips in one call.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once as event } from 'node:events';
import { fileURLToPath } from 'node:url';
import { isObject } from '../src/json/index.js';
import { repairArguments } from '../src/repair/index.js';
import { compileSchema, evaluate, violationLines } from '../src/schema/index.js';
import { requiredFolder } from '../test-support/shared.js';
import { corpusTools } from '../test-support/schemas/corpus.js';
import { ajvOracle, cfworkerOracle } from '../test-support/schemas/oracles.js';
import { synthesise } from '../test-support/schemas/synthesise.js';
import { type Case, contenders, emptyCaches, firstCall, furtherCall, once, timed, use } from './contenders.js';
import type { Turn } from './first-calls.js';
import { shuffled } from './shuffled.js';

const [wantedSchemas = 250, rounds = 7] = process.argv.slice(2).map(Number);
const warmUps = 1;
const hotAfter = 3_000;
const turnsOfAll = 200;
const hotSchemas = 60;
const blockLength = 25;

const prepares = await Promise.all(contenders.map(({ load }) => load()));
const cases = collectCases();
// JavaScript compiles hot code better, so a process that has validated before is measured, not its first second.
for (let i = 0; i < warmUps; i++) cases.forEach((one) => measure(one));
const firsts = blocks(cases, blockLength).flatMap((block) => measureFirst(block));
const alone = await measureAlone(blockLength);
const woken = await measureAlone(1);
const results = cases.map((one) => measure(one));
const byTurns = measureByTurns();
const hot = cases.filter((_, i) => i % Math.ceil(cases.length / hotSchemas) === 0).map((one) => measureHot(one));
printTable();
printRefusals();
printManySlips();

function collectCases(): Case[] {
  const folder = requiredFolder('corpus');
  const seen = new Set<string>();
  const found: Case[] = [];
  for (const { inputSchema } of corpusTools(folder)) {
    const text = JSON.stringify(inputSchema);
    if (seen.has(text)) continue;
    seen.add(text);
    const { dialect } = compileSchema(inputSchema);
    const instance = synthesise(inputSchema, { optional: true });
    const agreed = [ajvOracle(inputSchema, dialect), cfworkerOracle(inputSchema, dialect)].every((oracle) =>
      oracle(instance),
    );
    if (agreed) found.push({ schema: inputSchema as Case['schema'], dialect, instance });
  }
  const every = Math.max(1, Math.floor(found.length / wantedSchemas));
  return found.filter((_, i) => i % every === 0).slice(0, wantedSchemas);
}

/** Microseconds of each contender's first call: medians over the rounds, in which they take turns, block by block. */
function measureFirst(block: readonly Case[]): { row: number[]; cold: number[] }[] {
  const row = block.map(() => prepares.map((): number[] => []));
  const cold = block.map(() => prepares.map((): number[] => []));
  for (let round = 0; round < rounds; round++) {
    for (const [who, prepare] of shuffled([...prepares.entries()])) {
      block.forEach((one, index) => row[index]?.[who]?.push(firstCall(prepare, one)));
    }
    for (const [index, one] of block.entries()) {
      for (const [who, prepare] of shuffled([...prepares.entries()])) {
        cold[index]?.[who]?.push(firstCall(prepare, one, emptyCaches));
      }
    }
  }
  return block.map((_, index) => ({ row: (row[index] ?? []).map(median), cold: (cold[index] ?? []).map(median) }));
}

/**
 * The same, cold, of each contender in a process of its own.
 *
 * @param atOnce how many calls a process makes before it is the next one's turn
 */
async function measureAlone(atOnce: number): Promise<number[][]> {
  const file = fileURLToPath(new URL('first-calls.mjs', import.meta.url));
  const processes = contenders.map((_, who) => fork(file, [String(who)]));
  const times = cases.map(() => contenders.map((): number[] => []));
  for (const child of processes) await inTurn(child, { cases, warmUps: warmUps * rounds });
  for (const block of blocks([...cases.entries()], atOnce)) {
    for (let round = 0; round < rounds; round++) {
      for (const [who, child] of shuffled([...processes.entries()])) {
        const found = await inTurn(child, { cases: block.map(([, one]) => one) });
        for (const [at, [index]] of block.entries()) times[index]?.[who]?.push(found[at] ?? NaN);
      }
    }
  }
  for (const child of processes) child.disconnect();
  return times.map((each) => each.map(median));
}

async function inTurn(child: ChildProcess, turn: Turn): Promise<readonly number[]> {
  child.send(turn);
  const [times] = (await event(child, 'message')) as [number[]]; // as the other side sends them
  return times;
}

function blocks<T>(values: readonly T[], length: number): T[][] {
  const count = Math.ceil(values.length / length);
  return Array.from({ length: count }, (_, index) => values.slice(index * length, (index + 1) * length));
}

/** Microseconds of each contender's further calls: medians over the rounds, in which they take turns. */
function measure(one: Case): number[] {
  const warm = prepares.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [who, prepare] of shuffled([...prepares.entries()])) warm[who]?.push(furtherCall(prepare, one));
  }
  return warm.map(median);
}

/** Microseconds of each contender's call in the mean of all tools, called one after the other, in each round. */
function measureByTurns(): number[][] {
  const prepared = prepares.map((prepare) =>
    cases.map(({ schema, dialect, instance }) => {
      const validate = prepare(JSON.parse(JSON.stringify(schema)), dialect);
      return () => validate(instance);
    }),
  );
  const times = Array.from({ length: turnsOfAll }, () => {
    const turn = prepares.map(() => NaN);
    for (const [who, calls] of shuffled([...prepared.entries()])) {
      turn[who] = once(() => calls.forEach(use)) / calls.length;
    }
    return turn;
  });
  return times.slice(turnsOfAll / 4);
}

/** Microseconds of each contender once JavaScript has compiled what it made of the schema. */
function measureHot({ schema, dialect, instance }: Case): number[] {
  const prepared = prepares.map((prepare) => prepare(JSON.parse(JSON.stringify(schema)), dialect));
  for (const validate of prepared) for (let i = 0; i < hotAfter; i++) validate(instance);
  const times = prepared.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [who, validate] of shuffled([...prepared.entries()])) times[who]?.push(timed(() => validate(instance)));
  }
  return times.map(median);
}

function printTable(): void {
  console.log(
    `${cases.length} schemas of the corpus, ${rounds} rounds, Node ${process.versions.node}. Median time, and median ratio to mcp-verbatim with quartiles.\n`,
  );
  console.log(
    '| | first calls in a row | ratio | first call, cold | ratio | in its own process | ratio | woken for it | ratio | further calls | ratio | by turns | ratio | hot | ratio |',
  );
  console.log(`|---|${'---:|'.repeat(14)}`);
  const kinds = [firsts.map(({ row }) => row), firsts.map(({ cold }) => cold), alone, woken, results, byTurns, hot];
  for (const [who, { name }] of contenders.entries()) {
    const row = kinds.flatMap((times) => [
      `${median(times.map((each) => each[who] ?? NaN)).toFixed(1)} µs`,
      spread(times.map((each) => (each[who] ?? NaN) / (each[0] ?? NaN))),
    ]);
    console.log(`| ${name} | ${row.join(' | ')} |`);
  }
}

/** The cost of one wrong value, beside a call with none. */
function printRefusals(): void {
  const broken = cases.flatMap(({ schema, dialect, instance }) => {
    const compiled = compileSchema(schema);
    const wrong = withOneWrong(instance, (changed) => evaluate(compiled, changed).outcome === 'invalid');
    const slip = withOneSlip(instance, (changed) => repairArguments(compiled, changed).repairs.length > 0);
    return [{ compiled, schema, dialect, instance, wrong, slip }];
  });
  const rows: [string, (one: (typeof broken)[number]) => (() => unknown) | undefined][] = [
    ['refused, the verdict', ({ compiled, wrong }) => wrong && (() => evaluate(compiled, wrong).outcome)],
    [
      'refused, with its violations',
      ({ compiled, wrong }) => wrong && (() => violationsOf(evaluate(compiled, wrong)).length),
    ],
    [
      'refused, with the message for a model',
      ({ compiled, wrong }) => wrong && (() => violationLines(violationsOf(evaluate(compiled, wrong))).join('\n')),
    ],
    ['repaired', ({ compiled, slip }) => slip && (() => repairArguments(compiled, slip).arguments)],
    [
      'rejected by cfworker, with its errors',
      ({ schema, dialect, wrong }) => {
        const validate = prepares[1]?.(schema, dialect);
        return wrong && validate && (() => validate(wrong));
      },
    ],
  ];
  console.log('\n| one wrong value | schemas | median time | ratio to a valid call of mcp-verbatim |');
  console.log('|---|---:|---:|---:|');
  for (const [name, callOf] of rows) {
    const calls = broken.map((one) => ({ one, call: callOf(one) }));
    // As above: a process is measured that has refused, or repaired, before.
    for (let i = 0; i < warmUps; i++) for (const { call } of calls) if (call) timed(call);
    const measured = calls.flatMap(({ one, call }) => {
      if (!call) return [];
      const valid = () => evaluate(one.compiled, one.instance).outcome;
      for (let i = 0; i < warmUps * rounds; i++) timed(call);
      const pairs = Array.from({ length: rounds }, () => [timed(call), timed(valid)] as const);
      return [{ time: median(pairs.map(([time]) => time)), ratio: median(pairs.map(([time, base]) => time / base)) }];
    });
    const times = measured.map(({ time }) => time);
    const ratios = measured.map(({ ratio }) => ratio);
    console.log(`| ${name} | ${measured.length} | ${median(times).toFixed(1)} µs | ${spread(ratios)} |`);
  }
}

/**
 * The cost of 4,000 numbers written as text, in lists as servers declare them, beside the same arguments without one.
 */
function printManySlips(): void {
  const integer = { type: 'integer' };
  const optional = (schema: object) => ({ anyOf: [schema, { type: 'null' }] });
  const row = { type: 'object', properties: { id: integer, name: { type: 'string' }, size: optional(integer) } };
  const lists: [string, object][] = [
    ['a list of objects', { type: 'array', items: row }],
    ['an optional one', optional({ type: 'array', items: row })],
    ['an optional one of optional objects', optional({ type: 'array', items: optional(row) })],
  ];
  const rows = Array.from({ length: 2000 }, (_, id) => ({ id, name: `row ${id}`, size: id % 7 }));
  const slipped = rows.map(({ id, name, size }) => ({ id: String(id), name, size: String(size) }));
  console.log('\n| 4,000 slips in one call | median time | ratio to the call without them |\n|---|---:|---:|');
  for (const [name, list] of lists) {
    const compiled = compileSchema({ type: 'object', properties: { rows: list } });
    const pairs = Array.from({ length: 10 + 3 * rounds }, () => [
      once(() => repairArguments(compiled, { rows: slipped }).arguments),
      once(() => evaluate(compiled, { rows }).outcome),
    ]).slice(10);
    const times = pairs.map(([time = NaN]) => time / 1000);
    console.log(
      `| ${name} | ${median(times).toFixed(1)} ms | ${spread(pairs.map(([time = NaN, base = NaN]) => time / base))} |`,
    );
  }
}

function violationsOf(evaluation: ReturnType<typeof evaluate>) {
  return evaluation.outcome === 'invalid' ? evaluation.violations : [];
}

type Arguments = Readonly<Record<string, unknown>>;

/** The arguments with another type for their last value that the schema restricts. */
function withOneWrong(instance: unknown, isWrong: (changed: Arguments) => boolean): Arguments | undefined {
  return changedOnce(instance, (value) => (typeof value === 'object' ? 'text' : { wrong: value }), isWrong);
}

/** The same, with a number or boolean as text. */
function withOneSlip(instance: unknown, isRepaired: (changed: Arguments) => boolean): Arguments | undefined {
  const asText = (value: unknown) =>
    typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
  return changedOnce(instance, asText, isRepaired);
}

function changedOnce(
  instance: unknown,
  change: (value: unknown) => unknown,
  fits: (changed: Arguments) => boolean,
): Arguments | undefined {
  if (!isObject(instance)) return undefined;
  for (const name of Object.keys(instance).reverse()) {
    const value = change(instance[name]);
    if (value === undefined) continue;
    const changed = { ...instance, [name]: value };
    if (fits(changed)) return changed;
  }
  return undefined;
}

/** '1.20 x (1.05 to 1.40)' */
function spread(ratios: readonly number[]): string {
  const at = (share: number) =>
    ([...ratios].sort((a, b) => a - b)[Math.floor(ratios.length * share)] ?? NaN).toFixed(2);
  return `${at(0.5)} x (${at(0.25)} to ${at(0.75)})`;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}
