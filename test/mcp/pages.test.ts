import { describe, expect, test } from 'vitest';
import { connect, type Catalogue, type IncompleteListError } from '../../src/mcp/index.js';
import { stdioServer } from '../../test-support/servers/stdio.js';
import type { Exchange } from '../../test-support/servers/http.js';
import { failureOf, toolNamed } from './calling.js';
import { closeAfterEach, connected, given } from './serving.js';

closeAfterEach();

const names = ({ tools }: Catalogue) => tools.map(({ name }) => name);

describe('a list of tools in pages', () => {
  test('is read to its end, an empty cursor being one like any other', async () => {
    await using session = await connect(stdioServer('lists in pages'));
    expect(names(await session.listTools())).toEqual(['tool_0', 'tool_1', 'tool_2', 'tool_3']);
  });

  test.each([
    ['repeats a cursor', {}, 'same cursor twice', ['tool_0', 'tool_1']],
    ['never ends its list', { pages: 3 }, 'more than 3 pages', ['tool_0', 'tool_1', 'tool_2']],
    ['never ends its list', { entries: 2 }, 'more than 2 entries', ['tool_0', 'tool_1']],
    ['never ends its list', { bytes: 200 }, 'more than 200 bytes', ['tool_0', 'tool_1', 'tool_2']],
  ])('that %s ends with an error that keeps what was read (%o)', async (behaviour, listLimits, words, kept) => {
    await using session = await connect(stdioServer(behaviour), { listLimits });
    const error = (await failureOf(session.listTools())) as unknown as IncompleteListError<Catalogue>; // as its code says
    expect(error).toMatchObject({ code: 'INCOMPLETE_LIST', message: expect.stringContaining(words) });
    expect(names(error.partial)).toEqual(kept);
  });
});

describe('a list that comes over HTTP', () => {
  const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });
  const listed = async (list: (cursor: unknown, exchange: Exchange) => unknown) =>
    connected(
      await given((exchange) =>
        exchange.message.method === 'tools/list'
          ? list(exchange.message.params?.['cursor'], exchange)
          : exchange.plain(),
      ),
    );

  test.each(['', 0, false, null])('ends with the cursor %j, as some servers mean it', async (nextCursor) => {
    const session = await listed((_, { result }) => {
      result({ tools: [tool('a'), tool('b')], nextCursor });
    });
    expect(names(await session.listTools())).toEqual(['a', 'b']);
  });

  test('ends with an empty cursor on its last page, which the server refuses', async () => {
    const session = await listed((cursor, { result, json, message }) => {
      if (cursor === undefined) result({ tools: [tool('a')], nextCursor: '2' });
      else if (cursor === '2') result({ tools: [tool('b')], nextCursor: '' });
      else json({ jsonrpc: '2.0', id: message.id, error: { code: -32602, message: 'Invalid cursor' } });
    });
    expect(names(await session.listTools())).toEqual(['a', 'b']);
  });

  test('ends with an empty cursor on its last page, with which the server begins anew', async () => {
    const session = await listed((cursor, { result }) => {
      if (cursor === '2') result({ tools: [tool('b')], nextCursor: '' });
      else result({ tools: [tool('a')], nextCursor: '2' });
    });
    const { tools, setAside } = await session.listTools();
    expect({ names: tools.map(({ name }) => name), setAside }).toEqual({ names: ['a', 'b'], setAside: [] });
  });

  test('with an error on its second page says so, and keeps the first', async () => {
    const session = await listed((cursor, { result, json, message }) => {
      if (cursor === undefined) result({ tools: [tool('a')], nextCursor: '2' });
      else json({ jsonrpc: '2.0', id: message.id, error: { code: -32603, message: 'database is down' } });
    });
    const error = (await failureOf(session.listTools())) as unknown as IncompleteListError<Catalogue>; // as its code says
    expect(error).toMatchObject({
      code: 'INCOMPLETE_LIST',
      message: expect.stringContaining('database is down'),
      cause: { code: 'SERVER_ERROR' },
    });
    expect(names(error.partial)).toEqual(['a']);
  });

  test('with a cursor that is neither a text nor nothing says so, and keeps what there is', async () => {
    const session = await listed((_, { result }) => {
      result({ tools: [tool('a')], nextCursor: 7 });
    });
    const error = (await failureOf(session.listTools())) as unknown as IncompleteListError<Catalogue>; // as its code says
    expect(error).toMatchObject({ code: 'INCOMPLETE_LIST', message: expect.stringContaining('number') });
    expect(names(error.partial)).toEqual(['a']);
  });
});

describe('the list of tools of a session', () => {
  test('is fetched once, however many ask', async () => {
    await using session = await connect(stdioServer('changes its list'));
    const lists = await Promise.all([session.listTools(), session.listTools(), session.listTools()]);
    expect(new Set([...lists, await session.listTools()]).size).toBe(1);
  });

  test('is fetched again after the server says that it changed', async () => {
    await using session = await connect(stdioServer('changes its list'));
    expect(names(await session.listTools())).toEqual(['echo']);
    await session.callTool(toolNamed('echo'), {});
    expect(names(await session.listTools())).toEqual(['echo', 'environment']);
  });

  test('is fetched again after it was to be forgotten, also while it is being fetched', async () => {
    await using session = await connect(stdioServer('changes its list'));
    const first = session.listTools();
    session.forgetTools();
    expect(names(await first)).toEqual(['echo']);
    expect(names(await session.listTools())).toEqual(['echo', 'environment']);
    expect(names(await session.listTools())).toEqual(['echo', 'environment']);
  });

  test('is fetched for others when the first who asked gives up', async () => {
    await using session = await connect(stdioServer());
    const cancel = new AbortController();
    const first = failureOf(session.listTools({ signal: cancel.signal }));
    const second = session.listTools();
    cancel.abort();
    expect(await first).toMatchObject({ code: 'CANCELLED' });
    expect(names(await second)).toContain('echo');
  });
});
