import { editDistance, type Work } from '../../json/index.js';

/** Values looked at for the one that was meant; and characters of each. */
const lookedAt = 2_000;
const nameLength = 60;

/**
 * The candidates, those first that come close to what was given: equal but for case and separators, then a letter or two
 * apart, then containing one another; numbers by their distance. The others keep their order.
 *
 * @param work what may be spent on it; where that is used up, the rest keep their order
 * @returns the candidates, and how many of them come closest; 0 where none comes close
 */
export function nearestFirst<T>(
  wanted: unknown,
  candidates: readonly T[],
  work: Work,
): { values: readonly T[]; nearest: number } {
  const ranked: { candidate: T; rank: number }[] = [];
  for (const candidate of candidates.slice(0, lookedAt)) {
    const rank = rankOf(wanted, candidate, work);
    if (rank !== undefined) ranked.push({ candidate, rank });
  }
  if (ranked.length === 0) return { values: candidates, nearest: 0 };
  ranked.sort((left, right) => left.rank - right.rank);
  const near = ranked.map(({ candidate }) => candidate);
  const taken = new Set<T>(near);
  const values = [...near, ...candidates.filter((candidate) => !taken.has(candidate))];
  return { values, nearest: ranked.filter(({ rank }) => rank === ranked[0]?.rank).length };
}

/** Names that are told as equally near; of more, none was probably meant. */
const alike = 3;

/** The names that were probably meant, one or all that come equally close; none where too many do. */
export function nearestNames(wanted: string, candidates: readonly string[], work: Work): readonly string[] {
  const { values, nearest } = nearestFirst(wanted, candidates, work);
  return nearest > alike ? [] : values.slice(0, nearest);
}

function rankOf(wanted: unknown, candidate: unknown, work: Work): number | undefined {
  if (typeof wanted === 'number' && typeof candidate === 'number') return Math.abs(wanted - candidate);
  if (typeof wanted !== 'string' || typeof candidate !== 'string') return undefined;
  // A quick comparison; the distance below is only worked out for texts of about the same length.
  if (!work.spend(1)) return undefined;
  const [left, right] = [simplified(wanted), simplified(candidate)];
  const limit = Math.min(2, Math.floor(right.length * 0.4));
  if (Math.abs(left.length - right.length) <= limit && work.spend(1 + ((left.length * right.length) >> 6))) {
    const distance = editDistance(left, right, limit);
    if (distance <= limit) return distance;
  }
  const shorter = Math.min(left.length, right.length);
  return shorter >= 3 && (left.includes(right) || right.includes(left))
    ? 3 + Math.abs(left.length - right.length)
    : undefined;
}

/** Without what models get wrong most: case and separators. */
function simplified(name: string): string {
  return name
    .slice(0, nameLength)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
