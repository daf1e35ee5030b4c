import { describe, expect, test } from 'vitest';
import { equals, isObject, typeOf } from '../../../src/json/index.js';
import { compileSchema } from '../../../src/schema/compile/compile.js';
import { evaluate } from '../../../src/schema/evaluate/evaluate.js';
import type { Expectation } from '../../../src/schema/violations/expectation.js';
import { summarizedViolations } from '../../../src/schema/violations/summary.js';
import type { Violation } from '../../../src/schema/violations/violation.js';
import { fc } from '../../../test-support/fuzz.js';
import { lawRuns, sampled } from '../../../test-support/law-runs.js';
import { corpusTools } from '../../../test-support/schemas/corpus.js';
import { mutations } from '../../../test-support/schemas/mutate.js';
import { integer, string, to } from '../../../test-support/schemas/short.js';
import { synthesise } from '../../../test-support/schemas/synthesise.js';
import { corpusIsComplete, sharedFolder } from '../../../test-support/shared.js';
import { linesFor } from '../decide.js';

type Schema = Readonly<Record<string, unknown>>;

/** The violations of a rejected value; undefined if it is not rejected. */
function violationsBy(schema: unknown): (value: unknown) => Violation[] | undefined {
  const compiled = compileSchema(schema);
  return (value) => {
    const evaluation = evaluate(compiled, value, { budget: { ms: 60_000, patternMs: 60_000 } });
    return evaluation.outcome === 'invalid' ? summarizedViolations(evaluation.violations) : undefined;
  };
}

const without = (schema: Schema, names: readonly string[]) =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => !names.includes(name)));

const kindOf = (value: unknown) => typeOf(value).replace('integer', 'number');

/** True if a branch accepts values of this type, according to its own violations. */
function isForType(refusals: readonly Violation[], value: unknown): boolean {
  return !refusals.some(({ instanceLocation, expectation }) => {
    if (instanceLocation !== '') return false;
    if (expectation.kind === 'types')
      return !expectation.types.some((type) => type.replace('integer', 'number') === kindOf(value));
    if (expectation.kind === 'values') return !expectation.values.some((each) => kindOf(each) === kindOf(value));
    return expectation.kind === 'nothing' || expectation.kind === 'any';
  });
}

type Leaf = Pick<Violation, 'instanceLocation' | 'expectation'>;

/** True if the violation of a branch appears in the union's violations, in the same or in wider words. */
function isSaid({ instanceLocation, expectation: wanted }: Leaf, all: readonly Violation[]): boolean {
  if (wanted.kind === 'any') return wanted.of.some((expectation) => isSaid({ instanceLocation, expectation }, all));
  const here = all.filter((each) => each.instanceLocation === instanceLocation).map(({ expectation }) => expectation);
  return here
    .flatMap((each) => (each.kind === 'any' ? each.of : [each]))
    .some((said: Expectation) => {
      if (wanted.kind === 'missing' && said.kind === 'missing-one')
        return said.sets.flat().some(({ property }) => property === wanted.property);
      if (said.kind !== wanted.kind) return false;
      if (said.kind === 'values' && wanted.kind === 'values')
        return wanted.values.every((value) => said.values.some((each) => equals(each, value)));
      if (said.kind === 'types' && wanted.kind === 'types')
        return wanted.types.some((type) => said.types.includes(type));
      if (said.kind === 'missing' && wanted.kind === 'missing') return said.property === wanted.property;
      if (said.kind === 'unwanted' && wanted.kind === 'unwanted') return said.property === wanted.property;
      return said.kind === 'alternatives' || said.kind === 'exactly-one' || equals(said, wanted);
    });
}

/**
 * The verdict on each value of a union: accepted, right if a violation of a branch of its type is reported, wrong
 * otherwise.
 */
function verdictsOn(schema: Schema, branches: readonly unknown[], values: readonly unknown[]) {
  const around = without(schema, ['anyOf', 'oneOf']);
  const violationsOf = violationsBy(schema);
  const ofEach = branches.map((branch) => violationsBy(isObject(branch) ? { ...around, ...branch } : branch));
  return values.map((value) => {
    const all = violationsOf(value);
    if (!all) return 'accepted';
    const alone = ofEach.map((violationsOfBranch) => violationsOfBranch(value));
    if (alone.includes(undefined)) return 'accepted';
    const own = alone.flatMap((refusals) => (refusals && isForType(refusals, value) ? [refusals] : []));
    if (own.length === 0) return 'of no branch';
    return own.some((refusals) => refusals.some((each) => isSaid(each, all))) ? 'right' : 'wrong';
  });
}

