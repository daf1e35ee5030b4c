import { describe, expect, test } from 'vitest';
import { connect, type Catalogue, type IncompleteListError } from '../../src/mcp/index.js';
import { stdioServer } from '../../test-support/servers/stdio.js';
import { failureOf, toolNamed } from './calling.js';

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
    const error = (await failureOf(session.listTools())) as IncompleteListError<Catalogue>;
    expect(error).toMatchObject({ code: 'INCOMPLETE_LIST', message: expect.stringContaining(words) });
    expect(names(error.partial)).toEqual(kept);
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
