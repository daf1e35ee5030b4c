import { describe, expect, test } from 'vitest';
import { toolTypes } from '../../src/projections/index.js';
import { compileSchema, evaluate } from '../../src/schema/index.js';
import { refusedLines } from '../../test-support/compiled.js';
import { closed as closedObject, integer, object, string as text, to } from '../../test-support/schemas/short.js';

const array = { type: 'array' };
const one = (a: unknown) => ({ properties: { a } });
/** A closed object, all of whose properties are required, or those that are named. */
const closed = (properties: object, required = Object.keys(properties)) => closedObject(properties, { required });
const node = closed({ label: text, next: to('node') }, ['label']);

/** Hard schemas, with calls that they accept, and calls that both they and the compiler reject. */
const cases: Record<string, readonly [schema: object, accepted: readonly object[], refused: readonly object[]]> = {
  'a required member': [{ properties: { a: text }, required: ['a'] }, [{ a: 'x', b: 1 }], [{}, { a: 1 }]],
  'a closed object': [closed({ a: text }, []), [{}, { a: 'x' }], [{ b: 1 }]],
  'a closed object without properties': [closed({}), [{}], [{ a: 1 }]],
  'an enum': [
    one({ enum: ['x', 1, null, { b: [true] }] }),
    [{ a: { b: [true] } }, { a: null }],
    [{ a: 'y' }, { a: { b: [1] } }],
  ],
  'an enum that the type narrows': [one({ type: 'string', enum: ['x', null] }), [{ a: 'x' }], [{ a: null }]],
  'a constant': [one({ const: 'x' }), [{ a: 'x' }], [{ a: 'y' }]],
  'several types': [one({ type: ['integer', 'null'] }), [{ a: 1 }, { a: null }], [{ a: 'x' }]],
  nullable: [one({ type: 'string', nullable: true }), [{ a: null }], [{ a: 1 }]],
  'a recursive definition': [
    { properties: { a: to('node') }, $defs: { node } },
    [{ a: { label: 'x', next: { label: 'y' } } }],
    [{ a: { label: 'x', next: { label: 1 } } }, { a: { label: 'x', more: 1 } }],
  ],
  'the schema within itself': [
    { ...closed({ a: text, b: { $ref: '#' } }, ['a']) },
    [{ a: 'x', b: { a: 'y' } }],
    [{ a: 'x', b: {} }],
  ],
  'a reference that leads nowhere': [{ properties: { a: to('gone'), b: text } }, [], [{ a: 1, b: 1 }]],
  'a definition that is itself': [{ properties: { a: to('a'), b: text }, $defs: { a: to('a') } }, [], [{ b: 1 }]],
  'definitions that are alternatives of each other': [
    {
      ...one(to('a')),
      $defs: { a: { anyOf: [to('b'), text] }, b: { anyOf: [integer, to('c')] }, c: { type: 'boolean' } },
    },
    [{ a: 1 }, { a: 'x' }, { a: true }],
    [{ a: [] }],
  ],
  'alternatives beside common properties': [
    {
      type: 'object',
      properties: { a: text },
      required: ['a'],
      anyOf: Object.entries({ b: text, c: integer }).map(([name, of]) => ({
        properties: { [name]: of },
        required: [name],
      })),
    },
    [
      { a: 'x', b: 'y' },
      { a: 'x', c: 1 },
    ],
    [{ b: 'y' }, { a: 'x' }, { a: 'x', b: 1 }],
  ],
  'closed alternatives': [
    { properties: { by: { anyOf: [closed({ id: integer }), closed({ name: text })] } } },
    [{ by: { id: 1 } }, { by: { name: 'x' } }],
    [{ by: { id: 1, name: 'x' } }, { by: {} }],
  ],
  'closed alternatives by reference, one within the other': [
    {
      properties: { a: { oneOf: [to('x'), to('y')] } },
      $defs: { x: closed({ x: text, inner: { oneOf: [to('x'), to('y')] } }, ['x']), y: closed({ y: text }) },
    },
    [{ a: { x: 'x', inner: { y: 'y' } } }],
    [{ a: { x: 'x', y: 'y' } }, { a: { x: 'x', inner: { x: 'x', y: 'y' } } }],
  ],
  'exactly one of two properties': [
    { properties: { a: text, b: text }, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    [{ a: 'x' }, { b: 'x' }],
    [{}, { a: 'x', b: 'y' }],
  ],
  'a property that must not be there': [
    { properties: { a: text }, not: { required: ['b'] } },
    [{ a: 'x' }],
    [{ b: 1 }],
  ],
  'parts of a whole': [
    {
      allOf: [{ properties: { a: text }, required: ['a'] }, { $ref: '#/definitions/b' }],
      definitions: { b: { properties: { b: integer }, required: ['b'] } },
    },
    [{ a: 'x', b: 1 }],
    [{ a: 'x' }, { a: 'x', b: 'y' }],
  ],
  'a whole that is closed': [
    { allOf: [one(text)], properties: { b: text }, unevaluatedProperties: false },
    [{ a: 'x', b: 'y' }],
    [{ c: 1 }],
  ],
  'a condition': [
    { properties: { a: text }, if: { properties: { a: { const: 'x' } }, required: ['a'] }, then: { required: ['b'] } },
    [{ a: 'x', b: 1 }, { a: 'y' }, {}],
    [{ a: 1 }],
  ],
  'a map': [one({ type: 'object', additionalProperties: integer }), [{ a: { x: 1 } }], [{ a: { x: 'y' } }]],
  'a map with a known member': [
    one({ type: 'object', properties: { b: text }, additionalProperties: integer }),
    [{ a: { b: 'x', c: 1 } }],
    [{ a: { c: [] } }, { a: { b: 1 } }],
  ],
  'properties by their pattern': [
    one({ type: 'object', patternProperties: { '^x': integer }, additionalProperties: false }),
    [{ a: { x1: 1 } }],
    [{ a: { x1: 'y' } }],
  ],
  'a list': [
    one({ ...array, items: closed({ b: text }) }),
    [{ a: [] }, { a: [{ b: 'x' }] }],
    [{ a: ['x'] }, { a: [{ b: 'x', c: 1 }] }, { a: {} }],
  ],
  'a list in order': [
    one({ ...array, prefixItems: [text, integer] }),
    [{ a: [] }, { a: ['x'] }, { a: ['x', 1, true] }],
    [{ a: [1] }],
  ],
  'a list in order, in draft-07': [
    { $schema: 'http://json-schema.org/draft-07/schema#', properties: { a: { ...array, items: [text, integer] } } },
    [{ a: ['x', 1] }],
    [{ a: [1] }],
  ],
  'a keyword that the dialect does not know': [
    { $schema: 'http://json-schema.org/draft-07/schema#', properties: { a: { ...array, prefixItems: [text] } } },
    [{ a: [1] }],
    [{ a: 1 }],
  ],
  'keywords beside a reference that hides them': [
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      properties: { a: { $ref: '#/definitions/a', type: 'string' } },
      definitions: { a: integer },
    },
    [{ a: 1 }],
    [{ a: 'x' }],
  ],
  'a schema with an identifier of its own': [
    {
      properties: { a: { $id: 'https://example.com/a', properties: { b: to('b') }, $defs: { b: text } } },
      $defs: { b: integer },
    },
    [{ a: { b: 'x' } }],
    [],
  ],
  'a schema without types': [one({ properties: { b: text } }), [{ a: 1 }, { a: { b: 'x' } }], [{ a: { b: 1 } }]],
  'malformed keywords': [one({ type: 'text', required: true, anyOf: [], enum: 'x', properties: [] }), [{ a: 1 }], []],
  'names that are no identifiers': [
    closed({ 'a-b': text, 'StartTime<': text, 'a"b': text, constructor: text, 'x\u202e': text }, ['a-b']),
    [{ 'a-b': 'x', 'StartTime<': 'y', 'a"b': 'z' }],
    [{ 'a-b': 1 }],
  ],
};

