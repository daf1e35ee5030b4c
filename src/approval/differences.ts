import {
  briefJson,
  equals,
  has,
  isList,
  isObject,
  jsonPointer,
  type JsonObject,
  quote,
  startBudget,
  subschemaShape,
  visibleLine,
} from '../json/index.js';

/** What comparing two tools may cost, and how much of what differs is told. */
const limits = { steps: 200_000, ms: 200 };
const mostLines = 30;
const mostLevels = 500;

/**
 * What is compared: a schema, a list of them, a keyword's members that are schemas (the keyword's name), or anything
 * else.
 */
type Kind = 'schema' | 'schemas' | 'other' | { readonly members: string };

/**
 * What differs between two definitions of a tool, in words, each place with its JSON Pointer. What cannot be seen in a
 * text is shown as its escape.
 *
 * ```ts
 * const before = { inputSchema: { properties: { limit: { maximum: 100 } } } };
 * const after = { inputSchema: { properties: { limit: { maximum: 500 }, to: {} } } };
 * differencesInWords(before, after);
 * // => ['/inputSchema/properties/limit: maximum was 100 and is 500',
 * //     '/inputSchema: the property "to" was added: {}']
 * ```
 *
 * @returns none where JavaScript sees no difference
 */
export function differencesInWords(before: unknown, after: unknown): string[] {
  const lines: string[] = [];
  const work = startBudget(limits);
  let more = 0;
  compare(before, after, [], 'other');
  if (work.exhausted) lines.push('There is too much to compare; more may differ.');
  else if (more > 0) lines.push(`and ${more} more`);
  return lines;

  function say(path: readonly (string | number)[], what: string): void {
    if (lines.length >= mostLines) more++;
    else lines.push(path.length === 0 ? what : `${visibleLine(jsonPointer(path))}: ${what}`);
  }

  function compare(old: unknown, now: unknown, path: readonly (string | number)[], kind: Kind): void {
    if (!work.consume()) return;
    if (path.length > mostLevels) say(path.slice(0, 5), 'differs too deep inside to say how');
    else if (isObject(old) && isObject(now)) compareObjects(old, now, path, kind);
    else if (isList(old) && isList(now)) compareLists(old, now, path, kind);
    else if (!equals(old, now))
      say(path.slice(0, -1), `${visibleLine(String(path.at(-1) ?? 'it'))} ${wasAndIs(old, now)}`);
  }

  function compareObjects(old: JsonObject, now: JsonObject, path: readonly (string | number)[], kind: Kind): void {
    for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
      if (!work.consume()) return;
      if (has(old, name) && has(now, name)) {
        compare(old[name], now[name], [...path, name], kindOf(name, now[name], path, kind));
      } else {
        const [holder, noun] = typeof kind === 'object' ? [path.slice(0, -1), nounOf(kind.members)] : [path, ''];
        const value = shown(has(now, name) ? now[name] : old[name]);
        say(holder, `${noun}${named(name, noun)} was ${has(now, name) ? 'added' : 'removed'}: ${value}`);
      }
    }
  }

  function compareLists(
    old: readonly unknown[],
    now: readonly unknown[],
    path: readonly (string | number)[],
    kind: Kind,
  ): void {
    if ([...old, ...now].every((item) => typeof item !== 'object' || item === null)) {
      compareValues(old, now, path);
      return;
    }
    for (let index = 0; index < Math.max(old.length, now.length) && work.consume(); index++) {
      if (index >= old.length) say(path, `entry ${index} was added: ${shown(now[index])}`);
      else if (index >= now.length) say(path, `entry ${index} was removed: ${shown(old[index])}`);
      else compare(old[index], now[index], [...path, index], kind === 'schemas' ? 'schema' : 'other');
    }
  }

  function compareValues(old: readonly unknown[], now: readonly unknown[], path: readonly (string | number)[]): void {
    if (!work.consume(old.length + now.length)) return;
    const list = String(path.at(-1) ?? 'it');
    const [come, gone] = [without(now, old), without(old, now)];
    const [isIn, isOut] = list === 'required' ? ['is now', 'is no longer'] : ['was added to', 'was removed from'];
    for (const item of come) say(path.slice(0, -1), `${shown(item)} ${isIn} ${list}`);
    for (const item of gone) say(path.slice(0, -1), `${shown(item)} ${isOut} ${list}`);
    if (come.length + gone.length === 0 && !equals(old, now)) say(path.slice(0, -1), `${list} is in another order`);
  }
}

function without(list: readonly unknown[], other: readonly unknown[]): unknown[] {
  const known = new Set(other);
  return list.filter((item) => !known.has(item));
}

function kindOf(name: string, value: unknown, path: readonly unknown[], kind: Kind): Kind {
  if (typeof kind === 'object') return 'schema';
  if (kind === 'schema') {
    const shape = subschemaShape(name, value);
    if (shape === 'members') return { members: name };
    return shape === undefined ? 'other' : shape === 'list' ? 'schemas' : 'schema';
  }
  return path.length === 0 && (name === 'inputSchema' || name === 'outputSchema') ? 'schema' : 'other';
}

function nounOf(keyword: string): string {
  if (keyword === 'properties') return 'the property ';
  return keyword === '$defs' || keyword === 'definitions' ? 'the definition ' : `${keyword}: `;
}

function named(name: string, noun: string): string {
  return noun === '' ? visibleLine(name.slice(0, 80)) : quote(name);
}

/** Of texts, where they begin to differ. */
function wasAndIs(old: unknown, now: unknown): string {
  if (typeof old !== 'string' || typeof now !== 'string') return `was ${shown(old)} and is ${shown(now)}`;
  let start = 0;
  while (start < old.length && old[start] === now[start]) start++;
  const from = start < 40 ? 0 : start - 20;
  const part = (text: string) => shown(`${from > 0 ? '…' : ''}${text.slice(from)}`);
  return `was ${part(old)} and is ${part(now)}`;
}

function shown(value: unknown): string {
  return visibleLine(briefJson(value, 160));
}
