import { inspect } from 'node:util';
// By itself: `--help` loads no more of that floor.
import { jsonText, visible, visibleLine } from '../../json/text.js';

export interface Output {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
}

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';
export type Paint = Record<Style, (text: string) => string>;

/**
 * The outputs of a command: results go to stdout, everything about them to stderr. This is the only way to either, so a
 * stranger's text is escaped here, and no other code has to.
 */
export interface Terminal {
  /** Columns of the terminal; undefined when the output goes to a file or another program, which gets whole lines. */
  readonly columns: number | undefined;
  readonly paint: Paint;
  line: (text?: string) => void;
  /** One line of fields between tabs, for programs: no field holds a tab or a line break. */
  row: (fields: readonly string[]) => void;
  /** The requested data, such as JSON or a result: unchanged for a program, escaped on a terminal. */
  data: (text: string) => void;
  note: (text: string) => void;
  /** An error on stderr. Its second line and those after it are indented, so that none can pass for a note. */
  error: (text: string) => void;
  /** Redraws the one status line on stderr; '' removes it, and so does a line of any kind. */
  status: (text: string) => void;
  question: (text: string) => string;
}

const styles: readonly Style[] = ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'];

export function terminalFor(io: { stdout: Output; readonly stderr: Output; env: Env }, colour: boolean): Terminal {
  const { stdout, env } = io;
  const styledFor = (output: Output, text: string) =>
    text.replace(marks, (_mark, code: string) =>
      colour && wantsColour(env, output.isTTY === true) ? `\x1b[${code}m` : '',
    );
  let hasStatus = false;
  const status = (text: string) => {
    if (io.stderr.isTTY !== true || env['TERM'] === 'dumb') return;
    io.stderr.write(styledFor(io.stderr, `\r\x1b[K${shown(text)}`));
    hasStatus = text !== '';
  };
  // Lines take the place of the status line.
  const written = (output: Output, text: string) => {
    if (hasStatus) status('');
    output.write(`${styledFor(output, text)}\n`);
  };
  const toStdout = (text: string) => written(stdout, text);
  const toStderr = (text: string) => written(io.stderr, text);
  return {
    // A terminal that does not know its width says 0.
    columns: stdout.isTTY === true ? stdout.columns || 80 : undefined,
    paint: paint(),
    line: (text = '') => toStdout(shown(text)),
    row: (fields) => toStdout(withoutCommands(fields.map(visibleLine).join('\t'))),
    data: (text) => {
      if (stdout.isTTY === true) toStdout(linesOf(text).map(shown).join('\n'));
      else stdout.write(`${text}\n`);
    },
    note: (text) => toStderr(shown(text)),
    error: (text) => toStderr(linesOf(text).map(shown).join('\n  ')),
    status,
    question: (text) => styledFor(io.stderr, shown(text)),
  };
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/);
}

/** A text on one line, without escapes of a terminal and without commands for a log's reader. */
function shown(text: string): string {
  return withoutCommands(visible(text).replace(/[\n\r\u2028\u2029]/g, visibleLine));
}

/**
 * A line that no CI service carries out: GitHub reads `::name::` at the beginning of a line and `##[name]` anywhere,
 * Azure Pipelines `##vso[task…]`, TeamCity `##teamcity[…]`.
 */
function withoutCommands(line: string): string {
  return line.replace(commandAtStart, '$1\\u003a').replace(commandAnywhere, '\\u0023');
}

/** Stands for a colour until the text is written. A stranger cannot know it, and so cannot write a colour. */
const mark = crypto.randomUUID();
const marks = new RegExp(`${mark}\\[(\\d+)m`, 'g');

const commandAtStart = new RegExp(`^((?:\\s|${mark}\\[\\d+m)*):(?=:)`);
const commandAnywhere = /#(?=#\w*\[)/g;

type Env = Readonly<Record<string, string | undefined>>;

/** The conventions of no-color.org and force-color.org; a user's NO_COLOR wins. */
function wantsColour(env: Env, isTerminal: boolean): boolean {
  if (env['NO_COLOR']) return false;
  if (env['FORCE_COLOR']) return env['FORCE_COLOR'] !== '0';
  return isTerminal && env['TERM'] !== 'dumb';
}

function paint(): Paint {
  const entries = styles.map((style) => {
    const [on, off] = inspect.colors[style] ?? [0, 0];
    return [style, (text: string) => (text === '' ? text : `${mark}[${on}m${text}${mark}[${off}m`)];
  });
  return Object.fromEntries(entries) as Paint; // one entry for each Style
}

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
