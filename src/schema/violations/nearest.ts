import { editDistance, type WorkBudget, wordsOf } from '../../json/index.js';

/** Values looked at for the one that was meant; and characters of each. */
const lookedAt = 2_000;
const nameLength = 60;

/**
 * Sorts candidates by their similarity to the given value: first those equal except for case and separators, then those
 * a letter or two apart (preferred ones first), then those with the same words; numbers by distance. The others keep
 * their order. `nearest` counts the closest ones.
 */
export function nearestFirst<T>(
  wanted: unknown,
  candidates: readonly T[],
  budget: WorkBudget,
  preferred: ReadonlySet<unknown> = new Set(),
): { values: readonly T[]; nearest: number } {
  const ranked = candidates.slice(0, lookedAt).flatMap((candidate) => {
    const rank = rankOf(wanted, candidate, budget, preferred.has(candidate));
    return rank === undefined ? [] : [{ candidate, rank }];
  });
  if (ranked.length === 0) return { values: candidates, nearest: 0 };
  ranked.sort((left, right) => left.rank - right.rank);
  const near = new Set(ranked.map(({ candidate }) => candidate));
  const values = [...near, ...candidates.filter((candidate) => !near.has(candidate))];
  return { values, nearest: ranked.filter(({ rank }) => rank === ranked[0]?.rank).length };
}

/** The weight of common words: less than letters that differ, and little if other names are preferred. */
const ranks = { words: 3, notPreferred: 1_000, laterWord: 0.5 };

function rankOf(wanted: unknown, candidate: unknown, budget: WorkBudget, isPreferred: boolean): number | undefined {
  if (typeof wanted === 'number' && typeof candidate === 'number') return Math.abs(wanted - candidate);
  if (typeof wanted !== 'string' || typeof candidate !== 'string') return undefined;
  // A quick comparison; the distance below is only worked out for texts of about the same length.
  if (!budget.consume(1)) return undefined;
  const [left, right] = [wordsOf(wanted, nameLength), wordsOf(candidate, nameLength)];
  const [all, other] = [left.join(''), right.join('')];
  const [shorter, apart] = [Math.min(all.length, other.length), Math.abs(all.length - other.length)];
  const limit = Math.min(2, Math.floor(other.length * 0.4));
  if (apart <= limit && budget.consume(1 + ((all.length * other.length) >> 6))) {
    const distance = editDistance(all, other, limit);
    if (distance <= limit) return distance + (isPreferred ? 0 : 0.5);
  }
  const common = left.filter((word) => word.length >= 3 && right.some((each) => isSameWord(word, each)));
  const hasWords = common.join('').length * 2 > all.length;
  if (!hasWords && (shorter < 3 || !(all.includes(other) || other.includes(all)))) return undefined;
  const beside = hasWords ? left.length + right.length - 2 * common.length : apart;
  const isFirst = isSameWord(left[0] ?? '', right[0] ?? '');
  return ranks.words + beside + (isFirst ? 0 : ranks.laterWord) + (isPreferred ? 0 : ranks.notPreferred);
}

function isSameWord(left: string, right: string): boolean {
  return left === right || left === `${right}s` || `${left}s` === right;
}
