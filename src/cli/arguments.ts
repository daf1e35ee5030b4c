import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UsageError } from './exit.js';
import { flag, type Given, type Options, type Usage } from './usage/option.js';

/** What every command takes. */
export const generalOptions = {
  'no-color': flag('no colours (NO_COLOR does the same); none anyway when piped'),
  help: { ...flag('mcp-verbatim COMMAND --help has the options of a command'), letter: 'h' },
  version: { ...flag('the version of mcp-verbatim'), letter: 'v' },
};

/** A command line without the command's name, in two parts. */
export interface Words {
  /** What stands before `--`. */
  own: readonly string[];
  /** What stands behind it. */
  command: readonly string[] | undefined;
}

/** The first word is the command's name; behind options it is the first that is one. */
export function splitArguments(argv: readonly string[], known: readonly string[]): Words & { name?: string } {
  const dashes = argv.indexOf('--');
  const words = dashes < 0 ? argv : argv.slice(0, dashes);
  const command = dashes < 0 ? undefined : argv.slice(dashes + 1);
  const at = words[0]?.startsWith('-') === false ? 0 : words.findIndex((word) => known.includes(word));
  const name = words[at];
  return { own: words.filter((_, index) => index !== at), command, ...(name !== undefined && { name }) };
}

/** @throws UsageError naming what was not understood */
export function parseGiven<Own extends Options>(
  name: string,
  usage: Pick<Usage<Own>, 'options'>,
  { own, command }: Words,
): Given<Usage<Own>> & Given<Usage<typeof generalOptions>> {
  const options: Options = { ...usage.options, ...generalOptions };
  const { values, positionals } = parse(name, own, options);
  const given = Object.entries(options).map(([option, { read }]) => [
    option,
    read([values[option] ?? []].flat().map(String), option),
  ]);
  // Every option has been read by its own declaration.
  return { ...Object.fromEntries(given), words: positionals, command } as ReturnType<typeof parseGiven<Own>>;
}

function parse(name: string, words: readonly string[], options: Options) {
  const args = words.map((word, index) => {
    const { usual } = options[word.replace(/^--/, '')] ?? {};
    return word.startsWith('--') && usual !== undefined && words[index + 1]?.startsWith('-') !== false
      ? `${word}=${usual}`
      : word;
  });
  const forNode: NonNullable<ParseArgsConfig['options']> = {};
  for (const [option, { value, letter }] of Object.entries(options))
    forNode[option] = {
      type: value === undefined ? 'boolean' : 'string',
      multiple: true,
      ...(letter !== undefined && { short: letter }),
    };
  try {
    return parseArgs({ args, options: forNode, allowPositionals: true, strict: true });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const [, unknown] = /^Unknown option '(-[^']*)'/.exec(message) ?? [];
    if (unknown !== undefined) throw new UsageError(`${name} has no option ${unknown}.`);
    // Node's advice about `--` would lead astray here, where `--` means the server.
    throw new UsageError(message.split('. To specify')[0]);
  }
}

/** @throws UsageError where an operand is missing, or one is too much */
export function checkOperands(name: string, { operands = [], options }: Usage, { words, command }: Given<Usage>): void {
  const missing = operands[words.length];
  if (missing?.needed !== undefined)
    throw new UsageError(`${name} needs ${missing.needed}: mcp-verbatim ${name} ${missing.form}`);
  const takesServer = 'url' in options;
  if (words.length > operands.length && operands.at(-1)?.several !== true) {
    const advice = takesServer ? ' Put the server command after --.' : '';
    throw new UsageError(`${name} does not know what to do with "${words[operands.length] ?? ''}".${advice}`);
  }
  if (command && !takesServer) throw new UsageError(`${name} takes no command after --.`);
  if (command?.length === 0) throw new UsageError('After --, the command that starts the server is missing.');
}
