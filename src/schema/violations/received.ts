import { type JsonType, typeOf } from '../../json/index.js';
import { hidden, isSecret, shownText } from '../../secrets/index.js';

/** The value that a violation is about. */
export interface Received {
  readonly type: JsonType;
  /** The value itself, for programs; not to be shown where it may be a secret. */
  readonly value: unknown;
  /** The value as JSON for people: truncated, and hidden where it is likely to be a secret. */
  readonly text: string;
}

/** Texts of values that are refused several times over: listing the names of a large object is work. */
export type KnownTexts = Map<object, string>;

/**
 * @param path the names that lead to the value, by which secrets are told; none where those do not matter
 * @param known texts of the same evaluation
 */
export function receive(value: unknown, path: readonly (string | number)[], known: KnownTexts): Received {
  return new ReceivedValue(value, path, known);
}

class ReceivedValue implements Received {
  readonly type: JsonType;
  readonly #path: readonly (string | number)[];
  readonly #known: KnownTexts;
  #text: string | undefined;

  constructor(
    readonly value: unknown,
    path: readonly (string | number)[],
    known: KnownTexts,
  ) {
    this.type = typeOf(value);
    this.#path = path;
    this.#known = known;
  }

  get text(): string {
    return (this.#text ??= isSecret(this.#path, this.value) ? hidden : textOf(this.value, this.#known));
  }

  toJSON(): Received {
    const { type, value, text } = this;
    return { type, value, text };
  }
}

function textOf(value: unknown, known: KnownTexts): string {
  if (typeof value !== 'object' || value === null) return shownText(value);
  const text = known.get(value) ?? shownText(value);
  known.set(value, text);
  return text;
}

/** 'string "abc"', 'null' */
export function receivedText({ type, text }: Received): string {
  return type === 'null' ? 'null' : `${type} ${text}`;
}
