import { cut, isList, isObject, isOwn, jsonText, scalarText, shortened, visibleLine } from '../json/index.js';
import { hidden, hideSecretsIn, looksRandom } from './in-text.js';
import { isSecretName, mayNameSecret } from './names.js';
import { startsAsToken } from './tokens.js';

/**
 * True if a value is likely to be a secret, by the names on its path, its shape, or because it looks like a random key.
 */
export function isSecret(path: readonly (string | number)[], value: unknown): boolean {
  if (typeof value === 'boolean' || value === null || value === undefined) return false;
  const names = path.filter((step) => typeof step === 'string');
  if (names.some(isSecretName)) return true;
  if (typeof value !== 'string') return false;
  return startsAsToken.test(value.slice(0, 500)) || (looksRandom(value) && mayNameSecret(names.at(-1) ?? ''));
}

/**
 * The names that lead to a value. In `{"name": "Authorization", "value": "…"}`, the neighbour's name replaces "value".
 */
export function namesTo(root: unknown, path: readonly (string | number)[]): string[] {
  let holder = root;
  return path.map((step) => {
    const name = nameIn(holder, step);
    holder = Object.getOwnPropertyDescriptor(Object(holder), step)?.value;
    return name;
  });
}

function nameIn(holder: unknown, step: string | number): string {
  if ((step !== 'value' && step !== 'values') || !isObject(holder)) return String(step);
  const { name, key, header, field } = holder;
  return [name, key, header, field].find((beside) => typeof beside === 'string') ?? step;
}

/** The values in a call's arguments that no error may show. @param all arguments whose every value counts */
export function argumentSecrets(args: unknown, all: unknown = {}): string[] {
  const secrets = [...scalarsIn(args)].filter(([path, text]) => isSecret(path, text));
  return [...scalarsIn(all), ...secrets].map(([, text]) => text);
}

/** The texts and numbers in a value, as texts, with the names that lead to them. */
export function* scalarsIn(value: unknown, path: string[] = []): Generator<[path: string[], text: string]> {
  if (typeof value === 'string' || typeof value === 'number') yield [path, String(value)];
  else if (path.length < deepest)
    for (const [step, member] of membersOf(value)) yield* scalarsIn(member, [...path, nameIn(value, step)]);
}

const deepest = 100; // JSON of a server may nest deeper than a stack

/** A generator, as a value may have more members than are ever looked at. */
function* membersOf(holder: unknown): Generator<[step: string | number, member: unknown]> {
  if (isList(holder)) yield* holder.entries();
  else if (isObject(holder)) for (const name in holder) if (isOwn(holder, name)) yield [name, holder[name]];
}

type Show = (value: unknown, path: readonly string[]) => unknown;

/** A copy of a JSON value. `show` is called for names, too; `room` is how many names, scalars and characters fit. */
export function copyWith(value: unknown, show: Show, room = { left: Infinity }, path: readonly string[] = []): unknown {
  const own = show(value, path);
  room.left -= typeof own === 'string' ? own.length : 1;
  if (own !== value || !(isList(value) || isObject(value))) return own;
  if (path.length === deepest) return '…';
  const members: [string, unknown][] = [];
  for (const [step, member] of membersOf(value)) {
    if (room.left < 0) break;
    const shownStep = String(copyWith(String(step), show, room));
    members.push([shownStep, copyWith(member, show, room, [...path, nameIn(value, step)])]);
  }
  return isList(value) ? members.map(([, member]) => member) : Object.fromEntries(members);
}

/** JSON on one line for people, cut after secrets are hidden. Reads only the beginning of a large value. */
export function shownText(value: unknown, limit = 80): string {
  const copy = withoutSecrets(value, limit);
  const json = isList(copy) || isObject(copy) ? JSON.stringify(copy) : scalarText(copy);
  const text = visibleLine(json.replaceAll(`"${hidden}"`, hidden));
  return text.length <= limit ? text : `${cut(text, limit - 3)}...`;
}

/** For programs and logs: a copy with the secrets hidden, or the beginning of its text if that is long. */
export function shownValue(value: unknown, path: readonly (string | number)[] = [], limit = 200): unknown {
  if (isSecret(path, value)) return hidden;
  const copy = withoutSecrets(value, limit);
  if (typeof copy === 'string') return shortened(copy, limit);
  return jsonText(copy).length > limit ? shownText(value, limit) : copy;
}

function withoutSecrets(value: unknown, limit: number): unknown {
  const show = (part: unknown, path: readonly string[]) => {
    if (isSecret(path.slice(-1), part)) return hidden;
    // A secret that the cut goes through is found by its rest.
    return typeof part === 'string' ? hideSecretsIn(cut(part, limit + 2_000)) : part;
  };
  return copyWith(value, show, { left: 4 * limit });
}
