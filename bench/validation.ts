/**
 * Validation side by side: `npm run bench:validation [schemas] [rounds]`.
 *
 * The first call of a tool costs the compilation of its schema and a validation: in a row of first calls by the same
 * contender, as in a process that has no other validator; and cold, after memory larger than the processor's own caches was
 * walked through, as after a while of other work. The further calls are those that an agent makes, 40 of them; by turns are
 * calls of all tools one after the other, as in a process with many tools, round after round; hot is a call of one tool
 * after thousands of it, when JavaScript has compiled what Ajv and Zod generate for that one schema. The arguments fill every
 * property that the schema declares. All contenders take turns on the same schema within one run; a figure is the median over
 * the schemas of each schema's ratio to this project, so that it does not depend on the machine; in brackets its quartiles.
 *
 * It runs as a bundle, as the packages do: tsx gives every closure a name, which costs as much as a small validation.
 *
 * The second table is of one wrong value among the same arguments: what refusing it costs beside accepting the right ones,
 * as a verdict alone, with the message that a model reads, and repaired. The third is of thousands of slips in one call.
 */
import { type Schema, Validator } from '@cfworker/json-schema';
import { type JsonSchema, jsonSchemaToZod } from '@n8n/json-schema-to-zod';
import { isObject } from '../src/json/index.js';
import { repairArguments } from '../src/repair/index.js';
import { compileSchema, describeViolations, type Dialect, evaluate } from '../src/schema/index.js';
import { sharedFolder } from '../test-support/shared.js';
import { corpusTools } from '../test-support/schemas/corpus.js';
import { ajvFor, ajvOracle, cfworkerOracle, withoutDialect } from '../test-support/schemas/oracles.js';
import { synthesise } from '../test-support/schemas/synthesise.js';

type Validate = (instance: unknown) => boolean;

interface Contender {
  readonly name: string;
  prepare(schema: unknown, dialect: Dialect): Validate;
}

interface Case {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly dialect: Dialect;
  readonly instance: unknown;
}

const [wantedSchemas = 250, rounds = 7] = process.argv.slice(2).map(Number);
const warmRepetitions = 40;
const warmUps = 1;
const hotAfter = 3_000;
const turnsOfAll = 200;
const hotSchemas = 60;
const blockLength = 25;
/** Larger than a processor's own caches. */
const otherMemory = new Uint8Array(8 << 20);
let turns = 0;
/** The same chance in every run. */
let random = 20_261_120;

const ajvs = new Map<Dialect, ReturnType<typeof ajvFor>>();
const contenders: readonly Contender[] = [
  { name: 'mcp-verbatim', prepare: prepareOwn },
  { name: '@cfworker/json-schema', prepare: prepareCfworker },
  { name: 'Ajv', prepare: prepareAjv },
  { name: 'Zod by n8n', prepare: prepareZod },
];

const cases = collectCases();
// JavaScript compiles hot code better: measured is a process that has validated before, not its first second.
for (let i = 0; i < warmUps; i++) cases.forEach((one) => measure(one));
const firsts = blocks(cases).flatMap((block) => measureFirst(block));
const results = cases.map((one) => measure(one));
const byTurns = measureByTurns();
const hot = cases.filter((_, i) => i % Math.ceil(cases.length / hotSchemas) === 0).map((one) => measureHot(one));
printTable();
printRefusals();
printManySlips();

function collectCases(): Case[] {
  const folder = sharedFolder('corpus');
  if (!folder) throw new Error('The corpus (../shared/corpus) is not there; there is nothing to measure with.');
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
  const row = block.map(() => contenders.map((): number[] => []));
  const cold = block.map(() => contenders.map((): number[] => []));
  for (let round = 0; round < rounds; round++) {
    for (const [who, contender] of shuffled([...contenders.entries()])) {
      block.forEach((one, index) => row[index]?.[who]?.push(firstCall(contender, one)));
    }
    for (const [index, one] of block.entries()) {
      for (const [who, contender] of shuffled([...contenders.entries()])) {
        cold[index]?.[who]?.push(firstCall(contender, one, emptyCaches));
      }
    }
  }
  return block.map((_, index) => ({ row: (row[index] ?? []).map(median), cold: (cold[index] ?? []).map(median) }));
}

function firstCall(contender: Contender, { schema, dialect, instance }: Case, before?: () => void): number {
  const fresh = freshly(schema);
  before?.();
  const started = performance.now();
  contender.prepare(fresh, dialect)(instance);
  return (performance.now() - started) * 1000;
}

/** A schema that nobody has met: this project's cache does not know it. */
function freshly(schema: unknown): object {
  return { [`x-turn-${turns++}`]: true, ...(JSON.parse(JSON.stringify(schema)) as object) };
}

function emptyCaches(): void {
  for (let at = 0; at < otherMemory.length; at += 64) otherMemory[at] = ((otherMemory[at] ?? 0) + 1) & 255;
}

function blocks<T>(values: readonly T[]): T[][] {
  const count = Math.ceil(values.length / blockLength);
  return Array.from({ length: count }, (_, index) => values.slice(index * blockLength, (index + 1) * blockLength));
}

/** Microseconds of each contender's further calls: medians over the rounds, in which they take turns. */
function measure({ schema, dialect, instance }: Case): number[] {
  const warm = contenders.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [who, contender] of shuffled([...contenders.entries()])) {
      const validate = contender.prepare(freshly(schema), dialect);
      validate(instance);
      warm[who]?.push(timed(() => validate(instance)));
    }
  }
  return warm.map(median);
}

