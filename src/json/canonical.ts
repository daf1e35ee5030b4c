import { has, isList, isObject } from './value.js';

const comparisonDepth = 200;

/**
 * A text that equal values share (2020-12 core, 4.2.2); undefined if they nest too deeply or `consume` returns false.
 */
export function canonicalText(value: unknown, consume: (steps: number) => boolean = () => true): string | undefined {
  const parts: string[] = [];
  return write(value, comparisonDepth) ? parts.join('') : undefined;

  function write(current: unknown, levels: number): boolean {
    if (levels < 0 || !consume(1)) return false;
    if (Array.isArray(current)) {
      parts.push('[');
      for (const item of current) {
        if (!write(item, levels - 1)) return false;
        parts.push(',');
      }
      parts.push(']');
      return true;
    }
    if (isObject(current)) {
      parts.push('{');
      const names = Object.keys(current);
      if (!consume(names.length >> 2)) return false;
      for (const name of names.sort()) {
        if (current[name] === undefined) continue;
        parts.push(JSON.stringify(name), ':');
        if (!write(current[name], levels - 1)) return false;
        parts.push(',');
      }
      parts.push('}');
      return true;
    }
    if (typeof current === 'string' && !consume(current.length >> 6)) return false;
    parts.push(scalarText(current));
    return true;
  }
}

/** A scalar's JSON text. A number without one (`1e400` is read as Infinity) is named: it equals nothing in JSON. */
export function scalarText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  const isWritten = typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint';
  return isWritten ? String(value) : 'null';
}

/** True if two JSON values are equal (2020-12 core, 4.2.2). Without recursion, since values may nest without end. */
export function equals(left: unknown, right: unknown): boolean {
  const waiting = [[left, right]];
  for (let pair = waiting.pop(); pair; pair = waiting.pop()) {
    const [one, other] = pair;
    if (one === other) continue;
    if (isList(one) && isList(other)) {
      if (one.length !== other.length) return false;
      for (const [index, item] of one.entries()) waiting.push([item, other[index]]);
    } else if (isObject(one) && isObject(other)) {
      const names = Object.keys(one).filter((name) => has(one, name));
      const { length } = Object.keys(other).filter((name) => has(other, name));
      if (length !== names.length || !names.every((name) => has(other, name))) return false;
      for (const name of names) waiting.push([one[name], other[name]]);
    } else if ([one, other].some((value) => isList(value) || isObject(value))) return false;
    else if (scalarText(one) !== scalarText(other)) return false;
  }
  return true;
}
