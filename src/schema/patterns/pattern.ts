import { parsePattern, type Part } from './parse.js';
import { type PatternClock, timed, watched } from './watch.js';
import { worstCaseSteps } from './work.js';

/** Longest pattern that is tried at all: JavaScript compiles longer ones for seconds, and nothing can stop it. */
const patternLimit = 10_000;

/** Longest pattern that is compiled without the clock. */
const quickPatternLimit = 1000;

/** Matcher's steps that are taken without a look at the clock: microseconds. */
const quickSteps = 1000;

/** Matcher's steps that are taken without the watchdog, though the clock counts: a few milliseconds. */
const boundedSteps = 300_000;

/**
 * A regular expression of a schema, with JavaScript's own semantics. It runs directly where it is plain that it
 * cannot take long on the text at hand, else under a watchdog that ends it.
 */
export class Pattern {
  #parsed: RegExp | undefined | null = null;
  #structure: Part | undefined | null = null;
  /** Length of the longest text known to be quick. */
  #quickLength = -1;

  /** @param withheld the schema has more patterns than it may have: this one is not tried */
  constructor(
    readonly source: string,
    readonly withheld = false,
  ) {}

  /** Undefined where JavaScript cannot parse it. */
  get regex(): RegExp | undefined {
    if (this.#parsed === null) this.#parsed = parse(this.source, 'u') ?? parse(this.source, '');
    return this.#parsed;
  }

  /** Whether JavaScript can parse it, as far as it is tried. */
  get isReadable(): boolean {
    return this.#isUntried || this.regex !== undefined;
  }

  get #isUntried(): boolean {
    return this.withheld || this.source.length > patternLimit;
  }

  /** Whether some texts of ordinary length can make it slow; it is matched under the watchdog then. */
  get isRisky(): boolean {
    return this.#stepsFor(100) > boundedSteps;
  }

  /** Whether it is found in the text; undefined where finding out takes longer than the clock allows. */
  find(text: string, clock: PatternClock): boolean | undefined {
    if (this.#isUntried) return undefined;
    const { regex } = this;
    if (regex === undefined) return true;
    if (text.length <= this.#quickLength) return regex.test(text);
    const steps = this.#stepsFor(text.length);
    if (steps > boundedSteps) return watched(() => regex.test(text), clock);
    if (steps > quickSteps) return timed(() => regex.test(text), clock);
    this.#quickLength = text.length;
    return regex.test(text);
  }

  #stepsFor(length: number): number {
    if (this.#isUntried || this.source.length > quickPatternLimit) return Infinity;
    if (this.#structure === null) this.#structure = parsePattern(this.source);
    return this.#structure ? worstCaseSteps(this.#structure, length) : Infinity;
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
