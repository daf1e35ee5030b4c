import { worstCaseSteps } from './effort.js';

/**
 * What JavaScript takes long to compile, and nothing can stop it while it does: loops, groups, most of all boundaries (200 of `\b\w?` in a row take 0.1 s, 400 take 0.9 s). Patterns that weigh more are not tried.
 */
const weights: readonly (readonly [part: RegExp, weight: number])[] = [
  [/[?*+{(]/g, 1],
  [/\\b/gi, 10],
];
const charactersOfOneWeight = 5;
const weightLimit = 2000;

/** Matcher's steps that are taken without the watchdog: half a millisecond. */
const plainSteps = 200_000;

/** A regular expression of a schema, with JavaScript's own semantics. */
export class Pattern {
  #regex: RegExp | undefined | null = null;
  #tried: boolean | undefined;
  /** Length of the longest text known to be plain, and of the shortest known not to be. */
  #plainLength = -1;
  #riskyLength = Infinity;

  /** @param withheld the schema has more patterns than it may have: this one is not tried */
  constructor(
    readonly source: string,
    readonly withheld: boolean,
  ) {}

  /** Undefined where JavaScript cannot parse it. */
  get regex(): RegExp | undefined {
    if (this.#regex === null) this.#regex = parse(this.source, 'u') ?? parse(this.source, '');
    return this.#regex;
  }

  /** Whether it is tried at all. */
  get isTried(): boolean {
    return (this.#tried ??= !this.withheld && weightOf(this.source) <= weightLimit);
  }

  /** Whether JavaScript will compile it when it is matched next, which takes time. */
  get isFresh(): boolean {
    return this.#plainLength < 0 && this.#riskyLength === Infinity;
  }

  /** Whether JavaScript can parse it, as far as it is tried. */
  get isReadable(): boolean {
    return !this.isTried || this.regex !== undefined;
  }

  /** Whether matching a text of this length needs the watchdog, because it is not plain that it ends soon. */
  isRisky(length: number): boolean {
    if (length <= this.#plainLength) return false;
    if (length >= this.#riskyLength) return true;
    const risky = worstCaseSteps(this.source, length) > plainSteps;
    if (risky) this.#riskyLength = length;
    else this.#plainLength = length;
    return risky;
  }
}

function weightOf(source: string): number {
  return weights.reduce(
    (sum, [part, weight]) => sum + weight * (source.match(part)?.length ?? 0),
    source.length / charactersOfOneWeight,
  );
}

/** Patterns in the wild are not all valid with the `u` flag that the specification asks for: `^[\w-.]+$`. */
function parse(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}
