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

/** True if two JSON values are equal (2020-12 core, 4.2.2). A value that nests too deeply equals only itself. */
export function equals(left: unknown, right: unknown, levels = comparisonDepth): boolean {
  if (levels < 0) return false;
  if (left === right) return true;
  if (isList(left) && isList(right))
    return left.length === right.length && left.every((item, index) => equals(item, right[index], levels - 1));
  if (isObject(left) && isObject(right)) {
    const names = Object.keys(left).filter((name) => has(left, name));
    const isSame = (name: string) => has(right, name) && equals(left[name], right[name], levels - 1);
    return names.every(isSame) && Object.keys(right).filter((name) => has(right, name)).length === names.length;
  }
  const isNested = [left, right].some((value) => isList(value) || isObject(value));
  return !isNested && scalarText(left) === scalarText(right);
}
