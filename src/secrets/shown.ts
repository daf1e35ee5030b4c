import { cut, fits, isList, isObject, isOwn, quote, scalarText, shortened } from '../json/index.js';
import { hidden, hideSecretsIn } from './in-text.js';
import { copyWith, isSecret, nameIn } from './in-values.js';

/** Levels of a value that are shown. */
const depthLimit = 4;

/** How far beyond the shown part a text is searched: the rest of a secret that is cut off is hidden, too. */
const lookahead = 2_000;

/**
 * A value as JSON on one line, for people: what is likely to be a secret is hidden, then it is cut to a length. Takes
 * as long as that length needs, however large the value is.
 *
 * @param limit characters at most, but for the marks of what was cut off
 */
export function shownText(value: unknown, limit = 80): string {
  const text = textOf(value, '', depthLimit, limit);
  return text.length <= limit ? text : `${cut(text, limit - 3)}...`;

  /** @param room characters after which no more is written */
  function textOf(value: unknown, name: string, levels: number, room: number): string {
    if (isSecret([name], value)) return hidden;
    if (typeof value === 'string') return quote(safe(value, limit), limit);
    if (!isList(value) && !isObject(value)) return scalarText(value);
    const [open, close] = isList(value) ? ['[', ']'] : ['{', '}'];
    let text = open;
    for (const [step, member] of membersOf(value)) {
      if (levels === 0) return `${open}...${close}`;
      if (text.length > room) break;
      if (text !== open) text += ',';
      if (typeof step === 'string') text += `${textOf(step, '', 0, 0)}:`;
      text += textOf(member, nameIn(value, step), levels - 1, room - text.length);
    }
    return text + close;
  }
}

/** One by one: a value may have more members than are ever shown. */
function* membersOf(value: object): Generator<[step: string | number, member: unknown]> {
  if (isList(value)) yield* value.entries();
  else if (isObject(value)) for (const name in value) if (isOwn(value, name)) yield [name, value[name]];
}

/** A text without its secrets, at least as much of it as is shown. */
function safe(text: string, limit: number): string {
  if (text.length <= limit + lookahead) return hideSecretsIn(text);
  return `${hideSecretsIn(cut(text, limit + lookahead))}${text.slice(-1)}`;
}

/**
 * A value for programs and logs: a copy with the secrets hidden, or the beginning of its text where it is large.
 *
 * @param path the names and indexes that lead to the value
 * @param limit characters of its JSON text
 */
export function shownValue(value: unknown, path: readonly (string | number)[] = [], limit = 200): unknown {
  if (isSecret(path, value)) return hidden;
  if (typeof value === 'string') return shortened(safe(value, limit), limit);
  if (typeof value !== 'object' || value === null) return value;
  if (!fits(value, limit) || JSON.stringify(value).length > limit) return shownText(value, limit);
  return copyWith(value, (part, name) => {
    if (isSecret([name], part)) return hidden;
    return typeof part === 'string' ? hideSecretsIn(part) : part;
  });
}
