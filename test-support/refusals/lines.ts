import { pointerTokens } from '../../src/json/index.js';

/** A refusal as its reader parses it: by its text alone. */
export interface ReadRefusal {
  readonly lines: readonly Line[];
  /** The shapes after `Expected:`, by the dotted name of their place; '' is the root. */
  readonly shapes: ReadonlyMap<string, string>;
  readonly leavesOutAbsent: boolean;
}

/** One line: a place, and the problem there. */
export interface Line {
  readonly text: string;
  /** The tokens of the place; `*` stands for any index if the line is about several rows. */
  readonly path: readonly string[];
  readonly isRows: boolean;
  readonly problem: Quoted;
}

/** A text with marks in place of its JSON strings, so that nothing in them is taken for the refusal's own words. */
export interface Quoted {
  readonly plain: string;
  readonly strings: readonly string[];
}

export function readRefusal(message: string): ReadRefusal {
  const all = message.split('\n');
  const lines = all.filter((each) => each.startsWith('- ')).flatMap((each) => lineOf(each.slice(2)));
  const advice = all.find((each) => each.startsWith('Correct them')) ?? '';
  const expected = / Expected: (.*)\.$/.exec(advice)?.[1] ?? '';
  const shapes = new Map<string, string>();
  for (const part of expected === '' ? [] : splitAt(expected, '; ')) {
    const at = splitAt(part, ': ')[0] ?? '';
    shapes.set(at === 'The arguments' ? '' : at, part.slice(at.length + 2));
  }
  return { lines, shapes, leavesOutAbsent: advice.includes('Leave out optional parameters that have no value.') };
}

function lineOf(text: string): Line[] {
  const rows = /^(\/.*?), (?:at least )?\d+ times \(first (\/.*?)\): (.*)$/s.exec(text);
  if (rows) return [{ text, path: pointerTokens(rows[1] ?? ''), isRows: true, problem: quoted(rows[3] ?? '') }];
  const [place, problem] = placeAndProblem(text);
  if (place === undefined) return [];
  const run = /^(\/.*)\/(\d+) to \1\/(\d+)$/.exec(place);
  if (run) {
    const [, list = '', from, to] = run;
    const indexes = Array.from({ length: Number(to) - Number(from) + 1 }, (_, at) => String(Number(from) + at));
    return indexes.map((index) => ({
      text,
      path: [...pointerTokens(list), index],
      isRows: false,
      problem: quoted(problem),
    }));
  }
  return [{ text, path: place === '(root)' ? [] : pointerTokens(place), isRows: false, problem: quoted(problem) }];
}

/** Names may contain a colon; the problem begins with one of the refusal's own words. */
const beginnings = /: (?=must |is not allowed|the properties )/;

function placeAndProblem(text: string): [string | undefined, string] {
  const found = beginnings.exec(text);
  return found ? [text.slice(0, found.index), text.slice(found.index + 2)] : [undefined, ''];
}

export function quoted(text: string): Quoted {
  const strings: string[] = [];
  const plain = text.replace(
    /"(?:[^"\\]|\\.){30,}?\.\.\.(?=, | or | and |\)| \(|$)|"(?:[^"\\]|\\.)*"/g,
    (each) => `⟦${strings.push(each) - 1}⟧`,
  );
  return { plain, strings };
}

export function unquoted(plain: string, { strings }: Quoted): string {
  return plain.replace(/⟦(\d+)⟧/g, (_, index: string) => strings[Number(index)] ?? '');
}

/** The JSON value of a text; undefined if it is cut off or no JSON. */
export function valueIn(plain: string, of: Quoted): { readonly value: unknown } | undefined {
  const text = unquoted(plain.trim(), of);
  if (/\.\.\."$|…"?$/.test(text)) return undefined;
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** The parts of a text between separators outside of brackets and quotes. */
export function splitAt(text: string, separator: string): string[] {
  const parts: string[] = [];
  let [depth, from] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character === '"') {
      const end = /^"(?:[^"\\]|\\.)*"/.exec(text.slice(at));
      at += (end?.[0].length ?? 1) - 1;
    } else if ('([{'.includes(character)) depth++;
    else if (')]}'.includes(character)) depth--;
    else if (depth === 0 && text.startsWith(separator, at)) {
      parts.push(text.slice(from, at));
      from = at + separator.length;
      at = from - 1;
    }
  }
  return [...parts, text.slice(from)];
}
