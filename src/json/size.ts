import { isObject } from './value.js';

/**
 * Whether a value is within a size: its values plus the characters of its strings and names. Walks without
 * recursion and stops at the limit, so that even a value that contains itself is answered.
 */
export function fits(value: unknown, limit: number): boolean {
  let size = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0 && size <= limit) {
    const current = waiting.pop();
    size++;
    if (typeof current === 'string') {
      size += current.length;
    } else if (Array.isArray(current)) {
      size += current.length;
      if (size <= limit) for (const item of current) waiting.push(item);
    } else if (isObject(current)) {
      for (const name of Object.keys(current)) {
        size += name.length;
        waiting.push(current[name]);
      }
    }
  }
  return size <= limit;
}
