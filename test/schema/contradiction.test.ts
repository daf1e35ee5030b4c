import { afterEach, describe, expect, test, vi } from 'vitest';
import type * as Json from '../../src/json/index.js';
import { isObject } from '../../src/json/index.js';
import { exampleValue } from '../../src/projections/index.js';
import { compileSchema, evaluate, findContradiction } from '../../src/schema/index.js';
import { corpusTools } from '../../test-support/schemas/corpus.js';
import { sharedFolder } from '../../test-support/shared.js';
import { suiteDialects, suiteGroups } from '../conformance/json-schema-suite.js';

const text = { type: 'string' };
const a = (schema: object) => ({ properties: { a: schema }, required: ['a'] });
const closed = { type: 'object', additionalProperties: false };

/** What the diagnostics say about arguments that can never fit. */
function said(schema: object): string[] {
  const { diagnostics } = compileSchema(schema);
  return diagnostics.filter(({ code }) => code === 'unsatisfiable').map(({ message }) => message);
}

/** What may be looked at and charged in a test: more of it is an error. */
const spent = vi.hoisted(() => ({
  left: Infinity,
  count(steps: number) {
    spent.left -= steps;
    if (spent.left < 0) throw new Error('This takes too much work.');
  },
}));
vi.mock('../../src/json/index.js', async (original) => {
  const actual = await original<typeof Json>();
  const startWork = (limits: Json.WorkLimits) => {
    const work = actual.startWork(limits);
    const spend = work.spend.bind(work);
    work.spend = (steps = 1, byTheClock = false) => (spent.count(steps), spend(steps, byTheClock));
    return work;
  };
  return { ...actual, startWork };
});
afterEach(() => {
  spent.left = Infinity;
});

