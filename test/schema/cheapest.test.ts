import { describe, expect, test } from 'vitest';
import { type Alternative, cheapest } from '../../src/schema/coerce/cheapest.js';

interface Value {
  readonly to: unknown;
  readonly presumption: number;
}

const meant = (name: string, to: unknown = name, presumption = 1): Alternative<Value> => ({
  path: [name],
  from: `"${name}"`,
  candidate: { to, presumption },
  basis: undefined,
});
const named = (count: number) => Array.from({ length: count }, (_, i) => meant(`n${i}`));
const solution = (changes: readonly Alternative<Value>[], cost = 1_001, text = '') => ({
  ...{ changes, cost, text: () => text },
  isSure: true,
});
const plenty = () => true;

describe('The cheapest coercions', () => {
  const known = { solution: solution([meant('known')]), ground: undefined };

  test.each([
    [64, 64, true],
    [65, 64, false],
  ])('are looked for in sixty-four trials: of %i alternatives, %i', (count, trials, isOnly) => {
    const tried: string[] = [];
    const found = cheapest(
      { ...known, alternatives: named(count) },
      ([first]) => {
        tried.push(first?.path.join('/') ?? '');
        return undefined;
      },
      plenty,
    );
    expect(found).toEqual({ best: known.solution, isOnly });
    expect(tried).toHaveLength(trials);
    expect(new Set(tried).size).toBe(trials);
  });

  test('that come up in a trial are tried in their turn, each once', () => {
    const tried: string[] = [];
    const attempt = (first: readonly Alternative<Value>[]) => {
      tried.push(first.map(({ path }) => path.join('/')).join('+'));
      return { solution: undefined, alternatives: first.length === 1 ? [meant('a'), meant('b')] : [] };
    };
    const dear = { solution: solution([meant('known')], 2_002), ground: undefined };
    expect(cheapest({ ...dear, alternatives: [meant('a'), meant('b')] }, attempt, plenty).isOnly).toBe(true);
    expect(tried).toEqual(['a', 'b', 'a+b']);
  });

  test.each([
    ['cheaper', 1_000.5, 'other', 'found', true],
    ['as cheap, and come to another value', 1_001, 'other', 'known', false],
    ['as cheap, and come to the same value', 1_001, '', 'known', true],
    ['dearer', 1_001.5, 'other', 'known', true],
  ])('are those of another solution where they are %s', (_, cost, text, best, isOnly) => {
    const found = solution([meant('found', 'x', 0)], cost, text);
    const trial = { solution: found, alternatives: [] };
    const result = cheapest({ ...known, alternatives: [meant('found', 'x', 0)] }, () => trial, plenty);
    expect(result).toEqual({ best: best === 'found' ? found : known.solution, isOnly });
  });

  test('are not certain where no more may be spent', () => {
    let left = 3;
    const result = cheapest(
      { ...known, alternatives: named(5) },
      () => undefined,
      () => left-- > 0,
    );
    expect(result).toEqual({ best: known.solution, isOnly: false });
  });

  test('are no dearer than what is known: those are not tried', () => {
    const attempt = () => expect.fail();
    expect(cheapest({ ...known, alternatives: [meant('a', 1, 2)] }, attempt, plenty).isOnly).toBe(true);
  });
});
