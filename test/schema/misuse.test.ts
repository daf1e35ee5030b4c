import { describe, expect, test } from 'vitest';
import { repairArguments } from '../../src/repair/repair.js';
import { compileSchema, type CompiledSchema, type CompileOptions } from '../../src/schema/compile/compile.js';
import { evaluate, type EvaluateOptions } from '../../src/schema/evaluate/evaluate.js';
import { nested, string } from '../../test-support/schemas/short.js';
import { decide, diagnosed, outcome } from './decide.js';

const throwsTypeError = (work: () => unknown, message: string) => {
  expect(work).toThrow(TypeError);
  expect(work).toThrow(message);
};
const levels = (count: number) => nested(count, (inner) => [inner], 1);

describe('A wrong argument of the library', () => {
  test.each([string, {}, true, null, undefined, { schema: string }])(
    'A schema that is not compiled (%j) is a TypeError that says what to do',
    (schema) => {
      const use = () => evaluate(schema as unknown as CompiledSchema, 5);
      throwsTypeError(use, 'evaluate(compileSchema(schema), instance)');
    },
  );

  test('A schema that another copy of the library has compiled is compiled again', () => {
    const { schema, dialect, diagnostics } = compileSchema(string);
    expect(evaluate({ schema, dialect, diagnostics }, 5).outcome).toBe('invalid');
  });

  test.each<[options: unknown, message: string]>([
    ...['draft-03', 'https://json-schema.org/draft/2020-12/schema', 'toString', 7].map(
      (defaultDialect): [object, string] => [
        { defaultDialect },
        '"draft-04", "draft-06", "draft-07", "2019-09" or "2020-12"',
      ],
    ),
    [{ document: {} }, 'compileSchema has no option "document". Did you mean "documents"?'],
    [{ documents: ['a'] }, '"documents" has to be an object of schemas by their URIs; received a list.'],
    [{ documents: { 'http://example.com/a': '{}' } }, '"documents" has to be an object of schemas by their URIs'],
    ['2020-12', 'The options of compileSchema are an object; received "2020-12".'],
    [null, 'The options of compileSchema are an object; received null.'],
  ])('Wrong options of compileSchema (%j) are a TypeError that says what is expected', (options, message) => {
    throwsTypeError(() => compileSchema({}, options as CompileOptions), message);
  });

  test.each<[options: unknown, message: string]>([
    [{ assertFormat: true }, 'has no option "assertFormat". Did you mean "assertFormats"?'],
    [{ assertFormats: 'yes' }, '"assertFormats" has to be true or false; received "yes".'],
    [{ budget: 500 }, '"budget" has to be an object; received 500.'],
    [{ budget: { time: 5 } }, '"budget" of '],
    [{ budget: { ms: NaN } }, '"budget.ms" has to be a number of at least 0; received NaN.'],
    [{ budget: { steps: -1 } }, '"budget.steps" has to be a number of at least 0; received -1.'],
    [{ budget: { violations: null } }, '"budget.violations" has to be a number of at least 0; received null.'],
    [false, 'are an object; received false.'],
  ])('Wrong options of an evaluation or a repair (%j) are a TypeError', (options, message) => {
    throwsTypeError(() => evaluate(compileSchema({}), 1, options as EvaluateOptions), message);
    throwsTypeError(() => repairArguments(compileSchema({}), {}, 'safe', options as EvaluateOptions), message);
  });

  test('A schema that contains itself gives an undetermined outcome', () => {
    const branching: unknown[] = [];
    branching.push(branching, branching);
    const properties: Record<string, unknown> = {};
    const schema = { enum: [branching], properties };
    properties['self'] = schema;
    expect(decide(schema, { self: {} }).outcome).toBe('undetermined');
    expect(decide(schema, [[], []]).outcome).toBe('undetermined');
    expect(diagnosed(schema).join()).toContain('schema-too-large');
  });

  test('A schema with values that are nested exponentially gives an undetermined outcome', () => {
    const value = nested(60, (inner) => [inner, inner], []);
    expect(outcome({ enum: [value] }, [[1], [1]])).toBe('depth');
  });
});

describe('Numbers that JSON cannot hold', () => {
  const { x } = JSON.parse('{"x":1e400}') as { x: number };

  test.each(['number', 'integer', ['number', 'null'], ['string', 'number', 'boolean']])(
    'Numbers that JSON cannot hold do not count as %j, since they would be sent as null',
    (type) => {
      expect(outcome({ properties: { x: { type } } }, { x })).toBe('invalid');
      expect([-x, NaN].map((number) => outcome({ type }, number))).toEqual(['invalid', 'invalid']);
    },
  );

  test('Numbers that JSON cannot hold equal no value of an enum', () => {
    expect(outcome({ enum: [x, 1] }, x)).toBe('invalid');
    expect(outcome({ const: x }, x)).toBe('invalid');
    expect(outcome({ const: null }, x)).toBe('invalid');
    expect(outcome({ enum: [[null], [1]] }, [x])).toBe('invalid');
  });
});

test('An undetermined outcome is located at the keyword that could not decide', () => {
  expect(decide({ const: [levels(300)] }, [levels(300)])).toMatchObject({ schemaLocation: '#/const' });
  expect(decide({ enum: [levels(300)] }, levels(300))).toMatchObject({ schemaLocation: '#/enum' });
});
