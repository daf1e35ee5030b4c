import { describe, expect, test } from 'vitest';
import { isList, isObject, type JsonObject, typeOf, valueAt, walkSchemas } from '../../src/json/index.js';
import { repairArguments } from '../../src/repair/repair.js';
import { compileSchema } from '../../src/schema/compile/compile.js';
import { evaluate } from '../../src/schema/evaluate/evaluate.js';
import { corpusTools } from '../../test-support/schemas/corpus.js';
import { fc } from '../../test-support/fuzz.js';
import { lawRuns } from '../../test-support/law-runs.js';
import { corpusIsComplete, sharedFolder } from '../../test-support/shared.js';
import { countSlips } from '../../test-support/schemas/slips.js';
import { countStyles } from '../../test-support/schemas/styles.js';
import { synthesise } from '../../test-support/schemas/synthesise.js';

/** Values of every JSON type that a model may send on purpose. */
const meant: readonly unknown[] = [
  ...['', 'HIGH', 'high', '500', '0', '-1', '1.5', 'true', 'null', 'None', '[]', '["a"]', '{"a":1}', 'a,b', '1, 2'],
  ...['now', '2024-02-30', 'x'.repeat(300), 0, 1, 500, -1, 1e9, 1.5, 2.25, true, false, null],
  ...[[], ['HIGH'], ['a', 'b'], [1], [500, 'x'], [null], {}, { a: 1 }, { id: '5', name: 'x' }, { type: 'other' }],
];

/** The types of JSON; integer and number are one. */
const allSorts = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const;
type Sort = (typeof allSorts)[number];

function sortOf(value: unknown): Sort {
  const type = typeOf(value);
  return type === 'integer' ? 'number' : type;
}

/** The JSON types that a schema may accept, read from its text alone, without the engine. */
function sortsOf(schema: unknown, root: unknown, depth = 0): ReadonlySet<Sort> {
  if (schema === false) return new Set();
  if (!isObject(schema) || depth > 8) return new Set(allSorts);
  const { type, enum: values, const: constant, $ref, allOf, anyOf, oneOf, nullable } = schema;
  let sorts = new Set<Sort>(allSorts);
  const restrict = (others: Iterable<Sort>) => (sorts = new Set([...others].filter((each) => sorts.has(each))));
  if (typeof type === 'string' || isList(type)) {
    const named = [type].flat().map((name) => (name === 'integer' ? 'number' : name)) as Sort[];
    restrict(nullable === true ? [...named, 'null'] : named);
  }
  if (isList(values)) restrict(values.map(sortOf));
  if (constant !== undefined) restrict([sortOf(constant)]);
  if (typeof $ref === 'string' && $ref.startsWith('#'))
    restrict(sortsOf(valueAt(root, $ref.slice(1)), root, depth + 1));
  for (const part of isList(allOf) ? allOf : []) restrict(sortsOf(part, root, depth + 1));
  for (const parts of [anyOf, oneOf])
    if (isList(parts)) restrict(parts.flatMap((part) => [...sortsOf(part, root, depth + 1)]));
  return sorts;
}

/** Repairs each value as the one argument of a schema. */
function outcomesFor(schema: unknown, root: unknown) {
  const { $defs, definitions, $schema, components } = isObject(root) ? root : {};
  const whole = { $schema, $defs, definitions, components, type: 'object', properties: { value: schema } };
  const compiled = compileSchema(Object.fromEntries(Object.entries(whole).filter(([, each]) => each !== undefined)));
  return (value: unknown) => repairArguments(compiled, { value });
}

/** The number of values of an allowed type that a schema rejects. None of them may be changed into another type. */
function refusedBy(schema: unknown, root: unknown, where = ''): number {
  const sorts = sortsOf(schema, root);
  const outcomeOf = outcomesFor(schema, root);
  let refused = 0;
  for (const value of meant) {
    if (!sorts.has(sortOf(value))) continue;
    const { arguments: repaired, evaluation, repairs } = outcomeOf(value);
    if (evaluation.outcome === 'valid' && repairs.length === 0) continue;
    refused++;
    const after = isObject(repaired) ? repaired['value'] : undefined;
    if (after === undefined || sortOf(after) !== sortOf(value))
      expect.fail(`${where}: ${JSON.stringify([value, after])} in ${JSON.stringify(schema)}`);
  }
  return refused;
}

