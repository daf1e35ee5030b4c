import { briefJson, equals, isList, isObject, jsonPointer, WorkBudget, visibleLine } from '../json/index.js';

const limits = { steps: 20_000, ms: 100 };
const mostLines = 30;
const mostLevels = 500;

type Path = readonly (string | number)[];

/** The differences between two JSON values, each with its JSON Pointer. Invisible characters are shown as escapes. */
export function differencesInWords(before: unknown, after: unknown): string[] {
  const lines: string[] = [];
  const budget = new WorkBudget(limits);
  let more = 0;
  compare(before, after, []);
  if (budget.exhausted) lines.push('There is too much to compare; more may differ.');
  else if (more > 0) lines.push(`and ${more} more`);
  return lines;

  function add(path: Path, what: string): void {
    if (lines.length >= mostLines) more++;
    else lines.push(`${path.length === 0 ? 'it' : visibleLine(jsonPointer(path))} ${what}`);
  }

  function compare(old: unknown, now: unknown, path: Path): void {
    if (!budget.consume()) return;
    if (path.length > mostLevels) add(path.slice(0, 5), 'differs too deep inside to say how');
    else if (isScalarList(old) && isScalarList(now)) compareScalars(old, now, path);
    else if ((isObject(old) && isObject(now)) || (isList(old) && isList(now))) compareMembers(old, now, path);
    else if (!equals(old, now)) add(path, wasAndIs(old, now));
  }

  function compareMembers(old: object, now: object, path: Path): void {
    const [olds, nows] = [new Map(Object.entries(old)), new Map<string, unknown>(Object.entries(now))];
    for (const name of new Set([...olds.keys(), ...nows.keys()])) {
      if (!budget.consume()) return;
      if (!nows.has(name)) add([...path, name], `was removed: ${shown(olds.get(name))}`);
      else if (!olds.has(name)) add([...path, name], `was added: ${shown(nows.get(name))}`);
      else compare(olds.get(name), nows.get(name), [...path, name]);
    }
  }

  /** Compares lists such as `enum` and `required`, whose order hardly matters. */
  function compareScalars(old: readonly unknown[], now: readonly unknown[], path: Path): void {
    if (!budget.consume(old.length + now.length)) return;
    const [olds, nows] = [new Set(old), new Set(now)];
    const [added, removed] = [now.filter((item) => !olds.has(item)), old.filter((item) => !nows.has(item))];
    for (const item of added) add(path, `has ${shown(item)} added`);
    for (const item of removed) add(path, `has ${shown(item)} removed`);
    if (added.length + removed.length === 0 && !equals(old, now)) add(path, 'is in another order');
  }
}

function isScalarList(value: unknown): value is readonly unknown[] {
  return isList(value) && value.every((item) => typeof item !== 'object' || item === null);
}

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
