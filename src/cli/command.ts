import type { Context } from './context.js';
import { UsageError } from './exit.js';

/** The parser and the help read the same declaration. */
export interface Command<Own extends Options = Options> {
  readonly operands?: readonly Operand[];
  readonly about: string;
  readonly options: Own;
  /** Command lines without `mcp-verbatim` in front. */
  readonly examples: readonly string[];
  run(given: Given<Own>, context: Context): Promise<number>;
}

export interface Option<Value = unknown> {
  /** Stands for its value in the help; a switch has none. */
  readonly value?: string;
  readonly about: string;
  readonly letter?: string;
  /** Its value if none follows. */
  readonly usual?: string;
  /** @param given every text that was given for it; for a switch, one each time */
  readonly read: (given: readonly string[], name: string) => Value;
}

export type Options = Readonly<Record<string, Option>>;

export interface Operand {
  readonly form: string;
  /** A description of the operand, if the command needs one: "the name of a tool". */
  readonly needed?: string;
  readonly several?: true;
}

export type Given<Own extends Options> = {
  readonly [Name in keyof Own]: ReturnType<Own[Name]['read']>;
} & {
  readonly words: readonly string[];
  /** The program after `--` that is the server, with its arguments. */
  readonly command: readonly string[] | undefined;
};

/** Checks a declaration and gives its `run` the types of its options. */
export function command<Own extends Options>(declared: Command<Own>): Command<Own> {
  return declared;
}

export function flag(about: string): Option<boolean> {
  return { about, read: (given) => given.length > 0 };
}

export function text(value: string, about: string): Option<string | undefined> {
  return { value, about, read: (given) => given.at(-1) };
}

export function texts(value: string, about: string): Option<readonly string[]> {
  return { value, about, read: (given) => given };
}

export function names(value: string, about: string): Option<readonly string[]> {
  return {
    value,
    about,
    read: (given, option) => {
      const named = (given.at(-1) ?? '').split(',').map((word) => word.trim());
      const some = named.filter((word) => word !== '');
      if (given.length > 0 && some.length === 0) throw new UsageError(`--${option} names nothing.`);
      return some;
    },
  };
}

export function oneOf<const Choice extends string>(
  choices: readonly Choice[],
  value: string,
  about: string,
): Option<Choice | undefined> {
  const read = (text: string) => choices.find((choice) => choice === text);
  return parsed(value, about, `one of ${choices.join(', ')}`, read);
}

export function parsed<Value>(
  value: string,
  about: string,
  expected: string,
  read: (text: string) => Value | undefined,
): Option<Value | undefined> {
  return {
    value,
    about,
    read: (given, option) => {
      const wanted = given.at(-1);
      const found = wanted === undefined ? undefined : read(wanted);
      if (found !== undefined || wanted === undefined) return found;
      throw new UsageError(`--${option} takes ${expected}; it was "${wanted}".`);
    },
  };
}

/** An option that takes a whole number. */
export function whole(value: string, about: string, least: number, most = Infinity): Option<number | undefined> {
  const limits = most === Infinity ? '' : ` and at most ${most}`;
  return parsed(value, about, `a number of at least ${least}${limits}`, (text) =>
    /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined,
  );
}

/** `name=value` pairs, one a word. @throws UsageError if a word has no name, or two have the same */
export function pairsOf(words: readonly string[], instead: string): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>();
  for (const word of words) {
    const at = word.indexOf('=');
    if (at < 1) throw new UsageError(`"${word}" is not of the form NAME=VALUE. ${instead}`);
    const name = word.slice(0, at);
    if (pairs.has(name)) throw new UsageError(`"${name}" is given twice. ${instead}`);
    pairs.set(name, word.slice(at + 1));
  }
  return pairs;
}
