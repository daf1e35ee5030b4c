/**
 * Validation side by side: `npm run bench:validation [schemas] [rounds]`.
 *
 * Cold is what the first call of a tool costs: compile its schema and validate arguments. Warm is every further
 * call. All contenders take turns on the same schema within one run; a figure is the median over the schemas of each
 * schema's ratio to this project, so that it does not depend on the machine.
 */
import { type Schema, Validator } from '@cfworker/json-schema';
import { type JsonSchema, jsonSchemaToZod } from '@n8n/json-schema-to-zod';
import { compileSchema, type Dialect, evaluate } from '../src/schema/index.js';
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
const results = cases.map((one) => measure(one));
printTable();

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

/** Microseconds of each contender, cold and warm: medians over the rounds, in which they take turns. */
function measure({ schema, dialect, instance }: Case): { cold: number[]; warm: number[] } {
  const cold = contenders.map((): number[] => []);
  const warm = contenders.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [who, contender] of shuffled([...contenders.entries()])) {
      // A schema that nobody has met: this project's cache does not know it.
      const fresh = { [`x-turn-${turns++}`]: true, ...(JSON.parse(JSON.stringify(schema)) as object) };
      const started = performance.now();
      const validate = contender.prepare(fresh, dialect);
      validate(instance);
      cold[who]?.push((performance.now() - started) * 1000);
      const startedWarm = performance.now();
      for (let i = 0; i < warmRepetitions; i++) validate(instance);
      warm[who]?.push(((performance.now() - startedWarm) * 1000) / warmRepetitions);
    }
  }
  return { cold: cold.map(median), warm: warm.map(median) };
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

function printTable(): void {
  console.log(
    `${cases.length} schemas of the corpus, ${rounds} rounds, Node ${process.versions.node}. Median time and median ratio to mcp-verbatim.\n`,
  );
  console.log('| | first call (compile + validate) | ratio | further calls (validate) | ratio |');
  console.log('|---|---:|---:|---:|---:|');
  for (const [who, { name }] of contenders.entries()) {
    const row = (['cold', 'warm'] as const).flatMap((kind) => {
      const times = results.map((result) => result[kind][who] ?? NaN);
      const ratios = results.map((result) => (result[kind][who] ?? NaN) / (result[kind][0] ?? NaN));
      return [`${median(times).toFixed(1)} µs`, `${median(ratios).toFixed(2)} x`];
    });
    console.log(`| ${name} | ${row.join(' | ')} |`);
  }
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}
