import { canonicalText, type JsonObject } from '../../json/index.js';
import { AuthorizationError, CancelledError, IncompleteListError, isRequestFailure } from '../errors/errors.js';
import { ProtocolError } from '../errors/errors.js';
import type { McpError } from '../errors/errors.js';
import type { Reply } from './requests.js';
import type { ListLimits } from './session.js';

export const defaultListLimits: ListLimits = { pages: 1000, entries: 100_000, bytes: 128 * 1024 * 1024 };

export interface Page extends Pick<Reply, 'wire'> {
  readonly entries: readonly unknown[];
}

/**
 * Reads a list to its end, page after page. An empty cursor counts as a cursor (2025-11-25, Pagination); servers that
 * end their lists with one reject it, or begin anew, and so are understood.
 *
 * @param made converts the pages; in an error, the pages read so far
 * @throws IncompleteListError at a bound, at a repeated cursor, or when a page after the first cannot be read
 */
export async function readAllPages<T>(
  method: string,
  key: string,
  ask: (params: JsonObject) => Promise<Pick<Reply, 'result' | 'wire'>>,
  limits: ListLimits,
  made: (pages: readonly Page[]) => T,
): Promise<T> {
  const pages: Page[] = [];
  const cursors = new Set<string>();
  let count = 0;
  let bytes = 0;
  let params: { cursor?: string } = {};
  for (;;) {
    let page: Page;
    let cursor: unknown;
    try {
      const { result, wire } = await ask(params);
      const found = result[key];
      if (!Array.isArray(found)) throw notAList(method, key, found);
      page = { entries: found, wire };
      cursor = result['nextCursor'];
    } catch (error) {
      if (pages.length === 0 || !isRequestFailure(error) || isTheCallersAffair(error)) throw error;
      if (params.cursor === '') return made(pages);
      throw incomplete(`could not be read beyond page ${pages.length}: ${error.message}`, { cause: error });
    }
    if (params.cursor === '' && isAmong(pages, page)) return made(pages);
    pages.push({ ...page, entries: page.entries.slice(0, limits.entries - count) });
    count += page.entries.length;
    if (count > limits.entries) throw incomplete(`has more than ${limits.entries} entries`, { limit: 'entries' });

    // Some servers end a list with null, 0 or false.
    if ([undefined, null, 0, false].includes(cursor as undefined)) return made(pages);
    if (typeof cursor !== 'string') throw incomplete(`gives a cursor of type ${typeof cursor}, not a string`);
    if (cursors.has(cursor)) {
      if (cursor === '') return made(pages);
      throw incomplete('gives the same cursor twice and so would never end');
    }
    if (pages.length >= limits.pages) throw incomplete(`has more than ${limits.pages} pages`, { limit: 'pages' });
    bytes += page.wire.text.length;
    if (bytes > limits.bytes) throw incomplete(`has more than ${limits.bytes} bytes`, { limit: 'bytes' });
    cursors.add(cursor);
    params = { cursor };
  }

  function incomplete(what: string, options: { cause?: unknown; limit?: keyof ListLimits } = {}) {
    const title = `The server's answer to ${method} ${what.replace(/\.?$/, '.')}`;
    return new IncompleteListError(title, made(pages), options);
  }
}

function isTheCallersAffair(error: McpError): boolean {
  return error instanceof CancelledError || error instanceof AuthorizationError || error.code === 'SESSION_CLOSED';
}

function isAmong(pages: readonly Page[], { entries }: Page): boolean {
  const text = canonicalText(entries);
  return text !== undefined && pages.some((known) => canonicalText(known.entries) === text);
}

function notAList(method: string, key: string, found: unknown): ProtocolError {
  const came = found === undefined ? 'nothing' : found === null ? 'null' : typeof found;
  return new ProtocolError(`The server's answer to ${method} has no list "${key}"; found ${came} there.`);
}
