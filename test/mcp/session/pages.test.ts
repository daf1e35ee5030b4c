import { describe, expect, test } from 'vitest';
import { AuthorizationError, CancelledError, connect, McpError } from '../../../src/mcp/index.js';
import type { Catalogue } from '../../../src/mcp/index.js';
import { defaultListLimits, readAllPages, type Page } from '../../../src/mcp/session/pages.js';
import { stdioServer } from '../../../test-support/servers/stdio.js';
import type { Exchange } from '../../../test-support/servers/http.js';
import { failureOf, toolNamed } from '../calling.js';
import { given, closeAfterEach, connected } from '../serving.js';

closeAfterEach();

const names = ({ tools }: Catalogue) => tools.map(({ name }) => name);

describe('a list that comes over HTTP', () => {
  const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });
  const listed = async (list: (cursor: unknown, exchange: Exchange) => unknown) =>
    connected(await given({ 'tools/list': (exchange) => list(exchange.message.params?.['cursor'], exchange) }));

  test('A list over HTTP that cannot be read is requested once and fails for all waiting callers', async () => {
    let asked = 0;
    const session = await listed((_, { json, message }) => {
      asked++;
      json({ jsonrpc: '2.0', id: message.id, error: { code: -32603, message: 'no list' } });
    });
    const failures = await Promise.all([1, 2, 3].map(() => failureOf(session.listTools())));
    expect(failures.map(({ code }) => code)).toEqual(Array(3).fill('SERVER_ERROR'));
    expect(asked).toBe(1);
  });

  test('A list over HTTP ends with an empty cursor that the server rejects', async () => {
    const session = await listed((cursor, { result, json, message }) => {
      if (cursor === undefined) result({ tools: [tool('a')], nextCursor: '2' });
      else if (cursor === '2') result({ tools: [tool('b')], nextCursor: '' });
      else json({ jsonrpc: '2.0', id: message.id, error: { code: -32602, message: 'Invalid cursor' } });
    });
    expect(names(await session.listTools())).toEqual(['a', 'b']);
  });
});

test('A list that is longer than listLimits allows is cut at the limit', async () => {
  const list = ({ result, message }: Exchange) =>
    result({ tools: [{ name: 'a', inputSchema: {} }], nextCursor: `${String(message.params?.['cursor'])}+` });
  const session = await connected(await given({ 'tools/list': list }), { listLimits: { pages: 2 } });
  const message = expect.stringContaining('more than 2 pages') as string;
  expect(await failureOf(session.listTools())).toMatchObject({ code: 'INCOMPLETE_LIST', message });
});

test('The list of tools is fetched once, however many ask', async () => {
  await using session = await connect(stdioServer('changes its list'));
  const lists = await Promise.all([session.listTools(), session.listTools(), session.listTools()]);
  expect(new Set([...lists, await session.listTools()]).size).toBe(1);
});

test('The list of tools is fetched again after the server says that it changed', async () => {
  await using session = await connect(stdioServer('changes its list'));
  expect(names(await session.listTools())).toEqual(['echo']);
  await session.callTool(toolNamed('echo'), {});
  expect(names(await session.listTools())).toEqual(['echo', 'environment']);
});

test('The list of tools is fetched again after forgetTools, also while it is being fetched', async () => {
  await using session = await connect(stdioServer('changes its list'));
  const first = session.listTools();
  session.forgetTools();
  expect(names(await first)).toEqual(['echo']);
  expect(names(await session.listTools())).toEqual(['echo', 'environment']);
  expect(names(await session.listTools())).toEqual(['echo', 'environment']);
});

test('The list of tools is fetched for the other callers if the first one cancels', async () => {
  await using session = await connect(stdioServer());
  const cancel = new AbortController();
  const first = failureOf(session.listTools({ signal: cancel.signal }));
  const second = session.listTools();
  cancel.abort();
  expect(await first).toMatchObject({ code: 'CANCELLED' });
  expect(names(await second)).toContain('echo');
});

