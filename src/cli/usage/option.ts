import { UsageError } from '../exit.js';

/** An option as its command declares it; the parser, the help and the completion read it. */
export interface Option<Value = unknown> {
  /** What stands for its value in the help; a switch has none. */
  readonly value?: string;
  readonly about: string;
  /** For `-h`. */
  readonly letter?: string;
  /** The values that it takes, where they are few. */
  readonly choices?: readonly string[];
  /** Its value where none follows. */
  readonly usual?: string;
  /**
   * @param given every text that was given for it; of a switch, one for each time
   * @throws UsageError where it cannot be used
   */
  readonly read: (given: readonly string[], name: string) => Value;
}

export type Options = Readonly<Record<string, Option>>;

/** What may stand behind the command's name, in this order. */
export interface Operand {
  readonly form: string;
  /** What it is, where the command cannot do without: "the name of a tool". */
  readonly needed?: string;
  /** Whether more than one may stand there. */
  readonly several?: true;
}

/** What one command takes, and its help. */
export interface Usage<Own extends Options = Options> {
  /** One line for the list of commands. */
  readonly summary: string;
  readonly operands?: readonly Operand[];
  readonly about: string;
  readonly options: Own;
  /** What stands behind `mcp-verbatim`. */
  readonly examples: readonly string[];
}

/** What was given to a command: the values of its options by their names. */
export type Given<Declared extends Usage> = {
  readonly [Name in keyof Declared['options']]: ReturnType<Declared['options'][Name]['read']>;
} & {
  /** What stands for the operands. */
  readonly words: readonly string[];
  /** The program that is the server and its arguments, from behind `--`. */
  readonly command: readonly string[] | undefined;
};

export function flag(about: string): Option<boolean> {
  return { about, read: (given) => given.length > 0 };
}

export function text(value: string, about: string): Option<string | undefined> {
  return { value, about, read: (given) => given.at(-1) };
}

/** May be given several times. */
export function texts(value: string, about: string): Option<readonly string[]> {
  return { value, about, read: (given) => given };
}

/** Several between commas; none where it is not given. */
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
  return {
    ...{ value, about, choices },
    read: (given, option) => {
      const wanted = given.at(-1);
      const found = choices.find((choice) => choice === wanted);
      if (wanted === undefined || found !== undefined) return found;
      throw new UsageError(`--${option} takes one of ${choices.join(', ')}; it was "${wanted}".`);
    },
  };
}

/**
 * @param expected what it takes, for the error: "seconds, a number above 0"
 * @param read undefined where the text is none of it
 */
export function number(
  value: string,
  about: string,
  expected: string,
  read: (text: string) => number | undefined,
): Option<number | undefined> {
  return {
    ...{ value, about },
    read: (given, option) => {
      const wanted = given.at(-1);
      if (wanted === undefined) return undefined;
      const found = read(wanted);
      if (found === undefined) throw new UsageError(`--${option} takes ${expected}; it was "${wanted}".`);
      return found;
    },
  };
}
