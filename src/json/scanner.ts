import { parseJson } from './text.js';

export interface Span {
  readonly start: number;
  readonly end: number;
}

interface Place {
  /** The names and positions that lead to it; valid until the next place is asked for. */
  readonly path: () => (string | number)[];
  readonly scalar?: string;
  readonly names?: readonly string[];
}

const separators = /[\s,:]*/y;
const scalar = /[^\s,\]}]+/y;
const structural = /["{}[\]]/g;
const jsonToken = /["{}[\],]|[^\s"{}[\],:]+/g;
const anyPart = /"|[^\s"{}[\],:]+|[\s{}[\],:]+/g;

/** Finds parts of a JSON text that has been parsed before. Without recursion: texts nest as deep as servers like. */
export class JsonScanner {
  constructor(readonly text: string) {}

  slice({ start, end }: Span): string {
    return this.text.slice(start, end);
  }

  /** The text of a name or another string, read. */
  name(span: Span): string {
    return nameOf(this.slice(span));
  }

  root(): Span {
    return { start: this.#valueStart(0), end: this.text.trimEnd().length };
  }

  /** The value of an object's member; of several with one name the last, as `JSON.parse` has it. */
  member(object: Span, name: string): Span | undefined {
    let found: Span | undefined;
    for (const [key, value] of this.members(object)) if (this.name(key) === name) found = value;
    return found;
  }

  *members(object: Span): Generator<[name: Span, value: Span]> {
    if (this.text[object.start] !== '{') return;
    for (let name = this.#valueAt(object.start + 1); name.start < object.end - 1;) {
      const value = this.#valueAt(name.end);
      yield [name, value];
      name = this.#valueAt(value.end);
    }
  }

  *items(list: Span): Generator<Span> {
    if (this.text[list.start] !== '[') return;
    for (let item = this.#valueAt(list.start + 1); item.start < list.end - 1; item = this.#valueAt(item.end))
      yield item;
  }

  tokens(): Generator<string> {
    return tokensIn(this.text, jsonToken);
  }

  *places(): Generator<Place> {
    const levels: { readonly names?: string[]; index: number }[] = [];
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
      } else if (expectsName) level?.names?.push(nameOf(token));
      else yield { path, scalar: token };
      expectsName = token === '{' || (token === ',' && level?.names !== undefined);
    }
  }

  #valueAt(from: number): Span {
    const start = this.#valueStart(from);
    return { start, end: this.#valueEnd(start) };
  }

  #valueStart(from: number): number {
    separators.lastIndex = from;
    return separators.test(this.text) ? separators.lastIndex : from;
  }

  #valueEnd(start: number): number {
    const first = this.text[start];
    if (first === '"') return stringEnd(this.text, start) ?? this.text.length;
    if (first !== '{' && first !== '[') {
      scalar.lastIndex = start;
      return scalar.test(this.text) ? scalar.lastIndex : start + 1;
    }
    let depth = 0;
    for (let at = start; ;) {
      structural.lastIndex = at;
      if (!structural.test(this.text)) return this.text.length;
      at = structural.lastIndex;
      const found = this.text[at - 1];
      if (found === '"') at = stringEnd(this.text, at - 1) ?? this.text.length;
      else if (found === '{' || found === '[') depth++;
      else if (--depth === 0) return at;
    }
  }
}

/**
 * @param token the pattern to search for; a quotation mark of either sort matches a string, which may end with the text
 */
export function* tokensIn(text: string, token: RegExp): Generator<string> {
  for (let at = 0; ;) {
    token.lastIndex = at;
    const found = token.exec(text);
    if (!found) return;
    const isString = found[0] === '"' || found[0] === "'";
    at = isString ? (stringEnd(text, found.index) ?? text.length) : found.index + found[0].length;
    yield text.slice(found.index, at);
  }
}

/** A JSON text with its tokens replaced; the text between them is passed to `replacement` as well. */
export function replaceTokens(text: string, replacement: (token: string) => string): string {
  // A regular expression for strings would overflow its stack at some million escapes.
  return Array.from(tokensIn(text, anyPart), replacement).join('');
}

/** Parsing takes ten times as long as checking whether it is needed, and a text has thousands of names. */
function nameOf(quoted: string): string {
  return quoted.includes('\\') ? String(parseJson(quoted)) : quoted.slice(1, -1);
}

/**
 * The position after a string that begins with a quotation mark of either sort; undefined if the string does not end.
 */
export function stringEnd(text: string, start: number): number | undefined {
  const mark = text[start] ?? '';
  for (let at = start + 1; ;) {
    const end = text.indexOf(mark, at);
    if (end < 0) return undefined;
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\' && end - 1 - backslashes > start) backslashes++;
    if (backslashes % 2 === 0) return end + 1;
    at = end + 1;
  }
}

export function doubledIn(names: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return names.find((name) => seen.size === seen.add(name).size);
}

export function memberText(text: string, path: readonly string[]): string | undefined {
  const json = new JsonScanner(text);
  let span: Span | undefined = json.root();
  for (const name of path) span = span && json.member(span, name);
  return span && json.slice(span);
}

/** The texts of an object's members. Of several with one name the last counts. */
export function memberTexts(text: string): ReadonlyMap<string, string> {
  const json = new JsonScanner(text);
  const texts = new Map<string, string>();
  for (const [key, value] of json.members(json.root())) texts.set(json.name(key), json.slice(value));
  return texts;
}

/** The texts of a list's items. */
export function itemTexts(list: string): string[] {
  const json = new JsonScanner(list);
  return Array.from(json.items(json.root()), (item) => json.slice(item));
}

/** An object's text with a member replaced or left out; a new one goes in front. Of two of a name the last counts. */
export function withMember(text: string, path: readonly string[], value: string | undefined): string {
  const [name, ...rest] = path;
  if (name === undefined) return value ?? text;
  const json = new JsonScanner(text);
  const object = json.root();
  const members = [...json.members(object)];
  const hasName = ([key]: [name: Span, value: Span]) => json.name(key) === name;
  const present = members.findLast(hasName);
  if (present && (value !== undefined || rest.length > 0)) {
    const [, span] = present;
    return text.slice(0, span.start) + withMember(json.slice(span), rest, value) + text.slice(span.end);
  }
  if (present) {
    const kept = members.filter((member) => !hasName(member)).map(([key, span]) => text.slice(key.start, span.end));
    return `${text.slice(0, object.start + 1)}${kept.join(', ')}${text.slice(object.end - 1)}`;
  }
  if (value === undefined || text[object.start] !== '{') return text;
  const added = `${JSON.stringify(name)}:${withMember(rest.length > 0 ? '{}' : value, rest, value)}`;
  return `${text.slice(0, object.start + 1)}${added}${members.length > 0 ? ',' : ''}${text.slice(object.start + 1)}`;
}

/** A duplicate key in this JSON text. */
export function doubledName(text: string): string | undefined {
  for (const { names = [] } of new JsonScanner(text).places()) {
    const doubled = doubledIn(names);
    if (doubled !== undefined) return doubled;
  }
  return undefined;
}
