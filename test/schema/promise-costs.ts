/*
 * What evaluating, explaining, repairing and refusing cost, for schemas and arguments made to be expensive: run by
 * promise.test.ts in a process whose heap is 300 MB, arguments and all. Prints one line of JSON for each pair.
 */
import { fits, jsonText } from '../../src/json/index.js';
import { evaluateCounting } from '../../src/schema/evaluate/evaluate.js';
import { repairArguments } from '../../src/repair/repair.js';
import { compileSchema } from '../../src/schema/compile/compile.js';
import { describeViolations } from '../../src/schema/violations/describe.js';
import { InvalidArgumentsError } from '../../src/tool/index.js';
import { fc } from '../../test-support/fuzz.js';
import { lawRuns } from '../../test-support/law-runs.js';

const schemaSize = 1_000_000;
const argumentSize = 20_000_000;

type Json = unknown;

const name = fc.constantFrom(...['a', 'b', 'name', 'kind', 'propertx', 'a'.repeat(40), '%61', '~1/']);
const count = fc.constantFrom(0, 1, 3, 30, 300, 3000, 50_000);
const pattern = fc.constantFrom(
  ...['^a*$', '^(a+)+$', '^(?:\\p{1,9})*\\-$', '(a*)*b$', '\\b\\w?'.repeat(40), 'a?'.repeat(500), '['],
);
const text = fc.tuple(fc.constantFrom('a', 'é', 'p', 'x1', '\uD800'), count).map(([unit, times]) => unit.repeat(times));

const manyNames = (times: number, value: Json) =>
  Object.fromEntries(Array.from({ length: times }, (_, i) => [`property${i}`, value]));

const schemas = fc.letrec<{ any: Json; leaf: Json; wrapped: Json; many: Json }>((tie) => ({
  any: fc.oneof({ maxDepth: 4 }, tie('leaf'), tie('wrapped'), tie('many')),
  leaf: fc.oneof(
    fc.constantFrom<Json>(
      true,
      false,
      {},
      { $ref: '#' },
      { $ref: '#/$defs/a' },
      { $ref: '#/$defs/%61' },
      { $ref: '#/no' },
    ),
    fc.constantFrom<Json>(
      { type: 'integer' },
      { type: 5 },
      { uniqueItems: true },
      { multipleOf: 5e-324 },
      { unknown: 1 },
    ),
    fc.constantFrom<Json>(
      { minItems: 1e9 },
      { maxProperties: 1 },
      { unevaluatedProperties: false },
      { format: 'regex' },
    ),
    pattern.map((source) => ({ pattern: source })),
    pattern.map((source) => ({ propertyNames: { pattern: source }, patternProperties: { [source]: false } })),
    fc
      .tuple(text, count)
      .map(([value, times]) => ({ enum: [value, ...Array.from({ length: times }, (_, i) => `a${i}`)] })),
    count.map((times) => ({ const: [manyNames(times, [1])] })),
    count.map((times) => ({ properties: manyNames(times, {}), additionalProperties: false })),
    count.map((times) => ({ required: Object.keys(manyNames(times, 1)) })),
    fc.tuple(count, name).map(([times, $id]) => nested(Math.min(times, 5000), (inner) => ({ $id, not: inner }))),
  ),
  wrapped: fc
    .tuple(
      fc.constantFrom('items', 'additionalProperties', 'not', 'contains', 'if', 'propertyNames', 'unevaluatedItems'),
      tie('any'),
      count,
    )
    .map(([keyword, inner, levels]) => nested(Math.min(levels, 300), (it) => ({ [keyword]: it, type: 5 }), inner)),
  many: fc.oneof(
    fc
      .tuple(fc.constantFrom('anyOf', 'oneOf', 'allOf', 'prefixItems'), tie('any'), count)
      .map(([keyword, part, times]) => ({
        [keyword]: Array.from({ length: times }, () => part),
      })),
    fc.tuple(tie('any'), count).map(([part, times]) => ({ properties: manyNames(times, part), $id: 'x' })),
    fc.tuple(tie('any'), tie('any')).map(([a, b]) => ({ anyOf: [a, b], $defs: { a }, unevaluatedProperties: b })),
  ),
}));

const instances = fc.letrec<{ any: Json; leaf: Json; many: Json }>((tie) => ({
  any: fc.oneof({ maxDepth: 3 }, tie('leaf'), tie('many')),
  leaf: fc.oneof(
    text,
    fc.constantFrom<Json>(1, 1.5, null, true, Infinity, 1e308),
    count.map((n) => 'a'.repeat(n * 300)),
  ),
  many: fc.oneof(
    fc.tuple(tie('any'), count).map(([item, times]) => Array.from({ length: times * 10 }, () => item)),
    count.map((times) => Array.from({ length: times * 10 }, (_, i) => [i])),
    fc.tuple(tie('any'), count).map(([value, times]) => manyNames(times, value)),
    fc.tuple(tie('any'), name).map(([value, key]) => ({ [key]: value, a: value })),
    fc.tuple(tie('any'), count).map(([value, levels]) => nested(Math.min(levels, 5000), (it) => [it], value)),
  ),
}));

function nested(levels: number, wrap: (inner: Json) => Json, innermost: Json = true): Json {
  let value = innermost;
  for (let i = 0; i < levels; i++) value = wrap(value);
  return value;
}

/** Milliseconds that this process worked, its garbage collection included. */
function worked(task: () => void): number {
  const before = process.cpuUsage();
  task();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const rows = (length: number) => Array.from({ length }, (_, i) => ({ name: `row number ${i}`, count: i }));
const unit = Math.min(...[1, 2, 3].map(() => worked(() => JSON.stringify(rows(500_000)))));

function measure(schema: Json, instance: Json): void {
  if (!fits(schema, schemaSize) || !fits(instance, argumentSize)) return;
  const own = worked(() => jsonText(instance));
  let steps = 0;
  const tasks = {
    evaluate: () => {
      const compiled = compileSchema(schema);
      const counted = evaluateCounting(compiled, instance);
      ({ steps } = counted);
      if (counted.evaluation.outcome === 'invalid') describeViolations(counted.evaluation.violations);
      if (compiled.diagnostics.length > 101) throw new Error('too many diagnostics');
    },
    repair: () => {
      const { evaluation } = repairArguments(compileSchema(schema), instance, 'all');
      if (evaluation.outcome === 'invalid') new InvalidArgumentsError({ name: 'tool' }, evaluation);
    },
  };
  for (const [task, work] of Object.entries(tasks)) {
    const cost = worked(work);
    const what = `${task} ${jsonText(schema).slice(0, 200)} of ${jsonText(instance).slice(0, 100)}`;
    console.log(JSON.stringify({ what, steps, units: cost / (unit + own) }));
  }
}

// What was found to be expensive once.
const wide = manyNames(500_000, 1);
measure({ allOf: Array.from({ length: 100 }, (_, i) => ({ const: { a: i } })) }, wide);
measure({ allOf: Array.from({ length: 100 }, (_, i) => ({ const: i })) }, wide);
measure({ allOf: Array.from({ length: 100 }, () => ({ minProperties: 1e9 })) }, wide);
measure({ allOf: Array.from({ length: 100 }, () => ({ minItems: 1e9 })) }, rows(300_000));
measure({ items: { anyOf: Array.from({ length: 100 }, (_, i) => ({ required: [`n${i}`] })) } }, rows(200_000));

// A property that always holds: one pair is held at a time, and none is written out.
fc.assert(
  fc.property(schemas.any, instances.any, (schema, instance) => {
    measure(schema, instance);
  }),
  { numRuns: lawRuns(400) },
);