describe('A schema that nothing can satisfy', () => {
  test.each<[what: string, schema: object, message: string]>([
    [
      'requires what stands only under "then"',
      { ...closed, properties: { a: text }, required: ['b'], if: {}, then: { properties: { b: text } } },
      'No arguments can satisfy this schema: it requires the property "b" and does not allow it.',
    ],
    [
      'requires in one part of allOf what another part is closed to',
      {
        type: 'object',
        allOf: [
          { ...closed, properties: { a: text } },
          { properties: { b: text }, required: ['b'] },
        ],
      },
      'No arguments can satisfy this schema: it requires the property "b" and does not allow it.',
    ],
    [
      'does so behind references',
      {
        allOf: [{ $ref: '#/$defs/base' }, { required: ['b'] }],
        $defs: { base: { ...closed, properties: { a: text } } },
      },
      'No arguments can satisfy this schema: it requires the property "b" and does not allow it.',
    ],
    [
      'requires a property whose schema is false',
      { type: 'object', properties: { a: false }, required: ['a'] },
      'No arguments can satisfy this schema: it requires the property "a", for which no value is valid.',
    ],
    [
      'requires a property that contradicts itself',
      { type: 'object', properties: { a: { ...closed, required: ['b'] } }, required: ['a'] },
      'No arguments can satisfy this schema: it requires the property "a", for which no value is valid.',
    ],
    [
      'asks for types that exclude one another',
      { type: 'object', properties: { a: { allOf: [text, { type: ['integer', 'null'] }] } }, required: ['a'] },
      'No arguments can satisfy this schema: it requires the property "a", for which no value is valid.',
    ],
    ...[
      { ...text, enum: [1, 2] },
      { ...text, const: 1 },
      { const: 'a', enum: ['b'] },
      { type: 'integer', minimum: 5, maximum: 1 },
      { ...text, minLength: 3, maxLength: 2 },
      { type: 'array', allOf: [{ minItems: 3 }], maxItems: 2 },
      { type: 'number', exclusiveMinimum: 5, maximum: 5 },
      { type: 'number', minimum: 5, allOf: [{ exclusiveMaximum: 5 }] },
      { type: 'number', minimum: 5, exclusiveMinimum: true, maximum: 5 },
      { type: 'integer', minimum: 1.2, maximum: 1.8 },
      { type: 'integer', exclusiveMinimum: 1, exclusiveMaximum: 2 },
      { not: {} },
      { not: true },
      { type: 'number', minimum: 5, maximum: 1 },
      { type: 'number', minimum: 1, allOf: [{ minimum: 5 }], maximum: 3 },
      { type: 'number', minimum: 3, allOf: [{ maximum: 1 }], maximum: 5 },
      { allOf: [text, { type: ['string', 'null'] }], minLength: 3, maxLength: 2 },
      { enum: [null], const: 1 },
    ].map((a): [string, object, string] => [
      `requires a property of which no value is left: ${JSON.stringify(a)}`,
      { type: 'object', properties: { a }, required: ['a'] },
      'No arguments can satisfy this schema: it requires the property "a", for which no value is valid.',
    ]),
    ...(
      [
        [{ unevaluatedProperties: false, required: ['b'] }, 'it requires the property "b" and does not allow it'],
        [
          { allOf: [{ properties: { b: text } }, { type: 'object', unevaluatedProperties: false }], required: ['b'] },
          'it requires the property "b" and does not allow it',
        ],
        [{ propertyNames: { enum: ['a'] }, required: ['b'] }, 'it requires the property "b" and does not allow it'],
        [{ propertyNames: false, required: ['b'] }, 'it requires the property "b" and does not allow it'],
        [
          { propertyNames: { maxLength: 2 }, required: ['abc'] },
          'it requires the property "abc" and does not allow it',
        ],
        [{ propertyNames: { pattern: '^x-' }, required: ['b'] }, 'it requires the property "b" and does not allow it'],
        [
          { required: ['a'], dependentRequired: { a: ['b'] }, additionalProperties: false, properties: { a: text } },
          'it requires the property "b" and does not allow it',
        ],
        [{ propertyNames: { minLength: 3 }, required: ['ab'] }, 'it requires the property "ab" and does not allow it'],
        [{ propertyNames: { type: 'integer' }, required: ['1'] }, 'it requires the property "1" and does not allow it'],
        [{ ...closed, patternProperties: {}, required: ['b'] }, 'it requires the property "b" and does not allow it'],
        [
          { unevaluatedProperties: false, properties: { a: { properties: { b: text } } }, required: ['b'] },
          'it requires the property "b" and does not allow it',
        ],
        [{ ...closed, properties: { a: text }, minProperties: 2 }, 'it asks for 2 properties and allows 1'],
        [{ propertyNames: { enum: ['a', 1] }, minProperties: 2 }, 'it asks for 2 properties and allows 1'],
        [{ propertyNames: { const: 5 }, minProperties: 1 }, 'it asks for 1 property and allows 0'],
        [
          {
            allOf: [
              ['a', 'b'],
              ['b', 'c'],
            ].map((names) => ({ propertyNames: { enum: names } })),
            minProperties: 2,
          },
          'it asks for 2 properties and allows 1',
        ],
        [
          { type: 'object', allOf: [{ type: ['string', 'null'] }] },
          'it asks for object and for string or null at once',
        ],
        [{ propertyNames: { const: 'a' }, minProperties: 2 }, 'it asks for 2 properties and allows 1'],
        [{ unevaluatedProperties: false, minProperties: 1 }, 'it asks for 1 property and allows 0'],
        [{ required: ['a', 'b'], maxProperties: 1 }, 'it requires 2 properties and allows 1'],
        [{ minProperties: 3, maxProperties: 2 }, 'minProperties 3 is more than maxProperties 2'],
        [{ allOf: [false] }, 'it allows no value at all'],
        [{ enum: ['a'] }, 'none of the values that it lists is allowed'],
      ] as const
    ).map(([schema, why]): [string, object, string] => [
      JSON.stringify(schema),
      schema,
      `No arguments can satisfy this schema: ${why}.`,
    ]),
    [
      'has nothing but contradicting alternatives',
      { ...closed, properties: { a: text }, anyOf: [{ required: ['b'] }, { required: ['c'] }] },
      'No arguments can satisfy this schema: it requires the property "b" and does not allow it.',
    ],
    [
      'requires it only where a condition holds',
      {
        ...closed,
        properties: { a: text },
        if: { required: ['a'] },
        then: { properties: { b: text }, required: ['b'] },
      },
      'Where "if" holds, no arguments can satisfy this schema: it requires the property "b" and does not allow it.',
    ],
    ...[{ dependentSchemas: { a: { required: ['b'] } } }, { dependentRequired: { a: ['b'] } }].flatMap(
      (dependent): [string, object, string][] => [
        [
          `requires it beside what may be given: ${Object.keys(dependent).join()}`,
          { ...closed, properties: { a: text }, ...dependent },
          'Where "a" is given, no arguments can satisfy this schema: it requires the property "b" and does not allow it.',
        ],
        [
          `requires it beside what must be given: ${Object.keys(dependent).join()}`,
          { ...closed, properties: { a: text }, required: ['a'], ...dependent },
          'No arguments can satisfy this schema: it requires the property "b" and does not allow it.',
        ],
      ],
    ),
  ])('%s', (_, schema, message) => {
    expect(said(schema)).toEqual([message]);
  });

  test.each<[what: string, schema: object, instance: object]>([
    [
      'bounds and values of other types than it asks for',
      {
        properties: {
          a: { type: ['string', 'null'], minimum: 5, maximum: 1, enum: [1, null], minLength: 3, maxLength: 2 },
        },
        required: ['a'],
      },
      { a: null },
    ],
    ['what may not be given asks for it', { ...closed, properties: { a: text }, dependentRequired: { z: ['b'] } }, {}],
    ['it is said that a property may not be given', { properties: { a: text }, dependentSchemas: { a: false } }, {}],
    ['the property is declared', { ...closed, properties: { a: text }, required: ['a'] }, { a: '' }],
    ['a pattern allows it', { ...closed, patternProperties: { '^b': text }, required: ['b'] }, { b: '' }],
    ['the part that is closed need not apply', { required: ['b'], anyOf: [{ ...closed }, {}] }, { b: 1 }],
    [
      'a reference hides what stands beside it',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        $ref: '#/definitions/any',
        ...closed,
        required: ['b'],
        definitions: { any: {} },
      },
      {},
    ],
    [
      'an integer is a number',
      { properties: { a: { allOf: [{ type: 'integer' }, { type: 'number' }] } }, required: ['a'] },
      { a: 1 },
    ],
    [
      'null is allowed by nullable',
      { properties: { a: { allOf: [{ type: 'string', nullable: true }, { type: 'null' }] } }, required: ['a'] },
      { a: null },
    ],
    ['bounds leave one length', a({ ...text, minLength: 3, maxLength: 3 }), { a: 'abc' }],
    ['as many properties are allowed', { ...closed, properties: { a: text }, minProperties: 1 }, { a: '' }],
    ['as many properties are required', { required: ['a'], maxProperties: 1 }, { a: 1 }],
    ['both lists have one value', a({ enum: ['a', 'b'], allOf: [{ enum: ['b', 'c'] }] }), { a: 'b' }],
    ['an integer is listed as a number', a({ type: 'number', enum: [1] }), { a: 1 }],
    [
      'it is not allowed as an object, but is a text',
      a({ type: ['object', 'string'], additionalProperties: false, required: ['b'] }),
      { a: '' },
    ],
    ['it is a text, whatever is said of objects', a({ ...closed, ...text, required: ['b'] }), { a: '' }],
    ['something else is denied', { not: { required: ['z'] } }, {}],
    ['nothing is said where a condition holds', { if: { required: ['a'] }, else: { required: ['b'] } }, { a: 1 }],
    ['nothing is said where a condition does not hold', { if: { required: ['a'] }, then: { required: ['b'] } }, {}],
    [
      'a reference leads elsewhere',
      {
        allOf: [{ $id: 'https://example.com/other', $ref: '#/$defs/a', $defs: { a: true } }],
        $defs: { a: false },
      },
      {},
    ],
    [
      'a reference leads elsewhere, in draft-04',
      {
        $schema: 'http://json-schema.org/draft-04/schema#',
        allOf: [{ id: 'https://example.com/other', allOf: [{ $ref: '#/definitions/a' }], definitions: { a: {} } }],
        definitions: { a: { not: {} } },
      },
      {},
    ],
    [
      'what a reference elsewhere leads to evaluates it',
      {
        unevaluatedProperties: false,
        required: ['b'],
        allOf: [{ $id: 'https://example.com/other', $ref: '#/$defs/a', $defs: { a: { properties: { b: text } } } }],
        $defs: { a: {} },
      },
      { b: '' },
    ],
    [
      'another part allows whatever is left',
      { unevaluatedProperties: false, required: ['b'], allOf: [{ unevaluatedProperties: true }] },
      { b: 1 },
    ],
    ['bounds leave one number', a({ type: 'integer', minimum: 5, maximum: 5 }), { a: 5 }],
    ['an integer lies between', a({ type: 'integer', exclusiveMinimum: 1, exclusiveMaximum: 3 }), { a: 2 }],
    [
      'an alternative evaluates it',
      { unevaluatedProperties: false, anyOf: [{ properties: { b: text }, required: ['b'] }], required: ['b'] },
      { b: '' },
    ],
    ...['then', 'else', 'dependentSchemas'].map((keyword): [string, object, object] => [
      `"${keyword}" may evaluate it`,
      {
        unevaluatedProperties: false,
        required: ['b'],
        if: keyword === 'else' ? false : true,
        [keyword]: keyword === 'dependentSchemas' ? { b: { properties: { b: text } } } : { properties: { b: text } },
      },
      { b: '' },
    ]),
    [
      'a reference evaluates it',
      { unevaluatedProperties: false, required: ['b'], $ref: '#/$defs/b', $defs: { b: { properties: { b: text } } } },
      { b: '' },
    ],
    [
      'a pattern evaluates it',
      { unevaluatedProperties: false, required: ['b'], patternProperties: { b: text } },
      { b: '' },
    ],
    ['the names allow it', { required: ['b'], propertyNames: { pattern: 'b', minLength: 1, maxLength: 1 } }, { b: '' }],
    ['a pattern that cannot be read may match', { required: ['b'], propertyNames: { pattern: '(' } }, { b: '' }],
    ['a property without value is not required', { type: 'object', properties: { a: false } }, {}],
    [
      'one alternative is left',
      { ...closed, properties: { a: text }, oneOf: [{ required: ['b'] }, { required: ['a'] }] },
      { a: '' },
    ],
    ['"then" is false, which forbids the condition', { if: { required: ['a', 'b'] }, then: false }, { a: 1 }],
    [
      'the value may be another type',
      { properties: { a: { additionalProperties: false, required: ['b'] } }, required: ['a'] },
      { a: 1 },
    ],
  ])('is not claimed where %s', (_, schema, instance) => {
    expect(said(schema)).toEqual([]);
    expect(evaluate(compileSchema(schema), instance).outcome).toBe('valid');
  });

  test.each([
    ['draft-04', { type: 'number', minimum: 5, exclusiveMinimum: true, maximum: 5 }, 1],
    ['draft-04', { type: 'number', enum: ['a'] }, 1],
    ['draft-04', { const: 1, type: 'string' }, 0],
    ['draft-04', { type: 'object', propertyNames: false, required: ['b'] }, 0],
    ['draft-04', { type: 'number', exclusiveMinimum: true, minimum: 5, maximum: 6 }, 0],
    ['draft-06', { const: 1, type: 'string' }, 1],
    ['draft-06', { type: 'object', propertyNames: false, required: ['b'] }, 1],
    ['draft-06', { type: 'number', exclusiveMinimum: 5, exclusiveMaximum: 5 }, 1],
    ['draft-06', { if: true, then: { type: 'string' }, else: { type: 'string' }, type: 'number' }, 0],
    ['draft-07', { type: 'object', unevaluatedProperties: false, required: ['b'] }, 0],
    ['2019-09', { $ref: '#/$defs/text', type: 'number' }, 1],
    ['draft-07', { $ref: '#/$defs/text', type: 'number' }, 0],
  ] as const)('is read as %s does: %j', (dialect, schema, count) => {
    const root = { type: 'object', properties: { a: schema }, required: ['a'], $defs: { text } };
    const { diagnostics } = compileSchema(root, { defaultDialect: dialect });
    expect(diagnostics.filter(({ code }) => code === 'unsatisfiable')).toHaveLength(count);
  });

  test('holds for all arguments, or for those of a condition', () => {
    const never = { properties: { b: false }, required: ['b'] };
    const always = (schema: object) => findContradiction({ type: 'object', ...schema }, '2020-12')?.always;
    expect([always(never), always({ if: { required: ['a'] }, then: never }), always({})]).toEqual([
      true,
      false,
      undefined,
    ]);
  });

  test.each([
    [5, 1],
    [6, 0],
  ])('is found %i levels down: %i', (levels, count) => {
    const wrong = { type: 'object', required: ['b'], additionalProperties: false };
    const within = Array.from({ length: levels }).reduce<object>(
      (inner) => ({ type: 'object', properties: { a: inner }, required: ['a'] }),
      wrong,
    );
    expect(said(within)).toHaveLength(count);
  });

  // Work without bounds looks at some of their parts hundreds of millions of times.
  test.each<[what: string, schema: object]>([
    [
      'thousands of conditions',
      {
        allOf: Array.from({ length: 25_000 }, (_, i) => ({
          if: { properties: { k: { const: i } } },
          then: { required: [`p${i}`] },
          else: { properties: { k: { not: { const: i } } } },
        })),
      },
    ],
    [
      'alternatives beside many keywords',
      {
        ...Object.fromEntries(Array.from({ length: 200_000 }, (_, i) => [`x-${i}`, i])),
        anyOf: Array.from({ length: 10_000 }, () => ({ type: 'null' })),
      },
    ],
    [
      'long lists of large values',
      {
        required: ['a'],
        properties: {
          a: {
            allOf: ['p', 'q'].map((name) => ({
              enum: Array.from({ length: 6_000 }, (_, i) => ({ [name]: [i, 'x'.repeat(100)] })),
            })),
          },
        },
      },
    ],
  ])('%s are looked at within bounds', (_, schema) => {
    spent.left = 2_000_000;
    expect(findContradiction(seen({ type: 'object', ...schema }), '2020-12')).toBeUndefined();
  });

  test('is looked for within bounds', () => {
    const wide = {
      ...closed,
      allOf: Array.from({ length: 100 }, (_, i) => ({ required: [`a${i}`], properties: { [`a${i}`]: text } })),
    };
    const deep = Array.from({ length: 5000 }).reduce<object>(
      (inner) => ({ type: 'object', properties: { a: inner }, required: ['a'] }),
      {},
    );
    const long = { type: 'object', allOf: Array.from({ length: 300_000 }, () => ({})) };
    expect(findContradiction(long, '2020-12')).toBeUndefined();
    const round = { allOf: [{ $ref: '#' }], anyOf: [{ $ref: '#' }, { $ref: '#' }], type: 'object' };
    expect([said(wide).length, said(deep), said(round)]).toEqual([1, [], []]);
  });

  test.each<[string, (inner: object) => object]>([
    ['alternatives', (inner) => ({ anyOf: [inner, inner] })],
    ['properties', (inner) => ({ properties: { a: inner }, required: ['a'] })],
  ])('is looked for five levels of %s deep', (_, around) => {
    const contradictory = { properties: {}, additionalProperties: false, required: ['a'] };
    const within = (levels: number) =>
      Array.from({ length: levels }).reduce<object>((inner) => ({ type: 'object', ...around(inner) }), {
        type: 'object',
        ...contradictory,
      });
    expect([5, 6].map((levels) => said(within(levels)).length)).toEqual([1, 0]);
  });
});

