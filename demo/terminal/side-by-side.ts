import { dim, green, pageWidth, red } from './style.js';

/** The width of one column. */
export const columnWidth = Math.floor((pageWidth - 3) / 2);

/** Prints two texts beside each other, each wrapped to its column. */
export function columns(left: string, right: string): string[] {
  const [a, b] = [wrap(left, columnWidth), wrap(right, columnWidth)];
  return Array.from({ length: Math.max(a.length, b.length) }, (_, row) => pair(a[row] ?? '', ' ', b[row] ?? ''));
}

/**
 * Prints two lists of lines beside each other with equal lines in one row, as sdiff does: `<` marks a line that
 * only the left has, `>` one that only the right has. Indentation and commas do not count.
 */
export function comparison(left: string[], right: string[]): string[] {
  return align(left, right).map(([a, b]) => {
    if (a !== undefined && b !== undefined) return pair(a, ' ', b);
    return a === undefined ? pair('', '>', red(fit(b ?? ''))) : pair(green(fit(a)), '<', '');
  });
}

function pair(left: string, mark: string, right: string): string {
  const shown = fit(left);
  // Colour codes take no room on the screen.
  const padding = ' '.repeat(Math.max(0, columnWidth - visible(shown).length));
  return `${shown}${padding} ${dim(mark === ' ' ? '│' : mark)} ${fit(right)}`.trimEnd();
}

/** Cuts a line to the width of a column. */
export function fit(text: string): string {
  return visible(text).length <= columnWidth ? text : `${text.slice(0, columnWidth - 1)}…`;
}

function visible(text: string): string {
  return text.replace(/\u001b\[\d+m/g, '');
}

type Row = [left: string | undefined, right: string | undefined];

/** Pairs the lines by their longest common subsequence. */
function align(left: string[], right: string[]): Row[] {
  const same = (a: number, b: number) => essence(left[a]!) === essence(right[b]!);
  const common = Array.from({ length: left.length + 1 }, () => new Array<number>(right.length + 1).fill(0));
  for (let a = left.length - 1; a >= 0; a -= 1) {
    for (let b = right.length - 1; b >= 0; b -= 1) {
      common[a]![b] = same(a, b) ? common[a + 1]![b + 1]! + 1 : Math.max(common[a + 1]![b]!, common[a]![b + 1]!);
    }
  }
  const rows: Row[] = [];
  let [a, b] = [0, 0];
  while (a < left.length || b < right.length) {
    if (a < left.length && b < right.length && same(a, b)) rows.push([left[a++], right[b++]]);
    else if (b >= right.length || (a < left.length && common[a + 1]![b]! >= common[a]![b + 1]!))
      rows.push([left[a++], undefined]);
    else rows.push([undefined, right[b++]]);
  }
  return rows;
}

function essence(line: string): string {
  return line.trim().replace(/,$/, '');
}

function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => {
    // A coloured line stays coloured in each of its pieces.
    const [, colour = '', plain = line, reset = ''] = /^(\u001b\[\d+m)(.*)(\u001b\[0m)$/.exec(line) ?? [];
    return pieces(plain, width).map((piece) => colour + piece + reset);
  });
}

/** Cuts at spaces if that leaves lines of a fair length. */
function pieces(line: string, width: number): string[] {
  if (visible(line).length <= width) return [line];
  const space = line.lastIndexOf(' ', width);
  const cut = space > width / 2 ? space : width;
  return [line.slice(0, cut), ...pieces(line.slice(cut).trimStart(), width)];
}
