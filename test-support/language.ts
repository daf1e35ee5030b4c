// npm run language: counts patterns that make sentences hard to read, in comments and pages, and exits with 1 if there
// are more than the limits. Sentences with their subject first need hardly any of them.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** The uses in all texts, at most: a tenth of the uses when they were first counted. */
const limits: Counts = { openings: 29, where: 52, ofIt: 22 };

const patterns = {
  /** The first word of a comment that should be its subject. */
  openings: /^(?:What|Whoever|Where|Whether|Of)\b/g,
  /** Often "if". */
  where: /\bwhere\b/gi,
  ofIt: /\b(?:that of|of it)\b/gi,
};

/** A file without any of these is not parsed, which saves most of the time. */
const uses = /(?:\/\/|\*) *(?:What|Whoever|Where|Whether|Of)\b|\bwhere\b|\bthat of\b|\bof it\b/i;

type Counts = Readonly<Record<keyof typeof patterns, number>>;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = filesOf(fileURLToPath(new URL('..', import.meta.url)));
  const counts = countsIn(files);
  console.table({ ...counts, limit: limits });
  if (process.argv.includes('--show')) for (const line of usesIn(files)) console.log(line);
  if (isTooMuch(counts)) process.exitCode = 1;
}

/** A file's path and its text. */
type File = readonly [path: string, text: string];

/** Every source and page that git knows, except the generated pages. */
export function filesOf(root: string): File[] {
  const folders = 'src nodes credentials test test-support bench demo examples docs README.md CONTRIBUTING.md';
  const listed = execFileSync('git', ['ls-files', ...folders.split(' ')], { cwd: root, encoding: 'utf8' });
  return listed
    .split('\n')
    .filter((path) => /\.(?:m?ts|m?js|md)$/.test(path) && !/^docs\/(?:api|providers|rules)\.md$/.test(path))
    .map((path) => [path, readFileSync(join(root, path), 'utf8')]);
}

/** The uses of each pattern by the first folder of the files, and `all` of them. */
export function countsIn(files: readonly File[]): Record<string, Counts> & { readonly all: Counts } {
  const counts: Record<string, Counts> = {};
  for (const [path, text] of files) {
    const folder = path.split('/')[0]!;
    for (const sentence of textsIn(path, text)) {
      for (const name of [folder, 'all']) counts[name] = sum(counts[name], countsOf(sentence));
    }
  }
  return { ...counts, all: counts['all'] ?? countsOf('') };
}

/** True if all texts together have more uses than the limits. */
export function isTooMuch({ all }: { readonly all: Counts }): boolean {
  return Object.entries(limits).some(([name, limit]) => all[name as keyof Counts] > limit); // the keys of Counts
}

function usesIn(files: readonly File[]): string[] {
  return files.flatMap(([path, text]) =>
    textsIn(path, text)
      .filter((sentence) => Object.values(countsOf(sentence)).some((count) => count > 0))
      .map((sentence) => `${path}: ${sentence.replaceAll('\n', ' ')}`),
  );
}

function countsOf(text: string): Counts {
  const count = (pattern: RegExp) => [...text.matchAll(pattern)].length;
  return { openings: count(patterns.openings), where: count(patterns.where), ofIt: count(patterns.ofIt) };
}

function sum(left: Counts | undefined, right: Counts): Counts {
  if (left === undefined) return right;
  const { openings, where, ofIt } = left;
  return { openings: openings + right.openings, where: where + right.where, ofIt: ofIt + right.ofIt };
}

/** The comments of a source, or the lines of a page outside of code. */
function textsIn(path: string, text: string): string[] {
  if (!uses.test(text)) return [];
  return path.endsWith('.md') ? text.replace(/^```.*?^```$/gms, '').split('\n') : commentsIn(path, text);
}

/** The comments of a source without their marks; lines of `//` in a row are one comment. */
function commentsIn(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const ranges = new Map<number, ts.CommentRange>();
  const visit = (node: ts.Node): void => {
    for (const range of [
      ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.getEnd()) ?? []),
    ])
      ranges.set(range.pos, range);
    for (const child of node.getChildren(source)) visit(child);
  };
  visit(source);
  const comments: string[] = [];
  let end = -1;
  for (const { pos, end: own, kind } of [...ranges.values()].sort((left, right) => left.pos - right.pos)) {
    const continues = kind === ts.SyntaxKind.SingleLineCommentTrivia && /^\n *$/.test(text.slice(end, pos));
    const body = text
      .slice(pos, own)
      .replace(/^\/\*+|\*+\/$|^\/\/+/g, '')
      .replace(/^ *\*+ ?/gm, '')
      .trim();
    if (continues) comments.push(`${comments.pop() ?? ''}\n${body}`);
    else comments.push(body);
    end = own;
  }
  return comments;
}
