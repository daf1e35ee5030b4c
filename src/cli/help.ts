import { version } from '../../package.json';
import { generalOptions } from './arguments.js';
import type { Command, Entry, Options } from './command.js';
import { serverOptions } from './server-options.js';
import type { Terminal } from './terminal/terminal.js';

export { version };

const columns = 80;

/** `mcp-verbatim --help`. */
export function overview(commands: Readonly<Record<string, Entry>>, { paint }: Terminal): string[] {
  const section = (heading: string, lines: readonly string[]) => ['', paint.bold(heading), ...lines];
  return [
    paint.bold('mcp-verbatim: the tools of an MCP server, as the server wrote them'),
    ...section('Usage', ['  mcp-verbatim COMMAND [options] SERVER', '  mcp-verbatim COMMAND --help']),
    ...section('Commands', rows(Object.entries(commands).map(([name, { summary }]) => [name, summary]))),
    ...section('Server', [
      ...rows([['-- COMMAND ARGS…', 'start this program and connect over stdio; no shell is involved']]),
      ...optionRows(serverOptions),
    ]),
    ...section('General options', optionRows(generalOptions)),
    ...section('Exit codes', rows(exits)),
    ...section('Examples', examples.flatMap(exampleLines)),
  ];
}

/** The page of one command. */
export function helpOf(
  name: string,
  { about, operands = [], options, examples }: Command,
  { paint }: Terminal,
): string[] {
  const own = Object.fromEntries(Object.entries(options).filter(([option]) => !(option in serverOptions)));
  const takesServer = 'url' in options;
  const usage = [
    `mcp-verbatim ${name}`,
    ...operands.map(({ form }) => form),
    ...(Object.keys(options).length > 0 ? ['[options]'] : []),
    ...(takesServer ? ['SERVER'] : []),
  ];
  return [
    ...folded(usage.join(' '), 0).map(paint.bold),
    '',
    ...folded(about, 0),
    '',
    ...optionRows(own),
    ...(takesServer ? ['', 'mcp-verbatim --help shows how to give SERVER.'] : []),
    '',
    paint.bold('Examples'),
    ...examples.flatMap(exampleLines),
  ];
}

const exits: readonly (readonly [string, string])[] = [
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

/** On two lines, as a shell reads them, if it is too long for one. */
function exampleLines(example: string): string[] {
  const line = `  mcp-verbatim ${example}`;
  return line.length <= columns ? [line] : line.replace(/ (?=--)/, ' \\\n    ').split('\n');
}

function optionRows(options: Options): string[] {
  return rows(Object.entries(options).map(([name, { value = '', about }]) => [`--${name} ${value}`.trimEnd(), about]));
}

const indent = 20;

/** Two columns, the second folded; a left side that is too wide gets a line of its own. */
function rows(pairs: readonly (readonly [left: string, right: string])[]): string[] {
  return pairs.flatMap(([left, right]) => {
    const [first = '', ...more] = folded(right, indent);
    const isWide = left.length > indent - 3;
    return [...(isWide ? [`  ${left}`] : []), isWide ? first : `  ${left}`.padEnd(indent) + first.trimStart(), ...more];
  });
}

function folded(text: string, margin: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (margin + longer.length <= columns) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line].map((each) => ' '.repeat(margin) + each);
}