describe('values of an allowed type', () => {
  const leaf = fc.constantFrom<JsonObject>(
    { type: 'string', maxLength: 2 },
    { type: 'string', pattern: '^[a-z]{9}$' },
    { enum: ['all', 'none'] },
    { const: 'auto' },
    { enum: ['1', 2, true] },
    { type: 'integer', minimum: 1000 },
    { type: 'integer', maximum: 100 },
    { type: 'number', exclusiveMaximum: 0 },
    { type: 'boolean', const: true },
    { type: ['integer', 'null'], maximum: 3 },
    { type: 'integer', nullable: true, minimum: 7 },
    { type: 'array', items: { type: 'string' }, minItems: 3 },
    { type: 'array', items: { type: 'integer' } },
    { type: 'array', items: { enum: ['HIGH', 'LOW'] } },
    { type: 'object', required: ['id', 'other'] },
    { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false },
    { type: 'null' },
    { $ref: '#/$defs/text' },
    { $ref: '#/$defs/union' },
  );
  const lists = { type: 'array', items: { type: 'string' } };
  const $defs = { text: { type: 'string', maxLength: 1 }, union: { anyOf: [{ type: 'integer', maximum: 5 }, lists] } };
  const { schema: unions } = fc.letrec<{ schema: JsonObject }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3, depthSize: 'small', withCrossShrink: true },
      { weight: 3, arbitrary: leaf },
      {
        weight: 4,
        arbitrary: fc
          .tuple(fc.constantFrom('anyOf', 'oneOf'), fc.array(tie('schema'), { minLength: 2, maxLength: 3 }))
          .map(([keyword, branches]): JsonObject => ({ [keyword]: branches })),
      },
      { weight: 1, arbitrary: fc.tuple(tie('schema'), leaf).map((allOf): JsonObject => ({ allOf })) },
      { weight: 1, arbitrary: tie('schema').map((part): JsonObject => ({ allOf: [{ title: 'x' }, part] })) },
    ),
  }));

  test('A value of an allowed type is never converted in generated unions', () => {
    let refused = 0;
    const numRuns = lawRuns(800);
    fc.assert(
      fc.property(unions, (schema) => void (refused += refusedBy(schema, { $defs }))),
      { numRuns },
    );
    expect(refused).toBeGreaterThan(6 * numRuns);
  });

  test.each<[schema: JsonObject, value: unknown]>([
    [{ anyOf: [{ type: 'integer', maximum: 100 }, { type: 'string' }] }, 500],
    [{ anyOf: [{ type: 'integer', maximum: 100 }, { enum: ['all'] }] }, 500],
    [{ anyOf: [{ enum: ['HIGH', 'LOW'] }, { type: 'array', items: { enum: ['HIGH'] }, maxItems: 0 }] }, ['HIGH']],
    [{ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' }, minItems: 1 }] }, []],
    [{ type: ['integer', 'string'], minimum: 1 }, 0],
    [{ anyOf: [{ type: 'boolean' }, { const: 'auto' }] }, 'true'],
  ])('The schema %j leaves %j of an allowed type unchanged', (schema, value) => {
    const { arguments: repaired, repairs } = outcomesFor(schema, {})(value);
    expect([repaired, repairs]).toEqual([{ value }, []]);
  });

  test('A value of an allowed type is not converted after another repair has found it under another name, in a string or in a wrapper', () => {
    const branch = (value: JsonObject) => ({ type: 'object', properties: { p_q: value }, required: ['p_q'] });
    const anyOf = [branch({ type: 'integer' }), branch({ type: 'string', maxLength: 2 })];
    const closed = anyOf.map((each) => ({ ...each, additionalProperties: false }));
    const holder = { type: 'object', properties: { o: { anyOf } } };
    const lists = ['integer', 'string'].map((type) => ({ type: 'array', items: { type, maxLength: 2 } }));
    for (const [schema, args] of [
      [{ anyOf }, { p_q: '500' }],
      [{ anyOf }, { pQ: '500' }],
      [{ anyOf: closed }, { pQ: '500' }],
      [{ anyOf }, { arguments: { p_q: '500' } }],
      [holder, { o: { pQ: '500' } }],
      [holder, { o: '{"p_q":"500"}' }],
      [{ properties: { o: { anyOf: lists } } }, { o: '["500"]' }],
    ] as const)
      expect(repairArguments(compileSchema(schema), args).arguments).toBe(args);
  });

  test('A value that all branches would convert is converted, also under a misspelled name', () => {
    const branch = (name: string) => ({
      properties: { max_results: { type: 'integer' }, [name]: { type: 'string' } },
      required: ['max_results'],
      additionalProperties: false,
    });
    const compiled = compileSchema({ type: 'object', anyOf: [branch('x'), branch('y')] });
    for (const name of ['max_results', 'maxResults'])
      expect(repairArguments(compiled, { [name]: '5' }).arguments).toEqual({ max_results: 5 });
  });

  test('A value in a generated union of objects is not converted if another branch accepts its type and can be satisfied', () => {
    const types = ['string', 'integer', 'boolean', 'number'].map((type): JsonObject => ({ type }));
    const member = fc.constantFrom<JsonObject>(...types, { enum: ['on', 'off'] }, { type: 'integer', minimum: 5 });
    const names = ['a', 'b', 'c'];
    const branch = fc
      .tuple(member, member, member)
      .map((all) => Object.fromEntries(all.map((each, i) => [names[i]!, each])));
    const branchOf = (a: string, b: string) => ({ a: { type: a }, b: { type: b }, c: { type: 'string' } });
    const text = fc.constantFrom<unknown>('1', '7', 'true', 'on', 'ON', 'x', 7, 1, true, 0.5);
    const seen = { repaired: 0, left: 0 };
    const outcome = (schema: JsonObject, args: JsonObject) => repairArguments(compileSchema(schema), args, 'safe');
    fc.assert(
      fc.property(fc.array(branch, { minLength: 2, maxLength: 3 }), fc.tuple(text, text, text), (branches, values) => {
        const args = Object.fromEntries(values.map((value, i) => [names[i]!, value]));
        const schema = { anyOf: branches.map((properties) => ({ type: 'object', properties, required: names })) };
        const { arguments: repaired, repairs } = outcome(schema, args);
        seen[repairs.length > 0 ? 'repaired' : 'left']++;
        for (const name of names) {
          const sent = sortOf(args[name]);
          if (!isObject(repaired) || sortOf(repaired[name]) === sent) continue;
          const takers = branches.filter((properties) => {
            const { [name]: own, ...others } = properties;
            return sortsOf(own!, {}).has(sent) && outcome({ properties: others }, args).evaluation.outcome === 'valid';
          });
          expect(takers, JSON.stringify([branches, args, repaired])).toEqual([]);
        }
      }),
      {
        numRuns: lawRuns(3_000),
        examples: [
          [
            [branchOf('string', 'boolean'), branchOf('integer', 'string')],
            ['7', 'true', 'x'],
          ],
        ],
      },
    );
    expect(seen.repaired).toBeGreaterThan(lawRuns(3_000) / 50);
  });

  test('A value of an allowed type is not converted if the union is around its object', () => {
    const branch = (value: JsonObject) => ({ type: 'object', properties: { value }, required: ['value'] });
    const union = [branch({ type: 'integer', maximum: 100 }), branch({ type: 'string', minLength: 9 })];
    for (const keyword of ['anyOf', 'oneOf'])
      for (const value of [500, 'x', '50']) {
        const args = { value };
        expect(repairArguments(compileSchema({ [keyword]: union }), args, 'all').arguments).toBe(args);
      }
  });

  test.each([
    ['a number', 1.5, { type: 'number', maximum: 1 }, { type: 'string' }],
    ['a list', [5], { type: 'array', minItems: 2 }, { type: 'integer' }],
    ['a number for a boolean', 1, { type: 'integer', minimum: 5 }, { type: 'boolean' }],
  ])('A value of an allowed type is not converted with all repairs: %s', (_, value, ...anyOf) => {
    const args = { value };
    const compiled = compileSchema({ properties: { value: { anyOf } } });
    expect(repairArguments(compiled, args, 'all').arguments).toBe(args);
  });
});

