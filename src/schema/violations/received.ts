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

/** Characters from which a text is kept: what is shown whole was quickly made. */
const keptFrom = 80;

export class ReceivedValue implements Received {
  readonly type: JsonType;
  readonly #path: readonly (string | number)[];
  readonly #texts: { known: KnownTexts | undefined };
  #text: string | undefined;

  /**
   * @param path the names that lead to the value, by which secrets are told; none where those do not matter
   * @param texts those of the same evaluation
   */
  constructor(
    readonly value: unknown,
    path: readonly (string | number)[],
    texts: { known: KnownTexts | undefined },
  ) {
    this.type = typeOf(value);
    this.#path = path;
    this.#texts = texts;
  }

  get text(): string {
    return (this.#text ??= isSecret(this.#path, this.value) ? hidden : this.#shown());
  }

  toJSON(): Received {
    const { type, value, text } = this;
    return { type, value, text };
  }

  #shown(): string {
    const { value } = this;
    if (typeof value !== 'object' || value === null) return shownText(value);
    const texts = this.#texts;
    const text = texts.known?.get(value) ?? shownText(value);
    if (text.length >= keptFrom) (texts.known ??= new Map()).set(value, text);
    return text;
  }
}

/** 'string "abc"', 'null' */
export function receivedText({ type, text }: Received): string {
  return type === 'null' ? 'null' : `${type} ${text}`;
}
