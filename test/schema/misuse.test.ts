import { describe, expect, test } from 'vitest';
import { repairArguments } from '../../src/repair/repair.js';
import { compileSchema, type CompiledSchema, type CompileOptions } from '../../src/schema/compile/compile.js';
import { evaluate, type EvaluateOptions } from '../../src/schema/evaluate/evaluate.js';
import type { Dialect } from '../../src/schema/keywords/keyword.js';
import { decide, outcome } from './decide.js';

describe('What is handed in by mistake', () => {
  test.each([{ type: 'string' }, {}, true, null, undefined, { schema: { type: 'string' } }])(
    'a schema that is not compiled (%j) is a TypeError that says what to do',
    (schema) => {
      expect(() => evaluate(schema as unknown as CompiledSchema, 5)).toThrow(TypeError);
      expect(() => evaluate(schema as unknown as CompiledSchema, 5)).toThrow(
        'evaluate(compileSchema(schema), instance)',
      );
    },
  );

  test('what another copy of the library has compiled is compiled anew', () => {
    const { schema, dialect, diagnostics } = compileSchema({ type: 'string' });
    expect(evaluate({ schema, dialect, diagnostics }, 5).outcome).toBe('invalid');
  });

  test.each(['draft-03', 'https://json-schema.org/draft/2020-12/schema', 'toString', 7])(
    'a default dialect that is none (%j) is a TypeError that names those there are',
    (dialect) => {
      const compile = () => compileSchema({}, { defaultDialect: dialect as Dialect });
      expect(compile).toThrow(TypeError);
      expect(compile).toThrow('"draft-04", "draft-06", "draft-07", "2019-09" or "2020-12"');
    },
  );

  test.each<[options: unknown, message: string]>([
    [{ document: {} }, 'compileSchema has no option "document". Did you mean "documents"?'],
    [
      { documents: ['http://example.com/a'] },
      '"documents" has to be an object of schemas by their URIs; received a list.',
    ],
    [{ documents: { 'http://example.com/a': '{}' } }, '"documents" has to be an object of schemas by their URIs'],
    ['2020-12', 'The options of compileSchema are an object; received "2020-12".'],
    [null, 'The options of compileSchema are an object; received null.'],
  ])('options of compileSchema that are none (%j) are a TypeError that says what is wanted', (options, message) => {
    expect(() => compileSchema({}, options as CompileOptions)).toThrow(TypeError);
    expect(() => compileSchema({}, options as CompileOptions)).toThrow(message);
  });

  test.each<[options: unknown, message: string]>([
    [{ assertFormat: true }, 'has no option "assertFormat". Did you mean "assertFormats"?'],
    [{ assertFormats: 'yes' }, '"assertFormats" has to be true or false; received "yes".'],
    [{ budget: 500 }, '"budget" has to be an object; received 500.'],
    [{ budget: { time: 5 } }, '"budget" of '],
    [{ budget: { ms: NaN } }, '"budget.ms" has to be a number of at least 0; received NaN.'],
    [{ budget: { steps: -1 } }, '"budget.steps" has to be a number of at least 0; received -1.'],
    [{ budget: { depth: '5' } }, '"budget.depth" has to be a number of at least 0; received "5".'],
    [{ budget: { violations: null } }, '"budget.violations" has to be a number of at least 0; received null.'],
    [false, 'are an object; received false.'],
  ])('options of an evaluation and of a repair that are none (%j) are a TypeError, too', (options, message) => {
    const compiled = compileSchema({});
    for (const use of [
      () => evaluate(compiled, 1, options as EvaluateOptions),
      () => repairArguments(compiled, {}, 'safe', options as EvaluateOptions),
    ]) {
      expect(use).toThrow(TypeError);
      expect(use).toThrow(message);
    }
  });

  test('a schema that holds itself is answered', () => {
    const branching: unknown[] = [];
    branching.push(branching, branching);
    const schema: Record<string, unknown> = { enum: [branching], properties: {} };
    (schema['properties'] as Record<string, unknown>)['self'] = schema;
    const compiled = compileSchema(schema);
    expect(evaluate(compiled, { self: {} }).outcome).toBe('undetermined');
    expect(evaluate(compiled, [[], []]).outcome).toBe('undetermined');
    expect(compiled.diagnostics.map(({ code }) => code)).toContain('schema-too-large');
  });
});

test('a schema whose values hold one another many times over is answered', () => {
  let value: unknown = [];
  for (let level = 0; level < 60; level++) value = [value, value];
  expect(outcome({ enum: [value] }, [[1], [1]])).toBe('depth');
});

describe('Numbers that JSON cannot hold', () => {
  const { x } = JSON.parse('{"x":1e400}') as { x: number };

  test.each(['number', 'integer', ['number', 'null'], ['string', 'number', 'boolean']])(
    'are no %j: they would go out as null',
    (type) => {
      expect(outcome({ properties: { x: { type } } }, { x })).toBe('invalid');
      expect(outcome({ type }, -x)).toBe('invalid');
      expect(outcome({ type }, NaN)).toBe('invalid');
    },
  );

  test('are no value of a list either', () => {
    expect(outcome({ enum: [x, 1] }, x)).toBe('invalid');
    expect(outcome({ const: x }, x)).toBe('invalid');
    expect(outcome({ const: null }, x)).toBe('invalid');
    expect(outcome({ enum: [[null], [1]] }, [x])).toBe('invalid');
  });
});

describe('What stays open', () => {
  test('is located at the keyword that could not decide', () => {
    const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
    expect(decide({ const: [deep(300)] }, [deep(300)])).toMatchObject({ schemaLocation: '#/const' });
    expect(decide({ enum: [deep(300)] }, deep(300))).toMatchObject({ schemaLocation: '#/enum' });
  });
});
