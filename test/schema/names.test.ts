import { afterEach, describe, expect, test } from 'vitest';
import { integer } from '../../test-support/schemas/short.js';
import { diagnosed, outcome, violations } from './decide.js';

describe.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'])('A member named %s', (name) => {
  /** Parsed from text, because a literal would treat some of these names specially. */
  const member = (value: unknown) => JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`) as object;
  const one = member(1);

  afterEach(() => {
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test.each<[what: string, schema: object, instance: unknown, valid: boolean]>([
    ['is a property like any other', { properties: member(integer) }, one, true],
    ['may be absent', { properties: member(integer) }, {}, true],
    ['is missing even if objects inherit it', { required: [name] }, {}, false],
    ['is present as an own member', { required: [name] }, one, true],
    ['is not declared by an inherited property', { properties: {}, additionalProperties: false }, one, false],
    ['is not evaluated by an inherited property', { unevaluatedProperties: false }, one, false],
    ['may be declared', { properties: member(true), additionalProperties: false }, one, true],
    ['may require another one', { dependentRequired: member(['a']) }, one, false],
    ['requires nothing if it is absent', { dependentRequired: member(['a']) }, {}, true],
    ['may have a dependent schema', { dependentSchemas: member(false) }, one, false],
    ['has no dependent schema if it is absent', { dependentSchemas: member(false) }, {}, true],
    ['counts in const', { const: one }, one, true],
    ['is missing in another value', { const: one }, {}, false],
    ['is unexpected in another value', { const: {} }, one, false],
    ['tells items apart', { uniqueItems: true }, [one, {}], true],
    ['makes items equal', { uniqueItems: true }, [one, member(1)], false],
    ['is not a keyword', member(false), 1, true],
    ['is not a type', { type: name }, 1, true],
    ['is not a format', { format: name }, 'x', true],
  ])('A member with a name that objects inherit %s', (_, schema, instance, valid) => {
    expect(outcome(schema, instance, { assertFormats: true })).toBe(valid ? 'valid' : 'invalid');
  });

  test('A member with a name that objects inherit is rejected and reported by its name', () => {
    const refused = violations({ properties: member(integer) }, member({ polluted: true }));
    expect(refused).toMatchObject([{ instanceLocation: `/${name}` }]);
    expect(diagnosed({ type: name })).toEqual(['malformed-keyword #/type']);
  });
});
