import { type JsonType, typeOf } from '../../json/index.js';
import { hidden, shownText } from '../../secrets/index.js';

/** The value that a violation is about. */
export interface Received {
  readonly type: JsonType;
  /** The value itself, for programs; not to be shown where it may be a secret. */
  readonly value: unknown;
  /** The value as JSON for people: truncated, and hidden where it is likely to be a secret. */
  readonly text: string;
}

export function receive(value: unknown, secret: boolean): Received {
  const type = typeOf(value);
  return { type, value, text: secret && type !== 'null' ? hidden : shownText(value) };
}
