import { expect, test } from 'vitest';
import { compileSchema, evaluate } from '../../src/schema/index.js';
import { fc } from '../../test-support/fuzz.js';
import { lawRuns } from '../../test-support/law-runs.js';
import * as json from '../../src/json/index.js';

const document = {
  $defs: { 'a/b': { type: 'integer' }, a: { c: { type: 'string' } }, 'per%cent': { type: 'null' }, list: [true] },
};

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
])('The local reference %s leads to %j', (reference, expected) => {
  expect(json.resolveLocalReference(document, reference)).toEqual(expected);
});

test('A local reference means the same to the evaluator', () => {
  const compiled = compileSchema({ ...document, $ref: '#/$defs/a%2Fb' });
  expect(evaluate(compiled, 1).outcome).toBe('valid');
  expect(evaluate(compiled, 'x').outcome).toBe('invalid');
});

test('A pointer can be written from steps and read back', () => {
  const steps = ['a/b', 'm~n', '~1', '', '0'];
  expect(json.jsonPointer(['a/b', 'm~n', '~1', '', 0])).toBe('/a~1b/m~0n/~01//0');
  expect(json.pointerTokens('/a~1b/m~0n/~01//0')).toEqual(steps);
  expect(json.jsonPointer([])).toBe('');
  expect(json.pointerTokens('')).toEqual([]);
  expect(json.pointerToken(7)).toBe('7');
});

test.each<[value: unknown, token: string, result: unknown]>([
  [[1, 2], '1', 2],
  [[1, 2], '01', undefined],
  [[1, 2], '-', undefined],
  [[1, 2], '1e0', undefined],
  [[], 'length', undefined],
  [{ '01': 1 }, '01', 1],
  [{}, 'constructor', undefined],
  ['text', '0', undefined],
  [null, 'a', undefined],
])('A pointer leads from %j by %s to %j', (value, token, result) => {
  expect(json.member(value, token)).toBe(result);
  expect(json.valueAt([value], `/0/${token}`)).toBe(result);
  expect(json.valueAt(value, '')).toBe(value);
});

test('A pointer in a fragment has one reading, or two if it may be encoded', () => {
  expect(json.fragmentReadings('/a/b')).toEqual([['a', 'b']]);
  expect(json.fragmentReadings('/a%25/b')).toEqual([['a%', 'b']]);
  expect(json.fragmentReadings('/a%2Fb')).toEqual([['a', 'b'], ['a/b']]);
  expect(json.fragmentReadings('/a%2fb')).toEqual([['a', 'b'], ['a/b']]);
  expect(json.fragmentReadings('/a%')).toEqual([]);
  expect(json.decodeFragment('a%20b')).toBe('a b');
  expect(json.decodeFragment('a b')).toBe('a b');
  expect(json.decodeFragment('%')).toBeUndefined();
});

test.each<[text: string, place: string | undefined]>([
  ['1e400', ''],
  ['{"x":1e400}', '/x'],
  ['{"a/b":[{"c":1},[0,-1e400]]}', '/a~1b/1/1'],
  ['{"a":[1,"1e400",null,true,1.5]}', undefined],
])('Numbers that JSON cannot hold in %s are found at %s', (text, place) => {
  expect(json.nonFiniteNumberIn(JSON.parse(text))).toBe(place);
});

test('Exactly the numbers that JSON.stringify would write as null are found as unrepresentable', () => {
  const scalars = [fc.string(), fc.string(), fc.constantFrom(0, 1.5, Infinity, -Infinity, NaN)];
  const law = fc.property(fc.object({ maxDepth: 4, values: scalars }), (any) => {
    const place = json.nonFiniteNumberIn(any);
    let nulls = 0;
    JSON.parse(JSON.stringify(any), (_, part: unknown) => {
      if (part === null) nulls++;
      return part;
    });
    expect(place !== undefined).toBe(nulls > 0);
    if (place !== undefined) expect(Number.isFinite(json.valueAt(any, place))).toBe(false);
  });
  fc.assert(law, { numRuns: lawRuns(500) });
});

test('The search for numbers that JSON cannot hold ends in values that contain themselves', () => {
  const cyclic: unknown[] = [];
  cyclic.push(cyclic);
  expect(json.nonFiniteNumberIn(cyclic)).toBeUndefined();
});
