import type { JsonType } from '../../json/index.js';
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
export type KnownTexts = Map<unknown, string>;

/** Characters from which a text is kept: what is shown whole was quickly made. */
const keptFrom = 80;

/**
 * @param names the names that lead to the value, by which secrets are told; none where those do not matter
 * @param texts those of the same evaluation
 */
export function shownReceived(
  value: unknown,
  names: readonly string[],
  texts: { known: KnownTexts | undefined },
): string {
  if (isSecret(names, value)) return hidden;
  const text = texts.known?.get(value) ?? shownText(value);
  if (text.length >= keptFrom) (texts.known ??= new Map()).set(value, text);
  return text;
}