const words = fc.constantFrom('all', 'auto', 'none', 'open', 'closed', 'red', 'blue');
const number = fc.integer({ min: -50, max: 50 });
const scalar: fc.Arbitrary<Schema> = fc.oneof(
  number.map((maximum) => ({ type: 'integer', maximum })),
  number.map((minimum) => ({ type: 'number', minimum })),
  fc.uniqueArray(number, { minLength: 1, maxLength: 4 }).map((values) => ({ enum: values })),
  fc.uniqueArray(words, { minLength: 1, maxLength: 4 }).map((values) => ({ enum: values })),
  fc.uniqueArray(words, { minLength: 1, maxLength: 4 }).map((values) => ({ type: 'string', enum: values })),
  fc.oneof(words, number, fc.constant(true)).map((value) => ({ const: value })),
  fc.constantFrom({ type: 'boolean' }, { type: 'null' }, { type: ['string', 'boolean'], maxLength: 2 }),
  fc.constantFrom('^[a-c]+$', '^\\d+$').map((pattern) => ({ type: 'string', pattern })),
  fc.integer({ min: 8, max: 20 }).map((minLength) => ({ type: 'string', minLength })),
  number.map((maximum) => ({ type: ['integer', 'null'], maximum })),
);
const member = fc.oneof(scalar, fc.constant(string), fc.constant(integer));
const object = fc.record({
  properties: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'id', 'name'), member, { minKeys: 1, maxKeys: 3 }),
  tag: fc.option(words, { nil: undefined }),
  closed: fc.boolean(),
});
const branch: fc.Arbitrary<Schema> = fc.oneof(
  { weight: 4, arbitrary: scalar },
  member.map((items) => ({ type: 'array', items })),
  object.map(({ properties, tag, closed }) => ({
    type: 'object',
    properties: { ...properties, ...(tag !== undefined && { kind: { const: tag } }) },
    required: tag === undefined ? Object.keys(properties).slice(0, 1) : ['kind'],
    ...(closed && { additionalProperties: false }),
  })),
);
/** Branches as they are, behind references, and within another union. */
const unions = fc.record({
  branches: fc.array(branch, { minLength: 2, maxLength: 5 }),
  form: fc.constantFrom('plain', 'oneOf', 'referred', 'nested'),
});

function unionOf({ branches, form }: { branches: readonly Schema[]; form: string }): Schema {
  const [first, ...others] = branches;
  if (form === 'nested') return { anyOf: [first, { anyOf: others }] };
  if (form !== 'referred') return { [form === 'oneOf' ? 'oneOf' : 'anyOf']: branches };
  const $defs = Object.fromEntries(branches.map((each, index) => [`d${index}`, each]));
  return { $defs, anyOf: branches.map((_, index) => ({ $ref: `#/$defs/d${index}` })) };
}

const strangers = [
  ...[500, -500, 0.5, 'everything', 'b', '', true, false, null],
  ...[[], [500, 'x'], {}, { kind: 'x', a: 1, b: 'x' }],
];

