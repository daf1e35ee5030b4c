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

/** @param location the JSON Pointer to the value, by whose names secrets are told; undefined where those do not matter */
export function receive(value: unknown, location: string | undefined): Received {
  let text: string | undefined;
  return {
    type: typeOf(value),
    value,
    get text() {
      return (text ??= isSecret(location === undefined ? [] : pointerTokens(location), value)
        ? hidden
        : shownText(value));
    },
  };
}

/** 'string "abc"', 'null' */
export function receivedText({ type, text }: Received): string {
  return type === 'null' ? 'null' : `${type} ${text}`;
}
