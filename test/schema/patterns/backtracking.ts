import { fc } from '../../../test-support/fuzz.js';

/** A pattern as JavaScript reads it. */
type Part =
  | { readonly kind: 'char'; readonly accepts: (char: string) => boolean }
  | { readonly kind: 'start' }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Part[] }
  | { readonly kind: 'repeat'; readonly body: Part; readonly min: number; readonly max: number };

/** A pattern's source, and its meaning. */
interface Made {
  readonly source: string;
  readonly part: Part;
}

const one = (accepted: RegExp): Part => ({ kind: 'char', accepts: (char) => accepted.test(char) });
const char = (source: string, accepted: RegExp): Made => ({ source, part: one(accepted) });
const repeated = (source: string, body: RegExp, min: number, max: number): Made => ({
  source,
  part: { kind: 'repeat', body: one(body), min, max },
});

const atoms: readonly Made[] = [
  char('a', /a/),
  char('.', /^/),
  char('[ab]', /[ab]/),
  char('[^]', /^/),
  char('[\\]\\-]', /-/),
  char('\\x61', /a/),
  // With the `u` flag these are valid, too, and mean one character.
  char('\\u{61}', /a/),
  char('\\p{L}', /[a-z]/),
  // Without the flag these mean a repeated letter.
  repeated('\\p{1,9}', /p/, 1, 9),
  repeated('\\u{2}', /u/, 2, 2),
  repeated('\\u{61}?', /a/, 0, 1),
  repeated('\\u{0,3}', /u/, 0, 3),
];

const repetitions = [
  { text: '*', min: 0, max: Infinity },
  { text: '+?', min: 1, max: Infinity },
  { text: '?', min: 0, max: 1 },
  { text: '{2}', min: 2, max: 2 },
  { text: '{1,3}', min: 1, max: 3 },
  { text: '{2,}?', min: 2, max: Infinity },
];

const tree = fc.letrec<{ made: Made; atom: Made; sequence: Made; repeat: Made; choice: Made }>((tie) => ({
  made: fc.oneof({ maxDepth: 4 }, tie('atom'), tie('sequence'), tie('repeat'), tie('choice')),
  atom: fc.constantFrom(...atoms),
  sequence: fc.array(tie('made'), { maxLength: 4 }).map((parts) => ({
    source: parts.map(({ source }) => source).join(''),
    part: { kind: 'sequence', parts: parts.map(({ part }) => part) },
  })),
  repeat: fc
    .tuple(tie('made'), fc.constantFrom(...repetitions), fc.constantFrom('(?:', '(', '(?<=x|)(?:'))
    .map(([body, { text, min, max }, open]) => ({
      source: `${open}${body.source})${text}`,
      part: { kind: 'repeat', body: body.part, min, max },
    })),
  choice: fc.array(tie('made'), { minLength: 2, maxLength: 3 }).map((parts) => ({
    source: `(?:${parts.map(({ source }) => source).join('|')})`,
    part: { kind: 'choice', parts: parts.map(({ part }) => part) },
  })),
}));

const anchored = ({ source, part }: Made): Made => ({
  source: `^${source}`,
  part: { kind: 'sequence', parts: [{ kind: 'start' }, part] },
});

export const made: fc.Arbitrary<Made> = fc.oneof(tree.made, tree.made.map(anchored));

/** The number of characters that a backtracking matcher reads until it has tried every way in vain. */
export function stepsToMatch(pattern: Part, text: string, limit: number): number {
  let steps = 0;
  try {
    for (let start = 0; start <= text.length; start++) match(pattern, start, () => undefined);
  } catch (error) {
    if (!(error instanceof MoreThanTheLimit)) throw error;
  }
  return steps;

  function match(part: Part, at: number, then: (at: number) => void): void {
    switch (part.kind) {
      case 'start':
        if (at === 0) then(at);
        return;
      case 'char':
        if (++steps > limit) throw new MoreThanTheLimit();
        if (at < text.length && part.accepts(text.charAt(at))) then(at + 1);
        return;
      case 'choice':
        for (const option of part.parts) match(option, at, then);
        return;
      case 'sequence': {
        const [first, ...rest] = part.parts;
        if (first) match(first, at, (next) => match({ kind: 'sequence', parts: rest }, next, then));
        else then(at);
        return;
      }
      case 'repeat': {
        const { body, min, max } = part;
        if (max > 0) {
          const fewer: Part = { kind: 'repeat', body, min: Math.max(0, min - 1), max: max - 1 };
          // A round that matched nothing ends the repetition, unless more rounds are mandatory.
          match(body, at, (next) => (next === at && min === 0 ? undefined : match(fewer, next, then)));
        }
        if (min === 0) then(at);
      }
    }
  }
}

class MoreThanTheLimit extends Error {}