/** Who follows whom matters (what was just used is in the processor's caches), so it is left to chance. */
function shuffled<T>(values: T[]): T[] {
  for (let i = values.length - 1; i > 0; i--) {
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
    const j = Math.floor((random / 2 ** 32) * (i + 1));
    [values[i], values[j]] = [values[j] as T, values[i] as T]; // both within the array
  }
  return values;
}

function prepareOwn(schema: unknown): Validate {
  const compiled = compileSchema(schema);
  return (instance) => evaluate(compiled, instance).outcome === 'valid';
}

function prepareCfworker(schema: unknown, dialect: Dialect): Validate {
  const name = dialect === '2020-12' || dialect === '2019-09' ? dialect : dialect === 'draft-04' ? '4' : '7';
  // Its type asks for more than it needs; it takes any JSON value.
  const validator = new Validator(schema as Schema, name);
  return (instance) => validator.validate(instance).valid;
}

/** One instance per dialect, as its documentation advises. */
function prepareAjv(schema: unknown, dialect: Dialect): Validate {
  let ajv = ajvs.get(dialect);
  if (!ajv) ajvs.set(dialect, (ajv = ajvFor(dialect)));
  const validate = ajv.compile(withoutDialect(schema));
  return (instance) => validate(instance) === true;
}

/** What n8n's agents validate with once the schema went through its converter. */
function prepareZod(schema: unknown): Validate {
  // The converter's type wants its own notion of a schema; n8n hands it any as well.
  const zod = jsonSchemaToZod(schema as JsonSchema);
  return (instance) => zod.safeParse(instance).success;
}

/** Microseconds of each contender's call in the mean of all tools, called one after the other, in each round. */
function measureByTurns(): number[][] {
  const prepared = contenders.map(({ prepare }) =>
    cases.map(({ schema, dialect, instance }) => {
      const validate = prepare(JSON.parse(JSON.stringify(schema)), dialect);
      return () => validate(instance);
    }),
  );
  const times = Array.from({ length: turnsOfAll }, () => {
    const turn = contenders.map(() => NaN);
    for (const [who, calls] of shuffled([...prepared.entries()])) {
      turn[who] = once(() => calls.forEach(use)) / calls.length;
    }
    return turn;
  });
  return times.slice(turnsOfAll / 4);
}

/** Microseconds of each contender once JavaScript has compiled what it made of the schema. */
function measureHot({ schema, dialect, instance }: Case): number[] {
  const prepared = contenders.map(({ prepare }) => prepare(JSON.parse(JSON.stringify(schema)), dialect));
  for (const validate of prepared) for (let i = 0; i < hotAfter; i++) validate(instance);
  const times = prepared.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [who, validate] of shuffled([...prepared.entries()])) times[who]?.push(timed(() => validate(instance)));
  }
  return times.map(median);
}

/** Microseconds of one call, in the mean of some. */
function timed(call: () => unknown): number {
  const started = performance.now();
  for (let i = 0; i < warmRepetitions; i++) use(call);
  return ((performance.now() - started) * 1000) / warmRepetitions;
}

/** Calls, and looks at the result: one that nobody looks at need not be worked out. */
function use(call: () => unknown): void {
  if (call() === undefined) throw new Error('A call came to nothing.');
}

function printTable(): void {
  console.log(
    `${cases.length} schemas of the corpus, ${rounds} rounds, Node ${process.versions.node}. Median time, and median ratio to mcp-verbatim with quartiles.\n`,
  );
  console.log(
    '| | first calls in a row | ratio | first call, cold | ratio | further calls | ratio | by turns | ratio | hot | ratio |',
  );
  console.log('|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|');
  const kinds = [firsts.map(({ row }) => row), firsts.map(({ cold }) => cold), results, byTurns, hot];
  for (const [who, { name }] of contenders.entries()) {
    const row = kinds.flatMap((times) => [
      `${median(times.map((each) => each[who] ?? NaN)).toFixed(1)} µs`,
      spread(times.map((each) => (each[who] ?? NaN) / (each[0] ?? NaN))),
    ]);
    console.log(`| ${name} | ${row.join(' | ')} |`);
  }
}

/** What one wrong value costs, beside a call with none. */
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
      ({ compiled, wrong }) => wrong && (() => describeViolations(violationsOf(evaluate(compiled, wrong)))),
    ],
    ['repaired', ({ compiled, slip }) => slip && (() => repairArguments(compiled, slip).arguments)],
    [
      'refused by cfworker, with its errors',
      ({ schema, dialect, wrong }) => {
        const validate = prepareCfworker(schema, dialect);
        return wrong && (() => validate(wrong));
      },
    ],
  ];
  console.log('\n| one wrong value | schemas | median time | ratio to a valid call of mcp-verbatim |');
  console.log('|---|---:|---:|---:|');
  for (const [name, callOf] of rows) {
    const calls = broken.map((one) => ({ one, call: callOf(one) }));
    // As above: measured is a process that has refused, or repaired, before.
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

/** What 4,000 numbers written as text cost, in lists as servers declare them, beside the same arguments without one. */
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

/** Microseconds. */
function once(call: () => unknown): number {
  const started = performance.now();
  call();
  return (performance.now() - started) * 1000;
}

function violationsOf(evaluation: ReturnType<typeof evaluate>) {
  return evaluation.outcome === 'invalid' ? evaluation.violations : [];
}

type Arguments = Readonly<Record<string, unknown>>;

/** The arguments with the last of their values, as far as there is one that the schema minds, of another type. */
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
