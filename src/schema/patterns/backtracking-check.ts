/** Steps of a backtracking matcher that are taken without the watchdog: about half a millisecond. */
export const quickSteps = 200_000;

/**
 * An escape, a class, the beginning or the end of a group, a quantifier or any other character. After a number of
 * rounds without an atom, `?` may itself be a quantifier: in `\u{61}?` with the `u` flag.
 */
const tokens = /\\.?|\[(?:\\.|[^\]\\])*\]?|\(\??|[*+?]\??|\{(?<min>\d+)(?:\}|(?<more>,(?<max>\d*))\}\??)|[^]/gs;

/**
 * True if a backtracking matcher may take long for a text of some length, so that a watchdog must be able to stop it:
 * nested loops (`(a+)+`), loops in a row over a long text, back references.
 *
 * It counts the steps of trying all ways in which the parts can match, which is never less than a matcher takes. The
 * source is read as without the `u` flag, so that `\p{1,9}` repeats a letter; with the flag it can only match in fewer
 * ways. Within a lookbehind a matcher goes from the right to the left.
 */
export function mayBacktrack(source: string, length: number): boolean {
  const inSequence = /\(\?<[=!]/.test(source) ? inEitherOrder : inOrder;
  const groups: [Group, ...Group[]] = [new Group()];
  for (const { 0: token, groups: { min = '0', more, max = '' } = {} } of source.matchAll(tokens)) {
    const group = groups.at(-1) ?? groups[0];
    if (/^\\[1-9k]/.test(token)) return true;
    if (token.startsWith('(')) groups.push(new Group());
    else if (token === '|') {
      group.others = group.all(inSequence);
      group.before = one;
      group.last = nothing;
    } else if (/^(?:[*+?]|\{\d)/.test(token)) {
      const least = token.startsWith('+') ? 1 : Number(min);
      const most = token.startsWith('?') ? 1 : token.startsWith('{') && (!more || max) ? Number(max || min) : Infinity;
      // A matcher goes through mandatory rounds even if they match nothing; optional ones end with the text.
      group.last = repeated(group.last, Math.min(most, least + length + 1), least === most);
    } else {
      if (token === ')' && groups.length === 1) return true;
      const part = (token === ')' && groups.pop()?.all(inSequence)) || one;
      const around = groups.at(-1) ?? groups[0];
      around.before = inSequence(around.before, around.last);
      around.last = part;
    }
  }
  const [{ others }] = groups;
  const starts = source.startsWith('^') && others.ways === 0 ? 1 : length + 1;
  // A count beyond what a double can hold is not a number.
  return groups.length > 1 || !(starts * groups[0].all(inSequence).steps <= quickSteps);
}

/** The ways in which a part of a pattern can match from one position on, and the steps to try them all. */
interface Effort {
  readonly ways: number;
  readonly steps: number;
}

const one: Effort = { ways: 1, steps: 1 };
const nothing: Effort = { ways: 1, steps: 0 };

class Group {
  /** The alternatives before the current one. */
  others: Effort = { ways: 0, steps: 0 };
  /** The current one but its last part, which a quantifier may follow. */
  before = one;
  last = nothing;

  all(inSequence: typeof inOrder): Effort {
    const { ways, steps } = inSequence(this.before, this.last);
    return { ways: this.others.ways + ways, steps: this.others.steps + steps };
  }
}

function inOrder(first: Effort, second: Effort): Effort {
  return { ways: first.ways * second.ways, steps: first.steps + first.ways * second.steps };
}

function inEitherOrder(first: Effort, second: Effort): Effort {
  const [forth, back] = [inOrder(first, second), inOrder(second, first)];
  return back.steps > forth.steps ? back : forth;
}

function repeated({ ways, steps }: Effort, rounds: number, isFixed: boolean): Effort {
  if (ways === 1) return { ways: isFixed ? 1 : rounds + 1, steps: (rounds + 1) * steps };
  const begun = (ways ** rounds - 1) / (ways - 1);
  return { ways: isFixed ? ways ** rounds : begun + ways ** rounds, steps: 1 + begun * steps };
}
