import { expect, test } from 'vitest';
import { jsonPointer, pointerTokens, isWithin } from '../../src/json/index.js';
import { placeAfter } from '../../src/repair/apply.js';
import { repairArguments } from '../../src/repair/index.js';
import { compileSchema, summarizedViolations, type Violation } from '../../src/schema/index.js';
import { fc } from '../../test-support/fuzz.js';
import { lawRuns } from '../../test-support/law-runs.js';
import { calls, type Schema, schemas } from './generated.js';

const placeOf = ({ instanceLocation, property }: Violation) =>
  jsonPointer([...pointerTokens(instanceLocation), ...(property === undefined ? [] : [property])]);

const withoutReading = (message: string) => message.replace(/ \(read as .*\)$/, '');

/** Three arguments in one call, and sometimes a demand on all of them. */
const manyAtOnce = fc
  .tuple(
    fc.tuple(calls, calls, calls),
    fc.option(schemas, { nil: undefined }),
    fc.constantFrom('allOf', 'anyOf', 'oneOf'),
  )
  .map(([members, more, keyword]): readonly [Schema, unknown] => {
    const names = ['a', 'b', 'c'];
    const properties = Object.fromEntries(members.map(([schema], at) => [names[at], schema]));
    const $defs = (members[0][0] as { $defs: unknown }).$defs;
    const schema = {
      $defs,
      properties,
      ...(more !== undefined && { [keyword]: [more, { properties, required: names }] }),
    };
    return [schema, Object.fromEntries(members.map(([, value], at) => [names[at], value]))];
  });

/** Steps alone decide, so a machine that stalls changes nothing. */
const patient = { budget: { ms: 60_000, patternMs: 60_000 } };

test('A refusal has the same words with and without repairs for every argument that is not repaired', () => {
  const differences: string[] = [];
  let kept = 0;
  let places = 0;
  for (const [schema, args] of fc.sample(fc.oneof(calls, manyAtOnce, manyAtOnce), lawRuns(1_500))) {
    const compiled = compileSchema(schema);
    const off = repairArguments(compiled, args, 'off', patient).evaluation;
    const on = repairArguments(compiled, args, 'safe', patient);
    if (off.outcome !== 'invalid' || on.evaluation.outcome !== 'invalid') continue;
    if (on.repairs.length > 0) kept++;
    const isRepaired = (place: string) =>
      on.repairs.some((repair) => isWithin(place, repair.instanceLocation) || isWithin(place, placeAfter(repair)));
    const holdsRepaired = (place: string) => on.repairs.some((repair) => isWithin(repair.instanceLocation, place));
    const asSent = summarizedViolations(off.violations);
    const said = summarizedViolations(on.evaluation.violations);
    const [before, after] = [asSent, said].map((all) => new Set(all.map(({ message }) => withoutReading(message))));
    const show = (text: string) =>
      differences.push(
        `${text}\n  ${JSON.stringify(schema)}\n  ${JSON.stringify(args)}\n  ${JSON.stringify(on.repairs)}`,
      );
    for (const each of said.filter((one) => !isRepaired(placeOf(one)))) {
      places++;
      if (!before!.has(withoutReading(each.message))) show(`only with: ${each.message}`);
    }
    for (const each of asSent.filter((one) => !isRepaired(placeOf(one)) && !holdsRepaired(one.instanceLocation)))
      if (!after!.has(each.message)) show(`only without: ${each.message}`);
  }
  expect(differences.slice(0, 6)).toEqual([]);
  expect([kept, places].map((each) => each > lawRuns(1_500) / 10)).toEqual([true, true]);
});

test('An alternative that still fails is reported, even if its only line is about a repaired value', () => {
  const text = { properties: { b: { type: 'string' }, c: { enum: ['1', 2] } } };
  const flags = { type: 'array', contains: { type: 'boolean' }, minContains: 2 };
  const list = { properties: { b: { type: ['integer', 'array'] }, c: flags } };
  const both = { properties: { a: { type: 'integer' }, c: { type: 'integer' } } };
  const compiled = compileSchema({ allOf: [{ anyOf: [text, list] }, both] });
  const { evaluation, repairs } = repairArguments(compiled, { a: ['1'], b: [1], c: '2' });
  expect(repairs).toHaveLength(1);
  const lines = evaluation.outcome === 'invalid' ? evaluation.violations.map(({ message }) => message) : [];
  expect(lines).toContain('/c: must be array, received string "2"');
});