/** A value of which each look at a member, or at the list of its names, is counted. */
function seen<T extends object>(value: T): T {
  const proxies = new WeakMap<object, object>();
  const within = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null) return part;
    const proxy =
      proxies.get(part) ??
      new Proxy(part, {
        get: (target, name) => (spent.count(1), within(Reflect.get(target, name))),
        has: (target, name) => (spent.count(1), Reflect.has(target, name)),
        ownKeys: (target) => (spent.count(1), Reflect.ownKeys(target)),
        getOwnPropertyDescriptor: (target, name) => (spent.count(1), Reflect.getOwnPropertyDescriptor(target, name)),
      });
    proxies.set(part, proxy);
    return proxy;
  };
  return within(value) as T; // the same, seen through proxies
}

const suite = sharedFolder('json-schema-test-suite');

describe.skipIf(suite === undefined)('Of the official suite', () => {
  test.each(suiteDialects)('no schema of $dialect is said to refuse what it accepts', ({ dialect, folder }) => {
    const wrong = suiteGroups(suite ?? '', folder)
      .filter(({ schema }) => findContradiction(schema, dialect)?.always)
      .filter(({ tests }) => tests.some(({ data, valid }) => valid && isObject(data)));
    expect(wrong.map(({ file, description }) => `${file}: ${description}`)).toEqual([]);
  });
});

const corpus = sharedFolder('corpus');

describe.skipIf(corpus === undefined)('Of the recorded servers', () => {
  test('no tool is said to refuse its example', () => {
    const claimed = corpusTools(corpus ?? '').filter(
      ({ inputSchema }) => findContradiction(inputSchema, compileSchema(inputSchema).dialect)?.always,
    );
    const wrong = claimed.filter(({ inputSchema }) => {
      const example = exampleValue(inputSchema);
      return isObject(example) && evaluate(compileSchema(inputSchema), example).outcome === 'valid';
    });
    console.log(`contradictions: ${claimed.map(({ name }) => name).join(', ')}`);
    expect(wrong).toEqual([]);
  });
});
