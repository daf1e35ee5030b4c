import { pointerTokens } from '../json/index.js';

/** The value at a location, or undefined where there is none. Inherited properties are none. */
export function valueAt(instance: unknown, location: string): unknown {
  let value = instance;
  for (const token of pointerTokens(location)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return undefined;
    // An array's elements are own properties under their decimal index, too.
    value = (value as Record<string, unknown>)[token];
  }
  return value;
}

/** Where the value at a location is held; undefined for the root. */
export function parentOf(location: string): string | undefined {
  return location === '' ? undefined : location.slice(0, location.lastIndexOf('/'));
}

/** Whether one location is the other or lies beneath it. */
export function isWithin(location: string, ancestor: string): boolean {
  return location.startsWith(ancestor) && (location.length === ancestor.length || location[ancestor.length] === '/');
}

/** A set of locations that knows in one step whether another one is in it, holds one of it or is held by one. */
export class Places {
  private readonly places = new Set<string>();
  private readonly holders = new Set<string>();

  constructor(locations: Iterable<string> = []) {
    for (const location of locations) this.add(location);
  }

  add(location: string): void {
    if (this.places.has(location)) return;
    this.places.add(location);
    for (let at = parentOf(location); at !== undefined && !this.holders.has(at); at = parentOf(at))
      this.holders.add(at);
  }

  /** Whether a location is one of the places or lies within one. */
  hold(location: string): boolean {
    for (let at: string | undefined = location; at !== undefined; at = parentOf(at))
      if (this.places.has(at)) return true;
    return false;
  }

  /** Whether a location is one of the places, lies within one or holds one. */
  touch(location: string): boolean {
    return this.holders.has(location) || this.hold(location);
  }
}
