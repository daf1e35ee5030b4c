/** Steps of a backtracking matcher that are taken without the watchdog: about half a millisecond. */
export const quickSteps = 200_000;

/** An escape, a class, the beginning or the end of a group, a quantifier or any other character. */
const tokens = /\\.?|\[(?:\\.|[^\]\\])*\]?|\(\??|(?:[*+?]|\{(?<min>\d+)(?<more>,(?<max>\d*))?\})\??|[^]/gs;

/**
 * Whether a backtracking matcher may take long for a text of some length, so that a watchdog has to be able to stop it:
 * loops within loops (`(a+)+`), loops in a row over a long text, back references.
 *
 * It multiplies the ways in which the parts can match: never less than what a matcher tries. The source is read as without
 * the `u` flag, where `\p{1,9}` repeats a letter; with the flag it can only match in fewer ways.
 */
export function mayBacktrack(source: string, length: number): boolean {
  const groups: [Group, ...Group[]] = [new Group()];
  let last = new Group();
  for (const { 0: token, groups: { min = '0', more, max = '' } = {} } of source.matchAll(tokens)) {
    const group = groups.at(-1) ?? groups[0];
    if (/^\\[1-9k]/.test(token)) return true;
    if (token.startsWith('(')) groups.push(new Group());
    else if (token === '|') {
      group.others += group.ways;
      group.ways = 1;
    } else if (/^(?:[*+?]|\{\d)/.test(token)) {
      const least = token.startsWith('+') ? 1 : Number(min);
      const most = token.startsWith('?') ? 1 : token.startsWith('{') && (!more || max) ? Number(max || min) : Infinity;
      // Mandatory rounds are gone through even where they match nothing; optional ones end with the text.
      const rounds = Math.min(most, least + length + 1);
      if (least === most) {
        group.ways *= last.ways ** Math.max(0, rounds - 1);
        group.size += last.size * (last.ways > 1 ? 1 : rounds);
      } else if (last.ways > 1) group.ways *= (last.ways + 1) ** rounds / last.ways;
      else group.ways *= rounds + 1;
    } else {
      if (token === ')' && groups.length === 1) return true;
      last = (token === ')' && groups.pop()) || new Group();
      last.ways += last.others;
      const around = groups.at(-1) ?? groups[0];
      around.ways *= last.ways;
      around.size += last.size;
    }
  }
  const [{ ways, others, size }] = groups;
  const starts = source.startsWith('^') && others === 0 ? 1 : length + 1;
  return groups.length > 1 || starts * (ways + others) * size > quickSteps;
}

/** A part of a pattern: the ways in which it can match from one position on, and the steps that one of them takes. */
class Group {
  ways = 1;
  others = 0;
  size = 1;
}
