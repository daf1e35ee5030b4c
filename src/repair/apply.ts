import { pointerTokens } from '../json/index.js';
import type { Repair } from './options.js';

/** The instance with some repairs made, copied only along their paths; the instance itself stays as it is. */
export function applyRepairs(instance: unknown, repairs: readonly Repair[]): unknown {
  const copies = new Set<unknown>();
  let root = instance;
  for (const repair of repairs) {
    const tokens = pointerTokens(repair.instanceLocation);
    const last = tokens.pop();
    if (last === undefined) {
      root = repair.to;
      continue;
    }
    root = ownCopy(root, copies);
    let holder = root;
    for (const token of tokens) {
      const child = ownCopy(read(holder, token), copies);
      write(holder, token, child);
      holder = child;
    }
    if (repair.kind === 'null') delete (holder as Record<string, unknown>)[last];
    else write(holder, last, repair.to);
  }
  return root;
}

function ownCopy(value: unknown, copies: Set<unknown>): unknown {
  if (copies.has(value)) return value;
  // The spread keeps the order of keys and copies a key named __proto__ as the plain property it is.
  const copy = Array.isArray(value) ? value.slice() : { ...(value as object) };
  copies.add(copy);
  return copy;
}

function read(holder: unknown, token: string): unknown {
  return (holder as Record<string, unknown>)[token];
}

/** Defines rather than assigns: an assignment to __proto__ could set the prototype. */
function write(holder: unknown, token: string, value: unknown): void {
  Object.defineProperty(holder, token, { value, writable: true, enumerable: true, configurable: true });
}
