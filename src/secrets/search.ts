import type { Span } from './text.js';

/** Shorter texts are rather words than secrets: they are found only where they stand alone. */
export const shortestAnywhere = 6;

/** What has been read of the texts that are looked for: a node of the trie of them all. */
interface Node {
  readonly code: number;
  readonly depth: number;
  next: readonly Node[];
  /** The longest end of it that begins one of the texts as well. */
  rest?: Node;
  /** The longest of the texts that it ends in. */
  end?: Node;
}

/**
 * Finds many texts at once (Aho and Corasick, 1975): time is linear in what is searched, whatever the texts are.
 *
 * @returns finds where any of the texts stand; those that overlap or touch are one span
 */
export function searchFor(texts: Iterable<string>): (text: string) => Span[] {
  const root = trieOf(texts);
  return (text) => {
    const spans: Span[] = [];
    let at = root;
    for (let i = 0; i < text.length; i++) {
      at = step(at, text.charCodeAt(i));
      let { end } = at;
      while (end && end.depth < shortestAnywhere && isInWord(text, i - end.depth, i + 1)) end = end.rest?.end;
      if (!end) continue;
      let start = i + 1 - end.depth;
      for (let last = spans.at(-1); last && last[1] >= start; last = spans.at(-1)) {
        start = Math.min(start, last[0]);
        spans.pop();
      }
      spans.push([start, i + 1]);
    }
    return spans;
  };
}

function isInWord(text: string, before: number, after: number): boolean {
  return /[\p{L}\p{N}]/u.test(`${text[before] ?? ''} ${text[after] ?? ''}`);
}

function trieOf(texts: Iterable<string>): Node {
  const root: Node = { code: 0, depth: 0, next: [] };
  for (const text of texts) {
    let at = root;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      const known = childOf(at, code);
      const child: Node = known ?? { code, depth: at.depth + 1, next: [] };
      if (!known) at.next = [...at.next, child];
      at = child;
    }
    at.end = at;
  }
  const open = [root];
  for (const at of open) {
    for (const child of at.next) {
      child.rest = at.rest ? step(at.rest, child.code) : root;
      if (child.rest.end) child.end ??= child.rest.end;
      open.push(child);
    }
  }
  return root;
}

function childOf({ next }: Node, code: number): Node | undefined {
  return next.find((child) => child.code === code);
}

/** What has been read with one more character. */
function step(from: Node, code: number): Node {
  for (let at = from; ; at = at.rest) {
    const child = childOf(at, code);
    if (child || !at.rest) return child ?? at;
  }
}
