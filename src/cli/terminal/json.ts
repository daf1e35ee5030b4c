import { jsonText } from '../../json/index.js';
import { commandAnywhere, type Terminal } from './terminal.js';

/** Indented on a terminal, to the character for a program. A text, as parsing would change large numbers. */
export function printJson(text: string, terminal: Terminal): void {
  terminal.data(terminal.columns === undefined ? text : indentedJson(text));
}

/** JSON written by this program. Commands for a CI service become escapes with the same meaning. */
export function printReport(value: unknown, terminal: Terminal): void {
  printJson(jsonText(value).replace(commandAnywhere, '\\u0023'), terminal);
}

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
