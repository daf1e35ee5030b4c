import { parseJson } from './text.js';

/** A part of a text, from its first character to behind its last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A scalar, or an object at its end, in a JSON text. */
interface Place {
  /** The names and positions that lead to it, as long as the walk is here. */
  readonly path: () => (string | number)[];
  /** As it is written. */
  readonly scalar?: string;
  /** Of an object, in their order, those that stand twice among them. */
  readonly names?: readonly string[];
}

/** An object or a list that is being walked through. */
interface Level {
  /** Of an object: the names so far. */
  readonly names?: string[];
  /** Of a list: how many items came before. */
  index: number;
}

/** The first of these names that stands there twice. */
export function doubledIn(names: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return names.find((name) => seen.size === seen.add(name).size);
}

/**
 * Where parts of a JSON text stand. The text has been parsed before, so nothing is checked here, and everything goes
 * through loops: nesting from outside has no bound.
 */
export class JsonText {
  constructor(readonly text: string) {}

  slice({ start, end }: Span): string {
    return this.text.slice(start, end);
  }

  root(): Span {
    const start = this.#skipSpace(0);
    return { start, end: this.#valueEnd(start) };
  }

  /** The value of an object's member; of several with one name the last, as `JSON.parse` has it. */
  member(object: Span, name: string): Span | undefined {
    let found: Span | undefined;
    for (const [key, value] of this.members(object)) if (parseJson(this.slice(key)) === name) found = value;
    return found;
  }

  *members({ start }: Span): Generator<[name: Span, value: Span]> {
    if (this.text[start] !== '{') return;
    for (let at = this.#skipSpace(start + 1); this.text[at] === '"';) {
      const key = { start: at, end: this.stringEnd(at) };
      const valueStart = this.#skipSpace(this.#skipSpace(key.end) + 1);
      const value = { start: valueStart, end: this.#valueEnd(valueStart) };
      yield [key, value];
      at = this.#skipSpace(value.end);
      if (this.text[at] === ',') at = this.#skipSpace(at + 1);
    }
  }

  *items({ start, end }: Span): Generator<Span> {
    if (this.text[start] !== '[') return;
    for (let at = this.#skipSpace(start + 1); at < end - 1;) {
      const item = { start: at, end: this.#valueEnd(at) };
      yield item;
      at = this.#skipSpace(item.end);
      if (this.text[at] === ',') at = this.#skipSpace(at + 1);
    }
  }

  /** Brackets, commas, strings, numbers and words, in their order. */
  *tokens(): Generator<string> {
    for (let at = 0; ;) {
      token.lastIndex = at;
      const found = token.exec(this.text);
      if (!found) return;
      at = found[0] === '"' ? this.stringEnd(found.index) : found.index + found[0].length;
      yield this.text.slice(found.index, at);
    }
  }

  /**
   * What a walk through the text comes by: every scalar as it is written, every object at its end. One pass, however
   * deep.
   */
  *places(): Generator<Place> {
    const levels: Level[] = [];
    const path = () => levels.map(({ names, index }) => (names ? (names.at(-1) ?? '') : index));
    let expectsName = false;
    for (const token of this.tokens()) {
      const level = levels.at(-1);
      if (token === '{') levels.push({ names: [], index: 0 });
      else if (token === '[') levels.push({ index: 0 });
      else if (token === '}' || token === ']') {
        levels.pop();
        if (level?.names) yield { path, names: level.names };
      } else if (token === ',') {
        if (level) level.index++;
      } else if (expectsName) level?.names?.push(String(parseJson(token)));
      else yield { path, scalar: token };
      expectsName = token === '{' || (token === ',' && level?.names !== undefined);
    }
  }

  #skipSpace(at: number): number {
    while (at < this.text.length && this.text.charCodeAt(at) <= 0x20) at++;
    return at;
  }

  stringEnd(start: number): number {
    for (let at = start + 1; ;) {
      const quoteAt = this.text.indexOf('"', at);
      if (quoteAt < 0) return this.text.length;
      let backslashes = 0;
      while (this.text[quoteAt - 1 - backslashes] === '\\') backslashes++;
      if (backslashes % 2 === 0) return quoteAt + 1;
      at = quoteAt + 1;
    }
  }

  #valueEnd(start: number): number {
    const first = this.text[start];
    if (first === '"') return this.stringEnd(start);
    if (first !== '{' && first !== '[') {
      scalar.lastIndex = start;
      return start + (scalar.exec(this.text)?.[0].length ?? 1);
    }
    let depth = 0;
    for (let at = start; ;) {
      structural.lastIndex = at;
      const found = structural.exec(this.text);
      if (!found) return this.text.length;
      at = found.index + 1;
      if (found[0] === '"') at = this.stringEnd(found.index);
      else if (found[0] === '{' || found[0] === '[') depth++;
      else if (--depth === 0) return at;
    }
  }
}

const token = /["{}[\],]|[^\s"{}[\],:]+/g;
const structural = /["{}[\]]/g;
const scalar = /[^\s,\]}]+/y;

/** What stands at the end of a path of names, to the character; undefined where there is no such member. */
export function memberText(text: string, path: readonly string[]): string | undefined {
  const json = new JsonText(text);
  const span = spanAt(json, path);
  return span && json.slice(span);
}

/**
 * The text of an object with one member replaced, or left out, and the others to the character. A member that is not
 * there is put in front of the others, the objects that lead to it included. Of several with one name the last counts.
 *
 * ```ts
 * withMember('{"a": 1.0, "b": {}}', ['b', 'c'], '2'); // => '{"a": 1.0, "b": {"c":2}}'
 * ```
 *
 * @param value the text of the new value; undefined leaves the member out
 */
export function withMember(text: string, path: readonly string[], value: string | undefined): string {
  const [name, ...rest] = path;
  if (name === undefined) return value ?? text;
  const json = new JsonText(text);
  const object = json.root();
  const members = [...json.members(object)];
  const at = members.findLastIndex(([key]) => parseJson(json.slice(key)) === name);
  const present = members[at];
  if (present && (value !== undefined || rest.length > 0)) {
    const [, span] = present;
    return text.slice(0, span.start) + withMember(json.slice(span), rest, value) + text.slice(span.end);
  }
  if (present) {
    const others = members.filter(([key]) => parseJson(json.slice(key)) !== name);
    const kept = others.map(([key, span]) => text.slice(key.start, span.end));
    return `${text.slice(0, object.start + 1)}${kept.join(', ')}${text.slice(object.end - 1)}`;
  }
  if (value === undefined || text[object.start] !== '{') return text;
  const added = `${JSON.stringify(name)}:${withMember(rest.length > 0 ? '{}' : value, rest, value)}`;
  return `${text.slice(0, object.start + 1)}${added}${members.length > 0 ? ',' : ''}${text.slice(object.start + 1)}`;
}

function spanAt(json: JsonText, path: readonly string[]): Span | undefined {
  let span: Span | undefined = json.root();
  for (const name of path) span = span && json.member(span, name);
  return span;
}
