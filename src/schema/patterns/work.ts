import { type CharSet, nothing } from './charset.js';
import type { Part } from './parse.js';

/** Ways to match a part from one position on, and the steps of a backtracking matcher to try them all. */
interface Effort {
  readonly ways: number;
  readonly steps: number;
}

/**
 * An upper bound on the steps that a backtracking matcher can need for a text of this length, whatever the text.
 * Infinite or astronomic where the pattern is ambiguous in a loop: `(a+)+`, `(a|a)*`, `(.*,)*`.
 */
export function worstCaseSteps(pattern: Part, length: number): number {
  const starts = isAnchored(pattern) ? 1 : length + 1;
  return starts * (1 + effortOf(pattern, length).steps);
}

function effortOf(part: Part, length: number): Effort {
  switch (part.kind) {
    case 'set':
    case 'empty':
      return { ways: 1, steps: 1 };
    case 'look':
      return effortOf(part.body, length);
    case 'choice':
      return part.options
        .map((option) => effortOf(option, length))
        .reduce((sum, option) => ({ ways: sum.ways + option.ways, steps: sum.steps + option.steps }));
    case 'sequence':
      return sequenceEffort(part.parts, length);
    case 'repeat':
      return repeatEffort(part.body, part.min, part.max, length);
  }
}

function sequenceEffort(parts: readonly Part[], length: number): Effort {
  let ways = 1;
  let steps = 1;
  for (const part of parts) {
    const effort = effortOf(part, length);
    steps += ways * effort.steps;
    ways *= effort.ways;
  }
  return { ways, steps };
}

function repeatEffort(body: Part, min: number, max: number, length: number): Effort {
  // Optional rounds end with the text; mandatory ones are gone through even where the body matches nothing.
  const rounds = Math.max(min, Math.min(max, length + 1));
  const once = effortOf(body, length);
  if (once.ways === 1) return { ways: min === max ? 1 : rounds + 1, steps: (rounds + 1) * once.steps };
  if (hasDelimiter(body)) return { ways: Math.max(rounds, length) + 1, steps: (rounds + 1) * once.steps };
  let ways = 1;
  let total = 1;
  let steps = 1;
  for (let round = 0; round < rounds; round++) {
    steps += ways * once.steps;
    ways *= once.ways;
    total += ways;
    if (steps > hopeless) return { ways: Infinity, steps: Infinity };
  }
  return { ways: total, steps };
}

/** Steps beyond which counting on is pointless. */
const hopeless = 1e12;

/**
 * Whether every round of a loop begins, or every one ends, with a character that occurs nowhere else in it: then a
 * text divides into rounds in one way only. `(-[a-z0-9]+)*` and `([a-z]+\.)*` are of this kind.
 */
function hasDelimiter(body: Part): boolean {
  if (body.kind !== 'sequence' || body.parts.length < 2) return false;
  return delimits(body.parts[0], body.parts.slice(1)) || delimits(body.parts.at(-1), body.parts.slice(0, -1));
}

function delimits(delimiter: Part | undefined, rest: readonly Part[]): boolean {
  if (delimiter?.kind !== 'set') return false;
  let chars: CharSet = nothing;
  let variable = 0;
  for (const part of rest) {
    const set = part.kind === 'repeat' ? part.body : part;
    if (set.kind !== 'set') return false;
    chars |= set.chars;
    if (part.kind === 'repeat' && part.min !== part.max) variable++;
  }
  return variable <= 1 && (delimiter.chars & chars) === nothing;
}

/** Whether a match can only begin at the start of the text. */
function isAnchored(part: Part | undefined): boolean {
  switch (part?.kind) {
    case 'empty':
      return part.start === true;
    case 'sequence':
      return isAnchored(part.parts[0]);
    case 'choice':
      return part.options.every(isAnchored);
    default:
      return false;
  }
}
