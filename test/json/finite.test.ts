import { describe, expect, test } from 'vitest';
import { nonFiniteNumberIn, valueAt } from '../../src/json/index.js';
import { fc } from '../../test-support/fuzz.js';
import { lawRuns } from '../../test-support/law-runs.js';

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
