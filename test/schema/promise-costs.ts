/*
 * The cost of evaluating, explaining, repairing and refusing, for schemas and arguments made to be expensive.
 * promise.test.ts runs this in a process whose heap is 300 MB, arguments included. Prints one line of JSON for each
 * pair.
 */
import { fits, jsonText } from '../../src/json/index.js';
import type { RepairChoice } from '../../src/repair/options.js';
import { repairArguments } from '../../src/repair/repair.js';
import { compileSchema } from '../../src/schema/compile/compile.js';
import { violationLines } from '../../src/schema/violations/describe.js';
import { InvalidArgumentsError } from '../../src/tool/index.js';
import { evaluateCounting } from '../../test-support/counted.js';
import { fc } from '../../test-support/fuzz.js';
import { lawRuns, sampled } from '../../test-support/law-runs.js';
import { unitsOf, worked } from '../../test-support/measured.js';
import { closed, integer, members, nested, object, string } from '../../test-support/schemas/short.js';
import { texts, times, to } from '../../test-support/schemas/short.js';

const name = fc.constantFrom(...['a', 'b', 'name', 'kind', 'propertx', 'a'.repeat(40), '%61', '~1/']);
const count = fc.constantFrom(0, 1, 3, 30, 300, 3000, 50_000);
const pattern = fc.constantFrom(
  ...['^a*$', '^(a+)+$', '^(?:\\w{1,9})*\\-$', '(a*)*b$', '\\b\\w?'.repeat(40), 'a?'.repeat(500), '['],
);
const text = fc.tuple(fc.constantFrom('a', 'é', 'p', 'x1', '\uD800'), count).map(([unit, many]) => unit.repeat(many));
const named = (many: number, value: unknown) => members(texts(many, 'property'), () => value);

const schemas = fc.letrec<Record<'any' | 'leaf' | 'wrapped' | 'many', unknown>>((tie) => ({
  any: fc.oneof({ maxDepth: 4 }, tie('leaf'), tie('wrapped'), tie('many')),
  leaf: fc.oneof(
    fc.constantFrom<unknown>(true, false, {}, { $ref: '#' }, to('a'), to('%61'), { $ref: '#/no' }),
    fc.constantFrom<unknown>(integer, { type: 5 }, { uniqueItems: true }, { multipleOf: 5e-324 }, { unknown: 1 }),
    fc.constantFrom({ minItems: 1e9 }, { maxProperties: 1 }, { unevaluatedProperties: false }, { format: 'regex' }),
    pattern.map((source) => ({ pattern: source })),
    pattern.map((source) => ({ propertyNames: { pattern: source }, patternProperties: { [source]: false } })),
    fc.tuple(text, count).map(([value, many]) => ({ enum: [value, ...texts(many, 'a')] })),
    count.map((many) => ({ const: [named(many, [1])] })),
    count.map((many) => ({ properties: named(many, {}), additionalProperties: false })),
    count.map((many) => ({ required: texts(many, 'property') })),
    fc.tuple(count, name).map(([many, $id]) => nested(Math.min(many, 5000), (not) => ({ $id, not }), true)),
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
      .map(([keyword, part, many]) => ({ [keyword]: times(many, () => part) })),
    fc.tuple(tie('any'), count).map(([part, many]) => ({ properties: named(many, part), $id: 'x' })),
    fc.tuple(tie('any'), tie('any')).map(([a, b]) => ({ anyOf: [a, b], $defs: { a }, unevaluatedProperties: b })),
  ),
}));

const instances = fc.letrec<Record<'any' | 'leaf' | 'many', unknown>>((tie) => ({
  any: fc.oneof({ maxDepth: 3 }, tie('leaf'), tie('many')),
  leaf: fc.oneof(
    text,
    fc.constantFrom<unknown>(1, 1.5, null, true, Infinity, 1e308),
    count.map((many) => 'a'.repeat(many * 300)),
  ),
  many: fc.oneof(
    fc.tuple(tie('any'), count).map(([item, many]) => times(many * 10, () => item)),
    count.map((many) => times(many * 10, (i) => [i])),
    fc.tuple(tie('any'), count).map(([value, many]) => named(many, value)),
    fc.tuple(tie('any'), name).map(([value, key]) => ({ [key]: value, a: value })),
    fc.tuple(tie('any'), count).map(([value, levels]) => nested(Math.min(levels, 5000), (it) => [it], value)),
  ),
}));

