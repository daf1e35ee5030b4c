import { isObject } from './json.js';
import type { SchemaNode } from './node.js';
import type { Run } from './run.js';

/** Objects and arrays within one another whose equality is decided; more stays undetermined. */
export const comparisonDepth = 200;

/**
 * A key that two JSON values share exactly where they are equal (2020-12 core, 4.2.2): numbers by value, objects
 * without regard to the order of their members. Primitives are their own keys; `Map` and `Set` compare them right.
 *
 * @returns undefined where the run's budget does not allow to find out
 */
export function canonical(value: unknown, run: Run, node: SchemaNode, keyword: string): unknown {
  if (typeof value !== 'object' || value === null) {
    if (run.spend(1)) return primitiveKey(value);
    run.undetermined('steps', node, keyword);
    return undefined;
  }
  const text = canonicalText(value, comparisonDepth, (steps) => run.spend(steps));
  if (text === undefined) run.undetermined(run.stopped ? 'steps' : 'depth', node, keyword);
  return text;
}

/** Marks canonical texts, so that none equals a string of the instance. */
const mark = '\u0000';

function primitiveKey(value: unknown): unknown {
  return typeof value === 'string' && value.startsWith(mark) ? mark + value : (value ?? null);
}

/** @param spend told of every value; answers false once that is too much */
export function canonicalText(value: object, depth: number, spend: (steps: number) => boolean): string | undefined {
  const parts: string[] = [mark];
  return write(value, depth) ? parts.join('') : undefined;

  function write(current: unknown, levels: number): boolean {
    if (levels < 0 || !spend(1)) return false;
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
      for (const name of Object.keys(current).sort()) {
        if (current[name] === undefined) continue;
        parts.push(JSON.stringify(name), ':');
        if (!write(current[name], levels - 1)) return false;
        parts.push(',');
      }
      parts.push('}');
      return true;
    }
    if (typeof current === 'string' && !spend(current.length >> 6)) return false;
    // What JSON cannot carry (a function, undefined) reaches the wire as null.
    parts.push(typeof current === 'bigint' ? String(current) : (JSON.stringify(current) ?? 'null'));
    return true;
  }
}
