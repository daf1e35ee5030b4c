import { version } from '../../package.json';
import { generalOptions } from './arguments.js';
import type { Terminal } from './terminal/terminal.js';
import type { Options, Usage } from './usage/option.js';
import { serverOptions } from './usage/server.js';

export { version };

const columns = 80;

/** What there is to say of all commands. */
export function overview(usages: Readonly<Record<string, Usage>>, { paint }: Terminal): string[] {
  return [
    paint.bold('mcp-verbatim: the tools of an MCP server, as the server wrote them'),
    ...section('Usage', ['  mcp-verbatim COMMAND [options] SERVER']),
    ...section('Commands', rows(Object.entries(usages).map(([name, usage]) => [callOf(name, usage), usage.summary]))),
    ...section('Server', [
      ...rows([['-- COMMAND ARGS…', 'start it and speak over stdio; no shell is involved']]),
      ...optionRows(serverOptions),
    ]),
    ...section('Output', [...rows([['--json', "for programs; the server's own JSON"]]), ...optionRows(generalOptions)]),
    ...section('Exit codes', rows(Object.entries(exits))),
    ...section('Examples', examples.flatMap(exampleLines)),
  ];
  function section(heading: string, lines: readonly string[]): string[] {
    return ['', paint.bold(heading), ...lines];
  }
}

/** The page of one command. */
export function helpOf(name: string, usage: Usage, { paint }: Terminal): string[] {
  const own = Object.fromEntries(Object.entries(usage.options).filter(([option]) => !(option in serverOptions)));
  const hasOwn = Object.keys(own).length > 0;
  const takesServer = 'url' in usage.options;
  return [
    ...folded(
      `mcp-verbatim ${callOf(name, usage)}${hasOwn || takesServer ? ' [options]' : ''}${takesServer ? ' SERVER' : ''}`,
      0,
    ).map(paint.bold),
    '',
    ...folded(usage.about, 0),
    ...(hasOwn ? ['', ...optionRows(own)] : []),
    ...(takesServer ? ['', 'mcp-verbatim --help says what SERVER may be.'] : []),
    '',
    paint.bold(usage.examples.length === 1 ? 'Example' : 'Examples'),
    ...usage.examples.flatMap(exampleLines),
  ];
}

const exits: Readonly<Record<string, string>> = {
  0: 'done',
  1: 'check, diff or observe found something, or the tool reported an error',
  2: 'wrong usage',
  3: 'the arguments do not satisfy the schema',
  4: 'the server failed',
  5: 'the output was closed, or is full',
  130: 'interrupted',
};

const examples = [
  'list -- npx -y @modelcontextprotocol/server-everything',
  'show get-sum -- npx -y @modelcontextprotocol/server-everything',
  "check --url https://example.com/mcp --header 'Authorization: Bearer ${TOKEN}'",
  "list --config mcp.json --server github --json | jq '.[].name'",
];

function callOf(name: string, { operands = [] }: Usage): string {
  return [name, ...operands.map(({ form }) => form)].join(' ');
}

/** On two lines, as a shell reads them, where one is too narrow. */
function exampleLines(example: string): string[] {
  const line = `  mcp-verbatim ${example}`;
  return line.length <= columns ? [line] : line.replace(/ (?=--)/, ' \\\n    ').split('\n');
}

function optionRows(options: Options): string[] {
  return rows(
    Object.entries(options).map(([name, { value, about }]) => [
      `--${name}${value === undefined ? '' : ` ${value}`}`,
      about,
    ]),
  );
}

/** Two columns, the second folded; a left side that is too wide for its column stands on a line of its own. */
function rows(pairs: readonly (readonly [left: string, right: string])[]): string[] {
  return pairs.flatMap(([left, right]) => {
    const [first = '', ...more] = folded(right, indent);
    const isWide = left.length > indent - 3;
    return [...(isWide ? [`  ${left}`] : []), isWide ? first : `  ${left}`.padEnd(indent) + first.trimStart(), ...more];
  });
}

const indent = 20;

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
