import { parseArgs, type ParseArgsConfig } from 'node:util';
import { type Command, flag, type Given, type Options, SyntaxUsageError } from './command.js';

export const generalOptions = {
  'no-color': flag('write no colours, as with NO_COLOR; output to a file or pipe has none'),
  help: { ...flag('show the options of a command: mcp-verbatim COMMAND --help'), letter: 'h' },
  version: { ...flag('show the version'), letter: 'v' },
};

export interface Words {
  own: readonly string[];
  command: readonly string[] | undefined;
}

/** The first word is the command's name; after options it is the first word that is one. */
export function splitArguments(argv: readonly string[], known: readonly string[]): Words & { name?: string } {
  const dashes = argv.indexOf('--');
  const words = dashes < 0 ? argv : argv.slice(0, dashes);
  const command = dashes < 0 ? undefined : argv.slice(dashes + 1);
  const at = words[0]?.startsWith('-') === false ? 0 : words.findIndex((word) => known.includes(word));
  const name = words[at];
  return { own: words.filter((_, index) => index !== at), command, ...(name !== undefined && { name }) };
}

export function parseGiven<Own extends Options>(
  name: string,
  declared: Own,
  { own, command }: Words,
): Given<Own & typeof generalOptions> {
  const options: Options = { ...declared, ...generalOptions };
  const { values, positionals } = parse(name, own, options);
  const textsOf = (option: string) => [values[option] ?? []].flat().map(String);
  const given = Object.entries(options).map(([option, { read }]) => [option, read(textsOf(option), option)]);
  // Each option has been read by its own declaration.
  return { ...Object.fromEntries(given), words: positionals, command } as Given<Own & typeof generalOptions>;
}

function parse(name: string, words: readonly string[], options: Options) {
  const args = words.map((word, index) => {
    const { usual } = options[word.replace(/^--/, '')] ?? {};
    return word.startsWith('--') && usual !== undefined && words[index + 1]?.startsWith('-') !== false
      ? `${word}=${usual}`
      : word;
  });
  const forNode: NonNullable<ParseArgsConfig['options']> = {};
  for (const [option, { value, letter }] of Object.entries(options)) {
    const type = value === undefined ? 'boolean' : 'string';
    forNode[option] = { type, multiple: true, ...(letter !== undefined && { short: letter }) };
  }
  try {
    return parseArgs({ args, options: forNode, allowPositionals: true, strict: true });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // Node advises to put the word after `--`, which means the server here.
    const [, unknown] = /^Unknown option '(-[^']*)'/.exec(message) ?? [];
    throw new SyntaxUsageError(unknown === undefined ? message : `${name} has no option ${unknown}.`);
  }
}

export function checkOperands(name: string, { operands = [] }: Command, { words, command }: Given<Options>): void {
  const missing = operands[words.length];
  if (missing?.needed !== undefined)
    throw new SyntaxUsageError(`${name} needs ${missing.needed}: mcp-verbatim ${name} ${missing.form}`);
  const extra = words[operands.length];
  if (extra !== undefined && operands.at(-1)?.several !== true)
    throw new SyntaxUsageError(`${name} does not take the argument "${extra}". Put the server command after --.`);
  if (command?.length === 0) throw new SyntaxUsageError('After --, the command that starts the server is missing.');
}