const corpus = sharedFolder('corpus');

/** The tools of the recorded servers: this many in CI, a hundred at hand. */
function tools(inCi = 4_000) {
  const all = corpusTools(corpus ?? '');
  const step = Math.ceil(all.length / lawRuns(inCi, 100));
  return all.filter((_, index) => index % step === 0);
}

describe.skipIf(corpus === undefined)('the tools of recorded servers', () => {
  // `npm run bench:slips` counts all tools.
  test('Every malformed value at every place of recorded calls is repaired to its meaning or not at all', () => {
    const { counts, others } = countSlips(tools(150).map(({ inputSchema }) => inputSchema));
    expect(others).toEqual([]);
    if (!corpusIsComplete()) return;
    for (const [kind, { meant }] of Object.entries(counts)) {
      // Synthesised numbers are whole, and a list may not take the same value twice.
      if (!['numbers', 'split'].includes(kind)) expect(meant, kind).toBeGreaterThan(3);
    }
  });

  test('Whole calls in the styles of models, also in two at once, are repaired to their meaning', () => {
    const { counts, others } = countStyles(tools(150).map(({ inputSchema }) => inputSchema));
    expect(others).toEqual([]);
    for (const [style, { all }] of Object.entries(counts)) expect(all?.meant, style).toBeGreaterThan(0);
    // Patterns of the values must not matter.
    expect(counts['objects and lists as JSON text']).toMatchObject({ safe: { refused: 0 }, all: { refused: 0 } });
  });

  test('A value of an allowed type is never converted in unions of recorded tools', () => {
    const all = tools();
    let refused = 0;
    const seen = new Set<string>();
    for (const { server, name, inputSchema } of all) {
      for (const { schema } of walkSchemas(inputSchema)) {
        const text = JSON.stringify(schema);
        const { size } = sortsOf(schema, inputSchema);
        // A schema that accepts some types and not all is a union, in any notation.
        if (size < 2 || size === allSorts.length || seen.has(text) || text.length > 20_000) continue;
        seen.add(text);
        refused += refusedBy(schema, inputSchema, `${server} ${name}`);
      }
    }
    expect(refused).toBeGreaterThan(all.length / 3);
  });

  test('A null is never dropped from a call of a tool that changes something', () => {
    const verbs =
      /update|(?<!cr)edit|patch|(?:^|[^a-z])set(?:[^a-z]|$)|modify|change|clear|reset|unset|assign|move|replace|upsert/i;
    const counts = { dropped: [] as string[], refused: 0, elsewhere: 0 };
    const all = tools();
    for (const tool of all) {
      const { server, name, inputSchema } = tool;
      const changes = verbs.test(name) && !(isObject(tool.annotations) && tool.annotations['readOnlyHint'] === true);
      const compiled = compileSchema(inputSchema);
      const args = synthesise(inputSchema, { optional: true });
      if (!isObject(args) || evaluate(compiled, args).outcome !== 'valid') continue;
      for (const member of Object.keys(args)) {
        const sent = { ...args, [member]: null };
        if (evaluate(compiled, sent).outcome === 'valid') continue;
        const { repairs } = repairArguments(compiled, sent, 'safe', { tool });
        const isDropped = repairs.some(({ to }) => to === undefined);
        if (!changes) counts.elsewhere += Number(isDropped);
        else if (isDropped) counts.dropped.push(`${server} ${name} ${member}`);
        else counts.refused++;
      }
    }
    expect(counts.dropped).toEqual([]);
    expect(counts.refused).toBeGreaterThan(all.length / 6);
    expect(counts.elsewhere).toBeGreaterThan(all.length / 3);
  });

  test('A string that mentions an allowed value, or is that of another value, is not repaired to it', () => {
    const folded = (text: string) => text.toLowerCase().replaceAll(/[\s_-]/g, '');
    const swapped = (letter: string) => (letter > 'Z' ? letter.toUpperCase() : letter.toLowerCase());
    const all = tools();
    let attacks = 0;
    for (const { server, name, inputSchema } of all) {
      for (const { schema } of walkSchemas(inputSchema)) {
        const listed = isList(schema['enum']) ? schema['enum'].filter((each) => typeof each === 'string') : [];
        const phrases = listed
          .slice(0, 5)
          .flatMap((each) => [`refrain from ${each}`, `not ${each}`, `${each}-like`, `no ${each} please`]);
        const letters = listed.filter((each) => /^[A-Za-z]$/.test(each)).map(swapped);
        const numbers = schema['type'] === 'integer' ? ['10.00', '5.0', '1e3'] : [];
        const booleans = schema['type'] === 'string' && listed.length === 0 ? [true, false] : [];
        const none = listed.some((each) => /^(?:off|never|none)$/i.test(each)) ? ['None', null] : [];
        const outcomeOf = outcomesFor(schema, inputSchema);
        for (const value of [...phrases, ...letters, ...numbers, ...booleans, ...none]) {
          // Another case or other separators are another spelling of the value.
          if (listed.some((each) => !/^.$/.test(each) && folded(each) === folded(String(value)))) continue;
          const { arguments: repaired, repairs } = outcomeOf(value);
          attacks++;
          if (repairs.length > 0) expect.fail(`${server} ${name}: ${JSON.stringify([value, repaired])}`);
        }
      }
    }
    expect(attacks).toBeGreaterThan(2 * all.length);
  });
});
