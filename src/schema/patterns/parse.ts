import {
  anyButNewline,
  anything,
  char,
  type CharSet,
  complement,
  digits,
  nothing,
  range,
  spaces,
  wordChars,
} from './charset.js';

/** The structure of a pattern, as far as the effort of matching it depends on it. */
export type Part =
  | { readonly kind: 'set'; readonly chars: CharSet }
  | { readonly kind: 'empty'; readonly start?: true }
  | { readonly kind: 'sequence'; readonly parts: readonly Part[] }
  | { readonly kind: 'choice'; readonly options: readonly Part[] }
  | { readonly kind: 'repeat'; readonly body: Part; readonly min: number; readonly max: number }
  | { readonly kind: 'look'; readonly body: Part };

/** Groups within one another that are looked into. */
const depthLimit = 50;

/**
 * Reads a pattern that JavaScript's own parser has accepted.
 *
 * @returns undefined where its effort is not to be judged here: back references, and whatever is not understood
 */
export function parsePattern(source: string): Part | undefined {
  const reader = new PatternReader(source);
  try {
    const part = reader.choice(0);
    return reader.atEnd ? part : undefined;
  } catch (error) {
    if (error instanceof NotJudged) return undefined;
    throw error;
  }
}

class NotJudged extends Error {}

class PatternReader {
  private at = 0;

  constructor(private readonly source: string) {}

  get atEnd(): boolean {
    return this.at >= this.source.length;
  }

  choice(depth: number): Part {
    if (depth > depthLimit) throw new NotJudged();
    const options = [this.sequence(depth)];
    while (this.take('|')) options.push(this.sequence(depth));
    const sets = options.filter((option) => option.kind === 'set');
    if (sets.length === options.length && disjoint(sets.map(({ chars }) => chars))) {
      return { kind: 'set', chars: sets.reduce((all, { chars }) => all | chars, nothing) };
    }
    return options.length === 1 && options[0] ? options[0] : { kind: 'choice', options };
  }

  private sequence(depth: number): Part {
    const parts: Part[] = [];
    while (!this.atEnd && !this.sees('|') && !this.sees(')')) parts.push(this.quantified(this.atom(depth)));
    return parts.length === 1 && parts[0] ? parts[0] : { kind: 'sequence', parts };
  }

  private quantified(body: Part): Part {
    const bounds = this.quantifier();
    if (!bounds) return body;
    this.take('?');
    return { kind: 'repeat', body, min: bounds[0], max: bounds[1] };
  }

  private quantifier(): readonly [number, number] | undefined {
    if (this.take('*')) return [0, Infinity];
    if (this.take('+')) return [1, Infinity];
    if (this.take('?')) return [0, 1];
    const braces = /^\{(\d+)(?:(,)(\d*))?\}/.exec(this.source.slice(this.at, this.at + 40));
    if (!braces) return undefined;
    this.at += braces[0].length;
    const min = Number(braces[1]);
    return [min, braces[2] === undefined ? min : braces[3] ? Number(braces[3]) : Infinity];
  }

  private atom(depth: number): Part {
    const current = this.next();
    switch (current) {
      case '^':
        return { kind: 'empty', start: true };
      case '$':
        return { kind: 'empty' };
      case '.':
        return { kind: 'set', chars: anyButNewline };
      case '(':
        return this.group(depth);
      case '[':
        return { kind: 'set', chars: this.characterClass() };
      case '\\':
        return this.escape();
      default:
        return { kind: 'set', chars: char(current.charCodeAt(0)) };
    }
  }

  private group(depth: number): Part {
    const look = /^\?<?[=!]/.exec(this.source.slice(this.at, this.at + 3));
    const head = look ?? /^\?(?::|<[^>]*>|[a-z]*(?:-[a-z]*)?:)/.exec(this.source.slice(this.at, this.at + 200));
    // Modifiers such as (?i:...) change what characters mean.
    if (head && !look && !head[0].startsWith('?:') && !head[0].startsWith('?<')) throw new NotJudged();
    this.at += head?.[0].length ?? 0;
    const body = this.choice(depth + 1);
    if (!this.take(')')) throw new NotJudged();
    return look ? { kind: 'look', body } : body;
  }

  private escape(): Part {
    const current = this.next();
    if (current === 'b' || current === 'B') return { kind: 'empty' };
    if (/[1-9k]/.test(current)) throw new NotJudged();
    return { kind: 'set', chars: this.escaped(current).chars };
  }

  /** An escape within or outside of a class; `code` where it is a single character. */
  private escaped(current: string): { chars: CharSet; code?: number; inexact?: true } {
    switch (current) {
      case 'd':
        return { chars: digits };
      case 'D':
        return { chars: complement(digits) };
      case 'w':
        return { chars: wordChars };
      case 'W':
        return { chars: complement(wordChars) };
      case 's':
        return { chars: spaces };
      case 'S':
        return { chars: complement(spaces) };
      case 'p':
      case 'P':
        this.skip(/^\{[^}]*\}/);
        return { chars: anything, inexact: true };
      case 'x':
        return this.codeOf(/^[0-9a-fA-F]{2}/, current);
      case 'u':
        return this.codeOf(/^(?:[0-9a-fA-F]{4}|\{[0-9a-fA-F]+\})/, current);
      case 'c':
        this.skip(/^[A-Za-z]/);
        return { chars: anything, inexact: true };
      default:
        if (/\d/.test(current)) return { chars: anything, inexact: true };
        return single({ n: 10, r: 13, t: 9, v: 11, f: 12 }[current] ?? current.charCodeAt(0));
    }
  }

  private codeOf(hex: RegExp, letter: string): { chars: CharSet; code: number } {
    const found = this.skip(hex);
    return single(found === undefined ? letter.charCodeAt(0) : parseInt(found.replace(/[{}]/g, ''), 16));
  }

  private characterClass(): CharSet {
    const negated = this.take('^');
    let set = nothing;
    let exact = true;
    while (!this.take(']')) {
      const from = this.classMember();
      if (from.inexact) exact = false;
      set |= from.chars;
      if (!this.sees('-') || this.source[this.at + 1] === ']') continue;
      this.at++;
      const to = this.classMember();
      if (to.inexact) exact = false;
      set |= to.chars;
      if (from.code !== undefined && to.code !== undefined) {
        set |= range(from.code, to.code);
      } else {
        set |= char(45);
        exact = false;
      }
    }
    if (!negated) return set;
    return exact ? complement(set) : anything;
  }

  private classMember(): { chars: CharSet; code?: number; inexact?: true } {
    const current = this.next();
    if (current !== '\\') return single(current.codePointAt(0) ?? 0);
    const letter = this.next();
    return letter === 'b' ? single(8) : this.escaped(letter);
  }

  private next(): string {
    const current = this.source[this.at];
    if (current === undefined) throw new NotJudged();
    this.at++;
    return current;
  }

  private sees(text: string): boolean {
    return this.source[this.at] === text;
  }

  private take(text: string): boolean {
    if (!this.sees(text)) return false;
    this.at++;
    return true;
  }

  private skip(pattern: RegExp): string | undefined {
    const found = pattern.exec(this.source.slice(this.at, this.at + 60))?.[0];
    this.at += found?.length ?? 0;
    return found;
  }
}

function single(code: number): { chars: CharSet; code: number } {
  return { chars: char(code), code };
}

function disjoint(sets: readonly CharSet[]): boolean {
  let seen = nothing;
  for (const set of sets) {
    if ((seen & set) !== 0n) return false;
    seen |= set;
  }
  return true;
}
