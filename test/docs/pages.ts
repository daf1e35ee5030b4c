import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Every page of the documentation, by its path from the project's root. */
export const pages: readonly string[] = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'packages/mcp-verbatim/README.md'],
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
];

export interface Block {
  readonly page: string;
  /** The line of its first line of code. */
  readonly line: number;
  readonly language: string;
  readonly code: string;
  /** The comment directly above it: the reason why it is not run, or the test that runs it. */
  readonly comment: string | undefined;
}

export function textOf(page: string): string {
  return readFileSync(join(root, page), 'utf8');
}

export function blocksIn(page: string): Block[] {
  const text = textOf(page);
  return [...text.matchAll(/^(?:<!-- ([^\n]*) -->\n)?```(\w*)\n(.*?)^```$/gms)].map((match) => {
    const [, comment, language = '', code = ''] = match;
    const line = text.slice(0, match.index).split('\n').length + (comment === undefined ? 1 : 2);
    return { page, line, language, code, comment };
  });
}
