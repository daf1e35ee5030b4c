import { afterAll, describe, expect, test } from 'vitest';
import { fits, jsonText } from '../../src/json/index.js';
import { evaluateCounting } from '../../src/schema/evaluate/evaluate.js';
import { compileSchema, describeViolations } from '../../src/schema/index.js';
import { fc } from '../../test-support/fuzz.js';

/*
 * For any schema up to 1 MB and any arguments up to 20 MB: an answer within a second and 300 MB. What counts is the
 * time that this process works, against what JSON.stringify works on 20 MB, so that neither a slow machine nor a busy
 * one makes the test fail.
 */
const schemaSize = 1_000_000;
const argumentSize = 20_000_000;

/** On a machine where JSON.stringify takes 0.05 to 0.1 s for 20 MB. */
const textsOf20MB = 15;
const memory = 300_000_000;

/** Steps of deciding and explaining together: see explainingSteps. */
const steps = 2 * 500_000;

type Json = unknown;

const name = fc.constantFrom(
  'a',
  'b',
  'name',
  'kind',
  'propertx',
  'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
  '%61',
  '~1/',
);
const count = fc.constantFrom(0, 1, 3, 30, 300, 3000, 50_000);
const pattern = fc.constantFrom(
  '^a*$',
  '^(a+)+$',
  '^(?:\\p{1,9})*\\-$',
  '(a*)*b$',
  '\\b\\w?'.repeat(40),
  'a?'.repeat(500),
  '[',
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

describe('The promise', () => {
  const rows = Array.from({ length: 500_000 }, (_, i) => ({ name: `row number ${i}`, count: i }));
  const unit = Math.min(...[1, 2, 3].map(() => worked(() => JSON.stringify(rows))));
  const worst: string[] = [];

  afterAll(() => {
    if (process.env['SHOW_COSTS']) console.log(worst.sort().reverse().slice(0, 10).join('\n'));
  });

  // No property of fast-check's: it writes out what fails, which is as large as what it fails for.
  test('holds for schemas and arguments made to break it', { timeout: 300_000 }, () => {
    const drawn = fc.sample(fc.tuple(schemas.any, instances.any), 400);
    const affordable = drawn.filter(([schema, instance]) => fits(schema, schemaSize) && fits(instance, argumentSize));
    expect(affordable.length).toBeGreaterThan(200);
    for (const [schema, instance] of affordable) {
      const heap = process.memoryUsage().heapUsed;
      const compiled = compileSchema(schema);
      let taken = 0;
      const cost = worked(() => {
        const counted = evaluateCounting(compiled, instance);
        taken = counted.steps;
        if (counted.evaluation.outcome === 'invalid') describeViolations(counted.evaluation.violations);
        expect(compiled.diagnostics.length).toBeLessThanOrEqual(101);
      });
      const units = cost / unit;
      const what = `${jsonText(schema).slice(0, 200)} of ${jsonText(instance).slice(0, 100)}`;
      worst.push(`${units.toFixed(1).padStart(6)} ${taken} ${what}`);
      expect(taken, what).toBeLessThanOrEqual(steps);
      expect(units, what).toBeLessThan(textsOf20MB);
      expect(process.memoryUsage().heapUsed - heap, what).toBeLessThan(memory);
    }
  });
});