describe('pages', () => {
  interface Answer {
    tools?: unknown;
    nextCursor?: unknown;
  }
  const read = (answers: readonly (Answer | Error)[], limits: Partial<typeof defaultListLimits> = {}) => {
    let asked = 0;
    const ask = async () => {
      const answer = answers[asked++];
      if (answer === undefined) throw new Error('asked too often');
      if (answer instanceof Error) throw answer;
      return { result: { ...answer }, wire: { text: JSON.stringify(answer) } };
    };
    return readAllPages('tools/list', 'tools', ask, { ...defaultListLimits, ...limits }, (pages) => pages);
  };
  const entries = (pages: readonly Page[]) => pages.map((page) => page.entries);
  const broken = async (answers: readonly (Answer | Error)[], limits?: Partial<typeof defaultListLimits>) => {
    const error = await failureOf(read(answers, limits));
    const { partial } = error as unknown as { partial?: Page[] };
    return { error, kept: partial && entries(partial) };
  };
  const more = (tools: unknown[], nextCursor: unknown = 'more') => ({ tools, nextCursor });

  test.each([undefined, null, 0, false])('Pages end with the cursor %j', async (nextCursor) => {
    expect(entries(await read([more([1], 'a'), { tools: [2], nextCursor }]))).toEqual([[1], [2]]);
  });

  test.each([
    ['nothing', undefined],
    ['null', null],
    ['string', 'a'],
    ['object', { a: 1 }],
  ])('A page with %s in place of a list gives an error that says so', async (came, tools) => {
    const { error } = await broken([{ tools }]);
    expect(error).toMatchObject({ code: 'PROTOCOL_VIOLATION' });
    expect(error.message).toContain(`no list "tools"; found ${came} there`);
  });

  test.each([true, 5, {}])(
    'Pages with the cursor %j after them are kept, and reported as incomplete',
    async (nextCursor) => {
      const { error, kept } = await broken([more([1], nextCursor)]);
      expect(error.message).toContain(typeof nextCursor);
      expect(kept).toEqual([[1]]);
    },
  );

  test('Pages continue after an empty cursor, unless the first page is repeated', async () => {
    expect(entries(await read([more([1], ''), more([1], 'a')]))).toEqual([[1]]);
    expect(entries(await read([more([1], ''), more([2], 'a'), { tools: [3] }]))).toEqual([[1], [2], [3]]);
    expect(entries(await read([more([1, 2], ''), more([1], 'a'), { tools: [3] }]))).toEqual([[1, 2], [1], [3]]);
    expect(entries(await read([more([1], ''), more([2], '')]))).toEqual([[1], [2]]);
  });

  test('Pages may reach their limits of number, entries and bytes, but not exceed them', async () => {
    const two = [more([1]), { tools: [2] }];
    const bytes = JSON.stringify(two[0]).length; // the last page is not counted
    for (const limits of [{ pages: 2 }, { entries: 2 }, { bytes }]) {
      expect(entries(await read(two, limits))).toEqual([[1], [2]]);
    }
  });

  const three = [more([1], 'a'), more([2], 'b'), more([3], 'c')];
  test.each<[string, Answer[], Partial<typeof defaultListLimits>, string, unknown[][], string]>([
    ['repeat a cursor', [more([1]), more([2])], {}, 'same cursor twice', [[1], [2]], 'The server is at fault.'],
    ['are too many', three, { pages: 2 }, 'more than 2 pages', [[1], [2]], 'listLimits.pages'],
    ['have too many entries', [more([1, 2, 3])], { entries: 2 }, '2 entries', [[1, 2]], 'listLimits.entries'],
    ['are too long', three, { bytes: 50 }, '50 bytes', [[1], [2]], 'listLimits.bytes'],
  ])('Pages that %s end with an error that keeps what was read', async (_, answers, limits, words, read, hint) => {
    const { error, kept } = await broken(answers, limits);
    expect(error).toMatchObject({ code: 'INCOMPLETE_LIST', message: expect.stringContaining(words) });
    expect([error.hint, kept]).toEqual([expect.stringContaining(hint), read]);
  });

  test.each([
    [new CancelledError('no'), false],
    [new AuthorizationError('no', { code: 'FORBIDDEN' }), false],
    [new McpError('no', { code: 'SESSION_CLOSED' }), false],
    [new Error('no'), false],
    [new McpError('no.', { code: 'TIMEOUT' }), true],
  ])('Pages that end with %s give an incomplete list: %j', async (error, isIncomplete) => {
    const second = await broken([more([1]), error]);
    expect(second.error === error).toBe(!isIncomplete);
    const message = "The server's answer to tools/list could not be read beyond page 1: no.";
    if (isIncomplete) expect(second).toMatchObject({ error: { message, cause: error }, kept: [[1]] });
    expect((await broken([error])).error).toBe(error);
  });
});
