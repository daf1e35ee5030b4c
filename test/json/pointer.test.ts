import { describe, expect, test } from 'vitest';
import { compileSchema, evaluate } from '../../src/schema/index.js';
import { fc } from '../../test-support/fuzz.js';
import { lawRuns } from '../../test-support/law-runs.js';
import {
  decodeFragment,
  fragmentReadings,
  jsonPointer,
  member,
  nonFiniteNumberIn,
  pointerToken,
  pointerTokens,
  resolveLocalReference,
  valueAt,
} from '../../src/json/index.js';

const document = {
  $defs: { 'a/b': { type: 'integer' }, a: { c: { type: 'string' } }, 'per%cent': { type: 'null' }, list: [true] },
};

describe('a local reference', () => {
  test.each([
    ['#', document],
    ['#/$defs/a/c', { type: 'string' }],
    ['#/$defs/a~1b', { type: 'integer' }],
    ['#/$defs/a%2Fb', { type: 'integer' }],
    ['#/%24defs/a%2Fc', { type: 'string' }],
    ['#/$defs/per%25cent', { type: 'null' }],
    ['#/$defs/list/0', true],
    ['#/$defs/list/00', undefined],
    ['#/$defs/none', undefined],
    ['#/$defs/%E0%A4%A', undefined],
    ['#/__proto__', undefined],
    ['#anchor', undefined],
    ['other.json#/x', undefined],
  ])('%s', (reference, expected) => {
    expect(resolveLocalReference(document, reference)).toEqual(expected);
  });

  test('means the same to the evaluator', () => {
    const compiled = compileSchema({ ...document, $ref: '#/$defs/a%2Fb' });
    expect(evaluate(compiled, 1).outcome).toBe('valid');
    expect(evaluate(compiled, 'x').outcome).toBe('invalid');
  });
});

test('a pointer leads to no inherited property', () => {
  expect(valueAt({}, '/constructor')).toBeUndefined();
  expect(valueAt([], '/length')).toBeUndefined();
});

describe('a pointer', () => {
  test('is made of its steps, and read as them', () => {
    const steps = ['a/b', 'm~n', '~1', '', '0'];
    expect(jsonPointer(['a/b', 'm~n', '~1', '', 0])).toBe('/a~1b/m~0n/~01//0');
    expect(pointerTokens('/a~1b/m~0n/~01//0')).toEqual(steps);
    expect(jsonPointer([])).toBe('');
    expect(pointerTokens('')).toEqual([]);
    expect(pointerToken(7)).toBe('7');
  });

  test.each<[value: unknown, token: string, result: unknown]>([
    [[1, 2], '1', 2],
    [[1, 2], '01', undefined],
    [[1, 2], '-', undefined],
    [[1, 2], '1e0', undefined],
    [{ '01': 1 }, '01', 1],
    ['text', '0', undefined],
    [null, 'a', undefined],
  ])('leads from %j by %s to %j', (value, token, result) => {
    expect(member(value, token)).toBe(result);
  });

  test('leads to values within values', () => {
    expect(valueAt({ a: [{ b: 1 }] }, '/a/0/b')).toBe(1);
    expect(valueAt({ a: [] }, '/a/0/b')).toBeUndefined();
    expect(valueAt(5, '')).toBe(5);
  });

  test('in a fragment is read in one way, or in two', () => {
    expect(fragmentReadings('/a/b')).toEqual([['a', 'b']]);
    expect(fragmentReadings('/a%25/b')).toEqual([['a%', 'b']]);
    expect(fragmentReadings('/a%2Fb')).toEqual([['a', 'b'], ['a/b']]);
    expect(fragmentReadings('/a%2fb')).toEqual([['a', 'b'], ['a/b']]);
    expect(fragmentReadings('/a%')).toEqual([]);
    expect(decodeFragment('a%20b')).toBe('a b');
    expect(decodeFragment('a b')).toBe('a b');
    expect(decodeFragment('%')).toBeUndefined();
  });
});

describe('Numbers that JSON cannot hold', () => {
  test.each<[text: string, place: string | undefined]>([
    ['1e400', ''],
    ['{"x":1e400}', '/x'],
    ['{"a/b":[{"c":1},[0,-1e400]]}', '/a~1b/1/1'],
    ['{"a":[1,"1e400",null,true,1.5]}', undefined],
  ])('in %s are found at %s', (text, place) => {
    expect(nonFiniteNumberIn(JSON.parse(text))).toBe(place);
  });

  test('are found wherever JSON.stringify would write null for them, and nowhere else', () => {
    const numbers = fc.constantFrom(0, 1.5, Infinity, -Infinity, NaN);
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        fc.oneof({ weight: 9, arbitrary: fc.string() }, { weight: 1, arbitrary: numbers }),
        fc.array(tie('value')),
        fc.dictionary(fc.string(), tie('value')),
      ),
    }));
    fc.assert(
      fc.property(value, (any) => {
        const place = nonFiniteNumberIn(any);
        let nulls = 0;
        JSON.parse(JSON.stringify(any), (_, part: unknown) => {
          if (part === null) nulls++;
          return part;
        });
        expect(place !== undefined).toBe(nulls > 0);
        if (place !== undefined) expect(Number.isFinite(valueAt(any, place))).toBe(false);
      }),
      { numRuns: lawRuns(500) },
    );
  });

  test('end the search in values that contain themselves', () => {
    const cyclic: unknown[] = [];
    cyclic.push(cyclic);
    expect(nonFiniteNumberIn(cyclic)).toBeUndefined();
  });
});
