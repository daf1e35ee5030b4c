import { cut, isList, isObject, isOwn, type JsonObject, quote, scalarText, shortened } from '../json/index.js';
import { isSecretName } from './names.js';
import { hidden, hideSecretsIn, isHarmless, isSecret, isSecretText, nameIn } from './values.js';

/** Levels of a value that are shown. */
const depthLimit = 4;

/**
 * How far beyond what is shown a text is searched for secrets: where one is cut off, what is left of it is hidden, too.
 */
const lookahead = 2_000;

/**
 * A value as JSON on one line, for people: what is likely to be a secret is hidden, then it is cut to a length. Takes
 * as long as that length needs, however large the value is.
 *
 * @param limit characters at most, but for the marks of what was cut off
 */
export function shownText(value: unknown, limit = 80): string {
  const text = textWithin(limit, value, depthLimit, false, limit);
  return text.length <= limit ? text : `${cut(text, limit - 3)}...`;
}

/**
 * The text of what its name does not make a secret.
 *
 * @param limit characters of each text in it
 * @param room characters after which no more is written
 */
function textWithin(limit: number, value: unknown, levels: number, isListed: boolean, room: number): string {
  if (room < 0) return '';
  if (typeof value === 'string') return quoted(value, limit);
  if (isList(value)) {
    if (levels === 0) return value.length > 0 ? '[...]' : '[]';
    let text = '[';
    for (let i = 0; i < value.length && text.length <= room; i++) {
      if (i > 0) text += ',';
      text += memberText(limit, value, i, value[i], levels - 1, isListed, room - text.length);
    }
    return `${text}]`;
  }
  if (!isObject(value)) return scalarText(value);
  if (levels === 0) return hasNames(value) ? '{...}' : '{}';
  let text = '{';
  for (const name in value) {
    if (text.length > room) break;
    if (!isOwn(value, name)) continue;
    text += `${text === '{' ? '' : ','}${quoted(name, limit)}:`;
    text += memberText(limit, value, name, value[name], levels - 1, false, room - text.length);
  }
  return `${text}}`;
}

function memberText(
  limit: number,
  holder: object,
  step: string | number,
  member: unknown,
  levels: number,
  isListed: boolean,
  room: number,
): string {
  const name = nameIn(holder, step, isListed);
  if (typeof member === 'string') return isSecretName(name) ? hidden : quoted(member, limit, name);
  if (isSecret([name], member)) return hidden;
  return textWithin(limit, member, levels, isList(holder), room);
}

function quoted(text: string, limit: number, name?: string): string {
  if (isHarmless(text)) return `"${text}"`;
  return isSecretText(text, name) ? hidden : quote(safe(text, limit), limit);
}

function hasNames(object: JsonObject): boolean {
  for (const name in object) if (isOwn(object, name)) return true;
  return false;
}

/** A text without its secrets, at least as much of it as is shown. */
function safe(text: string, limit: number): string {
  if (text.length <= limit + lookahead) return hideSecretsIn(text);
  return `${hideSecretsIn(cut(text, limit + lookahead))}${text.slice(-1)}`;
}

/**
 * A value for programs and logs: itself where it is small and holds no secret, else a copy with the secrets hidden, or
 * the beginning of its text where it is large.
 *
 * @param path the names and indexes that lead to the value
 * @param limit characters of its JSON text
 */
export function shownValue(value: unknown, path: readonly (string | number)[] = [], limit = 200): unknown {
  if (isSecret(path, value)) return hidden;
  if (typeof value === 'string')
    return value.length <= limit ? hideSecretsIn(value) : shortened(safe(value, limit), limit);
  if (typeof value !== 'object' || value === null) return value;
  const copy = hideWithin(value, { left: limit }, false);
  return copy === tooLarge ? shownText(value, limit) : copy;
}

const tooLarge = Symbol('too large');

/** The value with what is likely to be a secret hidden; told to be too large as soon as that is clear. */
function hideWithin(value: unknown, room: { left: number }, isListed: boolean): unknown {
  room.left -= typeof value === 'string' ? value.length + 2 : 1;
  if (room.left < 0) return tooLarge;
  if (typeof value === 'string') return isSecret([], value) ? hidden : hideSecretsIn(value);
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const [index, item] of value.entries()) {
      const shown = isSecret([nameIn(value, index, isListed)], item) ? hidden : hideWithin(item, room, true);
      if (shown === tooLarge) return tooLarge;
      items.push(shown);
    }
    return items;
  }
  if (!isObject(value)) return value;
  const members: [string, unknown][] = [];
  for (const name of Object.keys(value)) {
    room.left -= name.length + 3;
    const shown = isSecret([nameIn(value, name, false)], value[name]) ? hidden : hideWithin(value[name], room, false);
    if (shown === tooLarge) return tooLarge;
    members.push([isSecret([], name) ? hidden : hideSecretsIn(name), shown]);
  }
  return Object.fromEntries(members);
}
