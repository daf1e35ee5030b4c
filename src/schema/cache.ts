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
 * It stays out of the way of schemas that are met once: a schema is at first only noted by its outline, an equal one
 * by its text, and from the next equal one on there is a value, made of a copy of the cache's own, so that nobody's
 * later change of an object can reach others.
 */
export class ContentCache<T> {
  private readonly outlines = new Set<string>();
  private readonly entries = new Map<string, T | undefined>();
  private length = 0;

  constructor(private readonly bounds: CacheBounds) {}

  /** @param create makes the value from a copy of the schema */
  find(schema: object, variant: string, create: (copy: unknown) => T): T | undefined {
    if (this.isNew(schema)) return undefined;
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

  /** Notes the schema's outline. An outline shared by different schemas costs time, nothing else. */
  private isNew(schema: object): boolean {
    const outline = outlineOf(schema);
    if (this.outlines.has(outline)) return false;
    if (this.outlines.size >= this.bounds.entries) this.outlines.clear();
    this.outlines.add(outline);
    return true;
  }

  private put(key: string, value: T | undefined, seen: boolean): void {
    if (seen) this.entries.delete(key);
    else this.length += key.length;
    this.entries.set(key, value);
    if (this.entries.size <= this.bounds.entries && this.length <= this.bounds.totalLength) return;
    for (const oldest of this.entries.keys()) {
      if (this.entries.size <= this.bounds.entries && this.length <= this.bounds.totalLength) break;
      this.entries.delete(oldest);
      this.length -= oldest.length;
    }
  }

  private textOf(schema: object): string | undefined {
    try {
      // No JSON at all yields undefined, whatever the declared type says.
      const text = JSON.stringify(schema) as string | undefined;
      return text !== undefined && text.length <= this.bounds.entryLength ? text : undefined;
    } catch {
      // Nested too deeply for JSON: it is not found again, that is all.
      return undefined;
    }
  }
}

/** Names that make up an outline. */
const outlineNames = 8;

/** The names of a schema's keywords and properties: enough to tell most tools' schemas apart. */
function outlineOf(schema: object): string {
  const names = Object.keys(schema);
  const { properties } = schema as { properties?: unknown };
  if (typeof properties === 'object' && properties !== null)
    names.push(...Object.keys(properties).slice(0, outlineNames));
  return names
    .slice(0, 2 * outlineNames)
    .join()
    .slice(0, 200);
}
