import { IncompleteListError, ProtocolError } from './errors.js';
import type { ListLimits } from './session.js';

export const defaultListLimits: ListLimits = { pages: 1000, entries: 100_000, bytes: 128 * 1024 * 1024 };

/**
 * Reads a list to its end, page after page. A cursor is opaque, and an empty string is one like any other (2025-11-25,
 * Pagination); only its absence, or null as some servers send it, ends the list.
 *
 * @param ask sends the request for one page
 * @param key where the entries of a page are
 * @throws IncompleteListError with what was read, when a bound is reached, when the server comes back to a cursor it
 *   gave before, and so would never end, or when a page after the first cannot be read
 */
export async function readAllPages(
  method: string,
  key: string,
  ask: (params: Record<string, unknown>) => Promise<Record<string, unknown>>,
  limits: ListLimits,
): Promise<unknown[]> {
  const entries: unknown[] = [];
  const cursors = new Set<string>();
  let bytes = 0;
  let params: Record<string, unknown> = {};
  for (let page = 1; ; page++) {
    const result = await ask(params);
    const found = result[key];
    if (!Array.isArray(found)) throw notAList(method, key, found);
    for (const entry of found) entries.push(entry);
    if (entries.length > limits.entries)
      throw incomplete(`has more than ${limits.entries} entries`, entries.slice(0, limits.entries));

    const cursor = result['nextCursor'];
    if (cursor === undefined || cursor === null) return entries;
    if (typeof cursor !== 'string') throw incomplete(`gives a cursor that is ${typeof cursor}, not a string`, entries);
    if (cursors.has(cursor)) throw incomplete('gives the same cursor twice and so would never end', entries);
    if (page >= limits.pages) throw incomplete(`has more than ${limits.pages} pages`, entries);
    // A single page is bounded as a message; only what adds up over pages has to be counted.
    bytes += JSON.stringify(found).length;
    if (bytes > limits.bytes) throw incomplete(`has more than ${limits.bytes} bytes`, entries);
    cursors.add(cursor);
    params = { cursor };
  }

  function incomplete(what: string, partial: unknown[]): IncompleteListError {
    return new IncompleteListError(`The server's answer to ${method} ${what}.`, partial);
  }
}

function notAList(method: string, key: string, found: unknown): ProtocolError {
  const came = found === undefined ? 'nothing' : found === null ? 'null' : typeof found;
  return new ProtocolError(`The server's answer to ${method} has no list "${key}"; found ${came} there.`);
}
