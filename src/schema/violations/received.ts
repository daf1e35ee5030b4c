import { type JsonType, pointerTokens, typeOf } from '../../json/index.js';
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
export type KnownTexts = WeakMap<object, string>;

/**
 * @param location the JSON Pointer to the value, by whose names secrets are told; undefined where those do not matter
 * @param known texts of the same evaluation
 */
export function receive(value: unknown, location: string | undefined, known: KnownTexts): Received {
  let text: string | undefined;
  return {
    type: typeOf(value),
    value,
    get text() {
      const path = location === undefined ? [] : pointerTokens(location);
      return (text ??= isSecret(path, value) ? hidden : textOf(value, known));
    },
  };
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
