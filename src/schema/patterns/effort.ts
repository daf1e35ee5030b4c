/**
 * How hard a pattern can be for a text of some length: the steps of a backtracking matcher, at most.
 *
 * Only there to leave out the watchdog where it is plain that nothing can go wrong: arming it costs 50 to 240 µs, a
 * match 0.1 µs, and all but two of the 40 patterns of 3,123 published tools are plain for texts of 40 characters.
 * So it may be much too high, never too low. Where rounds of a loop can match in more ways than one (`(a+)+`, but
 * `(-[a-z]+)*` as well), or a back reference stands, it is infinite.
 *
 * It is read off the source without knowing whether the `u` flag holds: `\p{1,9}` and `\u{2}` count as a letter that is
 * repeated, which is what they are without the flag and more than what they are with it.
 */
export function worstCaseSteps(source: string, length: number): number {
  const reader: Reader = { source, length, at: 0, depth: 0 };
  const { steps, isChoice } = readChoice(reader);
  // An unbalanced parenthesis: the source was not what it seemed.
  if (reader.at < source.length) return Infinity;
  const starts = source.startsWith('^') && !isChoice ? 1 : length + 1;
  return starts * steps;
}

interface Reader {
  readonly source: string;
  readonly length: number;
  at: number;
  depth: number;
}

/** The ways to match something from one position on, and the steps to try them all. */
interface Effort {
  readonly ways: number;
  readonly steps: number;
}

/** Groups within one another that are looked into. */
const depthLimit = 50;

const hopeless: Effort = { ways: Infinity, steps: Infinity };

function readChoice(reader: Reader): Effort & { isChoice: boolean } {
  let { ways, steps } = readSequence(reader);
  let isChoice = false;
  while (reader.source[reader.at] === '|') {
    reader.at++;
    const option = readSequence(reader);
    ways += option.ways;
    steps += option.steps;
    isChoice = true;
  }
  return { ways, steps, isChoice };
}

function readSequence(reader: Reader): Effort {
  let ways = 1;
  let steps = 1;
  // Behind the end stands the empty text, which every text includes.
  while (!'|)'.includes(reader.source.charAt(reader.at))) {
    const part = repeated(readAtom(reader), readQuantifier(reader), reader.length);
    steps += ways * part.steps;
    ways *= part.ways;
  }
  return { ways, steps };
}

function readAtom(reader: Reader): Effort {
  const { source } = reader;
  const first = source.charAt(reader.at++);
  if (first === '(') return readGroup(reader);
  if (first === '[') {
    while (reader.at < source.length && source[reader.at] !== ']') reader.at += source[reader.at] === '\\' ? 2 : 1;
    reader.at++;
  }
  if (first === '\\') {
    const escaped = source.charAt(reader.at++);
    if (/[1-9k]/.test(escaped)) return hopeless;
  }
  return { ways: 1, steps: 1 };
}

function readGroup(reader: Reader): Effort {
  // What introduces a group that does not capture (`?:`, `?=`, `?<name>`) reads on as if it were matched.
  if (reader.source[reader.at] === '?') reader.at++;
  if (++reader.depth > depthLimit) {
    reader.at = reader.source.length;
    return hopeless;
  }
  const body = readChoice(reader);
  reader.depth--;
  reader.at++;
  return body;
}

/** How often what stands before is repeated; at most `max` times beyond what is mandatory. */
interface Quantifier {
  readonly min: number;
  readonly max: number;
}

/** However long its numbers are written: `{00000000000000000000000000000000000000001,}` is `+`. */
const quantifierHere = /[*+?]|(\{(\d+)(,(\d*))?\})/y;

function readQuantifier(reader: Reader): Quantifier | undefined {
  quantifierHere.lastIndex = reader.at;
  const [all, braces, min, comma, max] = quantifierHere.exec(reader.source) ?? [];
  if (all === undefined) return undefined;
  reader.at += all.length;
  if (reader.source[reader.at] === '?') reader.at++;
  if (braces === undefined) return { min: all === '+' ? 1 : 0, max: all === '?' ? 1 : Infinity };
  return { min: Number(min), max: comma === undefined ? Number(min) : max === '' ? Infinity : Number(max) };
}

function repeated(body: Effort, quantifier: Quantifier | undefined, length: number): Effort {
  if (!quantifier) return body;
  const { min, max } = quantifier;
  // Mandatory rounds are gone through even where the body matches nothing, and then optional ones end with the text.
  const rounds = Math.min(max, min + length + 1);
  if (body.ways === 1) return { ways: min === max ? 1 : rounds + 1, steps: (rounds + 1) * body.steps };
  if (rounds > roundLimit) return hopeless;
  let ways = 1;
  let total = 1;
  let steps = 1;
  for (let round = 0; round < rounds; round++) {
    steps += ways * body.steps;
    ways *= body.ways;
    total += ways;
  }
  return { ways: total, steps };
}

/** Rounds of a body that matches in several ways: 2^30 ways are more than anybody waits for. */
const roundLimit = 30;