const rows = (length: number) => times(length, (count) => ({ name: `row number ${count}`, count }));

/** The limit of promise.test.ts: more is measured again. */
const mostUnits = 12;

function measure(schema: unknown, instance: unknown, choice: RepairChoice = 'all'): void {
  if (!fits(schema, 1_000_000) || !fits(instance, 20_000_000)) return;
  const own = worked(() => jsonText(instance));
  let steps = 0;
  const tasks = {
    evaluate: () => {
      const compiled = compileSchema(schema);
      const counted = evaluateCounting(compiled, instance);
      ({ steps } = counted);
      if (counted.evaluation.outcome === 'invalid') violationLines(counted.evaluation.violations);
      if (compiled.diagnostics.length > 101) throw new Error('too many diagnostics');
    },
    repair: () => {
      const { evaluation } = repairArguments(compileSchema(schema), instance, choice);
      if (evaluation.outcome !== 'invalid') return;
      const { message, report } = new InvalidArgumentsError({ name: 'tool', inputSchema: schema }, evaluation);
      if (message.length > 5_000 || jsonText(report).length > 500_000) throw new Error('the refusal is too long');
    },
  };
  const costs = Object.entries(tasks).map(([task, work]) => [task, unitsOf(work, own, mostUnits)] as const);
  const what = `${jsonText(schema).slice(0, 200)} of ${jsonText(instance).slice(0, 100)}`;
  for (const [task, units] of costs) console.log(JSON.stringify({ what: `${task} ${what}`, steps, units }));
}

const ones = (names: readonly string[]) => members(names, () => 1);
const near = texts(20_000, 'x'.repeat(50));
const within = (a: unknown) => ({
  anyOf: [a, object({ a }, { required: ['a'] }), { type: 'array', items: a, minItems: 1 }],
});
const alternative = (name: string) => closed(members(texts(50, name)));

// These pairs were once expensive.
const wide = named(500_000, 1);
const expensive: (() => Parameters<typeof measure>)[] = [
  () => [{ allOf: times(100, (i) => ({ const: i })) }, wide],
  () => [{ allOf: times(100, (a) => ({ const: { a } })) }, wide],
  () => [{ items: { anyOf: times(100, (i) => ({ required: [`n${i}`] })) } }, rows(200_000)],
  () => [{ allOf: times(100, () => ({ minProperties: 1e9 })) }, wide],
  () => [{ allOf: times(100, () => ({ minItems: 1e9 })) }, rows(300_000)],
  () => [{ required: texts(100, 'q') }, { arguments: jsonText({ x: times(300_000, () => 'a') }) }],
  () => [{ properties: { a: { type: 'array' } } }, { a: `['${'\\'.repeat(6_000_000)}']` }],
  // Hints for every place, shown or not, would take minutes.
  () => [closed(members(near)), ones(texts(100, 'y'.repeat(50))), 'off'],
  () => [{ additionalProperties: { enum: near } }, members(texts(100), () => 'y'.repeat(52)), 'off'],
  () => [{ required: texts(100_000) }, {}, 'off'],
  () => [{ additionalProperties: false }, ones(texts(100, 'n'.repeat(100_000))), 'off'],
  () => [{ properties: { a: nested(12, within, string) } }, { a: nested(12, (a) => ({ a: [a] }), { b: 1 }) }, 'off'],
  () => [{ items: { anyOf: texts(100, 'b').map(alternative) } }, times(200, () => ones(texts(20, 'z'))), 'off'],
];
for (const pair of sampled(expensive, 6)) measure(...pair());

// This property always holds: it keeps one pair in memory at a time, and prints none.
fc.assert(
  fc.property(schemas.any, instances.any, (schema, instance) => {
    measure(schema, instance);
  }),
  { numRuns: lawRuns(100, 5) },
);
