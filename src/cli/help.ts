import { generalOptions } from './arguments.js';
import { type Command, type Options, serverOptions } from './command.js';
import { commands } from './commands.js';
import { oneLine, printTable, wrap } from './terminal/text.js';
import type { Terminal } from './terminal/terminal.js';

const columns = 80;

export function printOverview(terminal: Terminal): void {
  const { line, paint } = terminal;
  const section = (heading: string, rows: readonly Row[]) => {
    line();
    line(paint.bold(heading));
    printRows(rows, terminal);
  };
  line(paint.bold('mcp-verbatim: the tools of an MCP server, as the server wrote them'));
  section('Usage', []);
  line('  mcp-verbatim COMMAND [options] SERVER');
  line('  mcp-verbatim COMMAND --help');
  const summaries = Object.entries(commands).map(([name, [summary]]): Row => [name, summary]);
  section('Commands', summaries);
  const program = 'start this program and connect over stdio; no shell is involved';
  section('Server', [['-- COMMAND ARGS…', program], ...optionRows(serverOptions)]);
  section('General options', optionRows(generalOptions));
  section('Exit codes', exits);
  printExamples(examples, terminal);
}

export function printHelp(
  name: string,
  { about, operands = [], options, examples }: Command,
  terminal: Terminal,
): void {
  const { line, paint } = terminal;
  const own = Object.fromEntries(Object.entries(options).filter(([option]) => !(option in serverOptions)));
  const usage = [`mcp-verbatim ${name}`, ...operands.map(({ form }) => form), '[options] SERVER'];
  for (const text of wrap(usage.join(' '), columns)) line(paint.bold(text));
  line();
  for (const text of wrap(oneLine(about), columns)) line(text);
  if (Object.keys(own).length > 0) line();
  printRows(optionRows(own), terminal);
  line();
  line('mcp-verbatim --help shows how to give SERVER.');
  printExamples(examples, terminal);
}

type Row = readonly [left: string, right: string];

const exits: readonly Row[] = [
  ['0', 'done'],
  ['1', 'check, diff or observe found something, or the tool reported an error'],
  ['2', 'wrong usage'],
  ['3', 'the arguments do not satisfy the schema; nothing was sent'],
  ['4', 'the server failed'],
  ['5', 'the output was closed, or is full'],
  ['130', 'interrupted'],
];

const examples = [
  'list -- npx -y @modelcontextprotocol/server-everything',
  'show get-sum -- npx -y @modelcontextprotocol/server-everything',
  "check --url https://example.com/mcp --header 'Authorization: Bearer ${TOKEN}'",
  "list --config mcp.json --server github --json | jq '.[].name'",
];

function printExamples(examples: readonly string[], { line, paint }: Terminal): void {
  line();
  line(paint.bold('Examples'));
  for (const example of examples) {
    const text = `  mcp-verbatim ${example}`;
    for (const part of text.length <= columns ? [text] : text.replace(/ (?=--)/, ' \\\n    ').split('\n')) line(part);
  }
}

function optionRows(options: Options): Row[] {
  return Object.entries(options).map(([name, { value = '', about }]) => [`--${name} ${value}`.trimEnd(), about]);
}

function printRows(rows: readonly Row[], terminal: Terminal): void {
  const cells = rows.map((row) => ({ cells: row }));
  printTable(cells, [{ atMost: 22 }], { ...terminal, columns });
}
