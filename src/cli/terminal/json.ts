import type { Terminal } from './terminal.js';

/**
 * JSON for whoever reads: indented on a terminal, to the character for a program. It takes the text, because what is
 * parsed and written again has lost what JavaScript does not hold, such as the digits of a large number.
 */
export function printJson(text: string, terminal: Terminal): void {
  terminal.line(terminal.columns === undefined ? text : safe(indentedJson(text)));
}

/** Strings, punctuation, and what stands between: numbers, `true`, `false`, `null`. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** The same JSON on several lines, its tokens as they are. */
export function indentedJson(text: string): string {
  let depth = 0;
  let before = '';
  let indented = '';
  for (const [token] of text.matchAll(tokens)) {
    const closes = token === '}' || token === ']';
    if (closes) depth--;
    const opened = before === '{' || before === '[';
    if ((opened && !closes) || before === ',' || (closes && !opened)) indented += `\n${'  '.repeat(depth)}`;
    else if (before === ':') indented += ' ';
    indented += token;
    if (token === '{' || token === '[') depth++;
    before = token;
  }
  return indented;
}

/** The same JSON without spaces. */
export function compactJson(text: string): string {
  return (text.match(tokens) ?? []).join('');
}

/** JSON has no C0 within strings; C1 and the bidirectional controls get their escapes here, which JSON reads the same. */
function safe(text: string): string {
  return text.replace(
    /[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
