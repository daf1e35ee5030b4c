import { afterEach, describe, expect, test } from 'vitest';
import { compileSchema } from '../../src/schema/compile/compile.js';
import { outcome, violations } from './decide.js';

const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];

/** As it comes over the wire: a member of that name, whatever the name. */
const member = (name: string, value: unknown) =>
  JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`) as object;

describe.each(names)('A member named %s', (name) => {
  afterEach(() => {
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('is a property like any other', () => {
    const schema = { properties: member(name, { type: 'integer' }) };
    expect(outcome(schema, member(name, 1))).toBe('valid');
    expect(violations(schema, member(name, { polluted: true }))).toMatchObject([{ instanceLocation: `/${name}` }]);
    expect(outcome(schema, {})).toBe('valid');
  });

  test('is required only as the own member of an object', () => {
    expect(outcome({ required: [name] }, {})).toBe('invalid');
    expect(outcome({ required: [name] }, member(name, 1))).toBe('valid');
  });

  test('is not declared by what every object inherits', () => {
    expect(outcome({ properties: {}, additionalProperties: false }, member(name, 1))).toBe('invalid');
    expect(outcome({ unevaluatedProperties: false }, member(name, 1))).toBe('invalid');
    expect(outcome({ properties: member(name, true), additionalProperties: false }, member(name, 1))).toBe('valid');
  });

  test('may be what a dependency is about', () => {
    expect(outcome({ dependentRequired: member(name, ['a']) }, member(name, 1))).toBe('invalid');
    expect(outcome({ dependentRequired: member(name, ['a']) }, {})).toBe('valid');
    expect(outcome({ dependentSchemas: member(name, false) }, {})).toBe('valid');
    expect(outcome({ dependentSchemas: member(name, false) }, member(name, 1))).toBe('invalid');
  });

  test('counts where values are compared', () => {
    expect(outcome({ const: member(name, 1) }, member(name, 1))).toBe('valid');
    expect(outcome({ const: member(name, 1) }, {})).toBe('invalid');
    expect(outcome({ const: {} }, member(name, 1))).toBe('invalid');
    expect(outcome({ uniqueItems: true }, [member(name, 1), {}])).toBe('valid');
    expect(outcome({ uniqueItems: true }, [member(name, 1), member(name, 1)])).toBe('invalid');
  });

  test('is no keyword', () => {
    expect(outcome(member(name, false), 1)).toBe('valid');
    expect(outcome({ type: name }, 1)).toBe('valid');
    expect(outcome({ format: name }, 'x', { assertFormats: true })).toBe('valid');
    expect(compileSchema({ type: name }).diagnostics).toMatchObject([{ code: 'malformed-keyword' }]);
  });
});