const compiled = refusedLines(
  Object.values(cases).map(([schema, accepted, refused]) => ({
    source: toolTypes([{ name: 'tool', inputSchema: schema as Record<string, unknown> }]),
    lines: [...accepted, ...refused].map(
      (args, at) => `export const call${at}: Tools['tool'] = ${JSON.stringify(args)};`,
    ),
  })),
);

test.each(Object.entries(cases).map(([name, row], at) => [name, at, ...row] as const))(
  'The types of a tool accept the calls that %s accepts, and catch those that it rejects',
  (_, at, schema, accepted, refused) => {
    const verdict = (args: object) => evaluate(compileSchema(schema), args).outcome;
    expect(accepted.map(verdict)).toEqual(accepted.map(() => 'valid'));
    expect(refused.map(verdict)).not.toContain('valid');
    expect(compiled[at]?.isUsable).toBe(true);
    expect([...(compiled[at]?.lines ?? [])]).toEqual(refused.map((__, index) => accepted.length + index));
  },
);

/** The compiler sees one line, too. */
function literal(text: string): string {
  return JSON.stringify(text).replace(/[\u2028\u2029]/g, (each) => `\\u${each.charCodeAt(0).toString(16)}`);
}

describe('hostile texts in types', () => {
  const evil = [
    '*/ export const stolen = process.env; /*',
    '@ts-ignore',
    '/* @ts-expect-error */',
    '\n * @ts-ignore\n*/',
    '"; export const stolen = 1; "',
    '`${stolen}`',
    '\u2028export const stolen = 1;\u2029\r\v',
    '\\',
    '\u202ereversed',
    "'; declare global { } //",
  ];

  test("A stranger's text ends no comment, string or name, and gives the compiler no instruction", () => {
    const inputSchema = (line: string) => {
      const parameter = { description: line, default: line, pattern: line, enum: [line] };
      const $defs = { [line]: { ...text, description: line } };
      return object({ [line]: parameter, a: to(line) }, { title: line, $defs });
    };
    const tools = evil.map((line) => ({ name: line, description: line, inputSchema: inputSchema(line) }));
    const source = toolTypes(tools);
    const lines = evil.map((line, at) => `export const call${at}: Tools[${literal(line)}] = { ${literal(line)}: 1 };`);
    const [compiled] = refusedLines([{ source, lines }]);
    expect(compiled?.isUsable).toBe(true);
    expect([...(compiled?.lines ?? [])]).toEqual(evil.map((_, at) => at));
    const statements = source.match(/^[ \t]*(?:export|declare).*$/gm) ?? [];
    expect(statements.filter((line) => !/^export (?:interface Tools|type \w+) /.test(line))).toEqual([]);
    expect(statements.length).toBeGreaterThan(evil.length);
    expect(/[\u202e\u2028\u2029\v]/u.test(source)).toBe(false);
  });

  test("A stranger's tool has a type of its own, whatever its name", () => {
    const names = ['a-b', 'a_b', 'A b', '1', 'поиск', 'Array', 'Tools', ''];
    const inputSchema = object({ list: { ...array, items: {} } });
    const source = toolTypes(names.map((name) => ({ name, inputSchema })));
    const types = [...source.matchAll(/^export type (\w+) /gm)].map(([, name]) => name);
    expect(types).toEqual(['AB', 'AB2', 'AB3', 'T1', 'T', 'Array2', 'Tools2', 'T2']);
    expect(refusedLines([{ source, lines: [] }])[0]?.isUsable).toBe(true);
  });
});