describe("the branch of the value's type", () => {
  const wrong: string[] = [];

  /** The number of values that the branch of their type rejects. */
  function right(schema: Schema, branches: readonly unknown[], values: readonly unknown[]): number {
    const verdicts = verdictsOn(schema, branches, values);
    const said = JSON.stringify(schema).slice(0, 600);
    wrong.push(
      ...values.flatMap((value, i) => (verdicts[i] === 'wrong' ? [`${said} by ${JSON.stringify(value)}`] : [])),
    );
    return verdicts.filter((verdict) => verdict === 'right').length;
  }

  test('The lines about a value in generated unions name the branch of its type, never only another', () => {
    const runs = lawRuns(500, 25);
    let count = 0;
    for (const { branches, form } of fc.sample(unions, runs)) {
      const schema = unionOf({ branches, form });
      const values = branches.flatMap((each) => mutations(synthesise(each, { optional: true }), 8));
      count += right(schema, branches, [...values, ...strangers]);
    }
    expect(wrong).toEqual([]);
    expect(count).toBeGreaterThan(10 * runs);
  });

  const folder = sharedFolder('corpus');

  test.skipIf(!folder)(
    'The lines about 3,679 values in the 234 unions of recorded servers name the branch of their type',
    () => {
      const seen = new Set<string>();
      let count = 0;
      const visit = (schema: unknown, root: Schema): void => {
        if (Array.isArray(schema)) for (const each of schema) visit(each, root);
        if (!isObject(schema)) return;
        for (const each of Object.values(schema)) visit(each, root);
        const branches = schema['anyOf'] ?? schema['oneOf'];
        if (!Array.isArray(branches) || branches.length < 2) return;
        const { $defs, definitions } = root;
        const around = { ...($defs !== undefined && { $defs }), ...(definitions !== undefined && { definitions }) };
        const own = without(schema, ['description', 'default', 'title']);
        const union = { ...around, ...own };
        const key = JSON.stringify(own);
        if (seen.has(key)) return;
        seen.add(key);
        for (const each of branches as unknown[]) {
          const made = synthesise(isObject(each) ? { ...around, ...each } : each, { optional: true });
          count += right(union, branches, [...mutations(made, 24), ...strangers]);
        }
      };
      for (const { inputSchema } of folder ? sampled(corpusTools(folder), 12) : [])
        if (isObject(inputSchema)) visit(inputSchema, inputSchema);
      expect(wrong).toEqual([]);
      if (process.env['CI'] && corpusIsComplete()) expect([count, seen.size]).toEqual([3_679, 234]);
      else expect(count).toBeGreaterThan(0);
    },
  );

  const atMost = { ...integer, maximum: 100 };
  const all = { enum: ['all'] };
  const switched = { anyOf: [{ type: 'boolean' }, { const: 'auto' }] };
  const circle = { type: 'object', properties: { kind: { const: 'circle' }, r: integer }, required: ['kind', 'r'] };
  const square = { type: 'object', properties: { kind: { const: 'square' }, a: integer }, required: ['kind', 'a'] };
  const index = { additionalProperties: { anyOf: [{ enum: [1, -1] }, { enum: ['2d', 'text'] }] } };
  const twoLists = {
    oneOf: [
      { type: ['integer', 'null'], maximum: 5 },
      { type: ['string', 'array'], minLength: 9 },
    ],
  };
  const list = (items: object) => ({ type: 'array', items });

  test.each<[schema: Schema, value: unknown, lines: string]>([
    [{ anyOf: [atMost, all] }, 500, 'must be <= 100, received integer 500'],
    [{ anyOf: [atMost, all] }, 500.5, 'must be integer, received number 500.5\nmust be <= 100, received number 500.5'],
    [{ anyOf: [atMost, all] }, 'everything', 'must be integer or "all", received string "everything"'],
    [switched, 'yes', 'must be boolean or "auto", received string "yes"'],
    [{ anyOf: [atMost, switched] }, 'yes', 'must be integer, boolean or "auto", received string "yes"'],
    [{ anyOf: [atMost, switched] }, 500, 'must be <= 100, received integer 500'],
    [{ oneOf: [to('n'), to('t')], $defs: { n: atMost, t: all } }, 500, 'must be <= 100, received integer 500'],
    [twoLists, 7, 'must be <= 5, received integer 7'],
    [twoLists, 'x', 'must be at least 9 characters long, received string "x"'],
    [index, { name: 2 }, '/name: must be one of 1, -1, received integer 2'],
    [index, { name: '3d' }, '/name: must be one of 1, -1, "2d", "text", received string "3d"'],
    [{ anyOf: [list(atMost), list(all)] }, [500], '/0: must be <= 100, received integer 500'],
    [
      { anyOf: [string, { oneOf: [circle, square] }] },
      { kind: 'line', a: 1 },
      '/kind: must be one of "circle", "square", received string "line"',
    ],
    [list(string), 'x', 'must be array of strings, received string "x"'],
    [{ anyOf: [list(string), { type: 'null' }] }, 5, 'must be array of strings or null, received integer 5'],
    [list({ enum: ['a', 'b'] }), 5, 'must be array of one of "a", "b", received integer 5'],
    [{ ...list(to('row')), $defs: { row: circle } }, 5, 'must be array of objects, received integer 5'],
    [{ format: 'email', pattern: '^a' }, 'x', 'must be a valid email matching "^a", received string "x"'],
  ])('The lines about a value name the branch of its type: %j rejects %j', (schema, value, lines) => {
    expect(linesFor(schema, value).join('\n')).toBe(lines);
  });
});
