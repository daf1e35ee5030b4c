/** Bounds of what is kept: schemas, characters of one schema's text, characters of all texts. */
export interface CacheBounds {
  readonly entries: number;
  readonly entryLength: number;
  readonly totalLength: number;
}

/**
 * What was made of a schema, found again by the schema's JSON text within a bound, the least recently used dropped
 * first. Listing a server's tools once more yields new objects of the same text.
 *
 * A text met for the first time is only noted: compiling an own copy of it, so that nobody's later change of the
 * object can reach others, pays from the second time on.
 */
export class ContentCache<T> {
  private readonly entries = new Map<string, T | undefined>();
  private length = 0;

  constructor(private readonly bounds: CacheBounds) {}

  /** @param create makes the value from a copy of the schema; called when its text is met for the second time */
  find(schema: unknown, variant: string, create: (copy: unknown) => T): T | undefined {
    const text = this.textOf(schema);
    if (text === undefined) return undefined;
    const key = `${variant} ${text}`;
    const seen = this.entries.has(key);
    const value = this.entries.get(key) ?? (seen ? create(JSON.parse(text)) : undefined);
    this.put(key, value, seen);
    return value;
  }

  get size(): number {
    return this.entries.size;
  }

  private put(key: string, value: T | undefined, seen: boolean): void {
    if (seen) this.entries.delete(key);
    else this.length += key.length;
    this.entries.set(key, value);
    for (const oldest of this.entries.keys()) {
      if (this.entries.size <= this.bounds.entries && this.length <= this.bounds.totalLength) break;
      this.entries.delete(oldest);
      this.length -= oldest.length;
    }
  }

  private textOf(schema: unknown): string | undefined {
    if (typeof schema !== 'object' || schema === null) return undefined;
    try {
      const text = JSON.stringify(schema) as string | undefined;
      return text !== undefined && text.length <= this.bounds.entryLength ? text : undefined;
    } catch {
      // Nested too deeply for JSON, or no JSON at all: it is not found again, that is all.
      return undefined;
    }
  }
}
