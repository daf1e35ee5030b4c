import { worstCaseSteps } from './effort.js';

/** Longest pattern that is tried at all: JavaScript compiles longer ones for seconds, and nothing can stop it. */
const lengthLimit = 10_000;

/** Longest pattern that is matched without the watchdog: compiling a longer one takes time, too. */
const plainLengthLimit = 1000;

/** Matcher's steps that are taken without the watchdog: half a millisecond. */
const plainSteps = 200_000;

/** A regular expression of a schema, with JavaScript's own semantics. */
export class Pattern {
  #regex: RegExp | undefined | null = null;
  /** Length of the longest text known to be plain, and of the shortest known not to be. */
  #plainLength = -1;
  #riskyLength = Infinity;

  /** @param withheld the schema has more patterns than it may have: this one is not tried */
  constructor(
    readonly source: string,
    readonly withheld = false,
  ) {}

  /** Undefined where JavaScript cannot parse it. */
  get regex(): RegExp | undefined {
    if (this.#regex === null) this.#regex = parse(this.source, 'u') ?? parse(this.source, '');
    return this.#regex;
  }

  /** Whether it is tried at all. */
  get isTried(): boolean {
    return !this.withheld && this.source.length <= lengthLimit;
  }

  /** Whether JavaScript can parse it, as far as it is tried. */
  get isReadable(): boolean {
    return !this.isTried || this.regex !== undefined;
  }

  /** Whether matching a text of this length needs the watchdog, because it is not plain that it ends soon. */
  isRisky(length: number): boolean {
    if (length <= this.#plainLength) return false;
    if (length >= this.#riskyLength) return true;
    const risky = this.source.length > plainLengthLimit || worstCaseSteps(this.source, length) > plainSteps;
    if (risky) this.#riskyLength = length;
    else this.#plainLength = length;
    return risky;
  }
}

/** Patterns in the wild are not all valid with the `u` flag that the specification asks for: `^[\w-.]+$`. */
function parse(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}
