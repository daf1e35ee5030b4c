import { jsonText } from '../../json/index.js';
import { commandAnywhere, type Terminal } from './terminal.js';

/**
 * JSON for whoever reads: indented on a terminal, to the character for a program. It takes the text, because what is
 * parsed and written again has lost what JavaScript does not hold, such as the digits of a large number.
 */
export function printJson(text: string, terminal: Terminal): void {
  terminal.data(terminal.columns === undefined ? text : indentedJson(text));
}

/**
 * JSON that is written here. What a name in it tells a CI service that reads the output as a log is an escape, by which
 * the JSON says the same.
 */
export function printReport(value: unknown, terminal: Terminal): void {
  printJson(jsonText(value).replace(commandAnywhere, '\\u0023'), terminal);
}

/** Strings, punctuation, and what stands between: numbers, `true`, `false`, `null`. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

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
