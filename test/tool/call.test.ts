import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { connect, decline, type Session } from '../../src/mcp/index.js';
import { callTool, InvalidArgumentsError, InvalidResultError, resultText } from '../../src/tool/index.js';
import { startReplayServer, type ReplayServer } from '../../test-support/servers/replay.js';

const integerN = { type: 'object', properties: { n: { type: 'integer', minimum: 0 } }, additionalProperties: false };
const open = { type: 'object', properties: { n: { type: 'integer' }, tenant: { type: 'string' } } };
const tools = [
  { name: 'echo', inputSchema: integerN },
  { name: 'promises.n', inputSchema: integerN, outputSchema: { type: 'object', required: ['n'] } },
  { name: 'promises-more', inputSchema: integerN, outputSchema: { type: 'object', required: ['answer'] } },
  { name: 'no-schema', inputSchema: { $schema: 'http://json-schema.org/draft-07/schema#' } },
];

/** A real HTTP server that answers a call with its arguments, and records requests. */
let server: ReplayServer;
let session: Session;

beforeAll(async () => {
  server = await startReplayServer({ demo: [JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools } })] });
  session = await connect({ url: server.url('demo') });
});
afterAll(async () => {
  await session.close();
  await server.close();
});
beforeEach(() => server.forget());

/** Calls one of its tools. */
async function call(name: string, args: unknown, options?: Parameters<typeof callTool>[3]) {
  return callTool(session, (await session.listTools()).find(name)!, args, options);
}

const calls = () =>
  server
    .requests('demo')
    .filter(({ method }) => method === 'tools/call')
    .map(({ params }) => params);

describe('A number that JSON cannot hold', () => {
  const args = JSON.parse('{"filter":{"limits":[1,1e400]}}') as Record<string, unknown>;

  test('A number that JSON cannot hold is refused unless the schema allows it, and never sent as null', async () => {
    const refused = await call('no-schema', args).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(InvalidArgumentsError);
    expect(refused).toMatchObject({
      reasons: ['/filter/limits/1: must be a number that JSON can hold, received number Infinity'],
      report: { violations: [{ parameter: 'filter.limits[1]', receivedType: 'number' }] },
    });
    const tool = (await session.listTools()).find('no-schema')!;
    await expect(session.callTool(tool, args)).rejects.toThrow('/filter/limits/1 is a number');
    expect(calls()).toEqual([]);
  });

  test('A number that JSON cannot hold is sent as it is written if its text is given', async () => {
    const argumentsText = '{"filter":{"limits":[1,1e400]}}';
    const { warnings } = await call('no-schema', args, { argumentsText });
    expect([calls().length, warnings]).toEqual([1, []]);
  });
});

describe('callTool', () => {
  test('callTool sends the repaired arguments, to the tool by its own name', async () => {
    const { result, ...made } = await call('promises.n', { n: '5' });
    expect(calls()).toMatchObject([{ name: 'promises.n', arguments: { n: 5 } }]);
    const repairs = [{ instanceLocation: '/n', kind: 'integer', from: '5', to: 5 }];
    expect(made).toEqual({ arguments: { n: 5 }, repairs, warnings: [] });
    expect(resultText(result)).toBe('{"n":5}');
  });

  test('callTool hands each option of a call to the session, and hides fixed arguments beside the hidden ones', async () => {
    const given = {
      ...{
        signal: new AbortController().signal,
        idleTimeoutMs: 11,
        maxDurationMs: 22,
        headers: { a: '1' },
        meta: { b: 2 },
      },
      ...{ onProgress: () => {}, elicit: decline, beforeSending: () => Promise.resolve(), hidden: { n: 5 } },
      continuation: { requestState: 's', inputRequests: {}, inputResponses: {} },
    };
    const odd = { code: 'odd', message: 'Odd.' };
    const called = vi.fn(() => ({
      content: [],
      structuredContent: { at: 'never' },
      isError: false,
      raw: {},
      warnings: [odd],
    }));
    const listTools = vi.fn(() => session.listTools());
    const answering = { callTool: async (...all: unknown[]) => called(...(all as [])), listTools };
    const outputSchema = { properties: { at: { type: 'string', format: 'date' } } };
    const tool = { ...(await session.listTools()).find('no-schema')!, inputSchema: open, outputSchema };
    const ofTool = { repairs: 'all', fixed: { tenant: 'acme' }, budget: { steps: 9_999 } } as const;
    const options = { ...given, ...ofTool, argumentsText: '{"n": "5"}' };
    const { result, warnings } = await callTool(answering, tool, { n: '5' }, { ...options, assertFormats: true });
    const argumentsText = '{"tenant":"acme", "n": 5}';
    const hidden = { tenant: 'acme', n: 5 };
    expect(called.mock.calls).toEqual([[tool, { n: 5, tenant: 'acme' }, { ...given, argumentsText, hidden }]]);
    const title = 'The structured result does not satisfy the output schema of the tool.';
    const message = `${title}\n/at: must be a valid date, received string "never"`;
    expect([result.structuredContent, warnings]).toEqual([{ at: 'never' }, [odd, { code: 'output-schema', message }]]);
    expect((await callTool(answering, tool, { n: '5' }, options)).warnings).toEqual([odd]);
    await callTool(answering, 'no-schema', {}, given);
    expect(listTools.mock.calls).toEqual([[{ signal: given.signal, idleTimeoutMs: 11 }]]);
    await expect(callTool(answering, 'none', {})).rejects.toMatchObject({ code: 'UNKNOWN_TOOL' });
    await expect(callTool(answering, tool, {}, { repair: 'off' } as object)).rejects.toThrow('"repair"');
  });

  test('callTool sends arguments that no schema describes as they are, and an empty object if there are none', async () => {
    const args = { tool: 'x', toolCallId: 'y', n: '5', deep: [{ a: null }] };
    for (const given of [args, undefined]) await call('no-schema', given);
    const sent = (given: object) => {
      return { name: 'no-schema', arguments: given, _meta: { progressToken: expect.any(Number) as number } };
    };
    expect(calls()).toEqual([sent(args), sent({})]);
  });

  test('The error of callTool about a result that breaks the output schema has the result', async () => {
    const failed = call('promises-more', { n: 1 }, { outputSchema: 'fail' });
    const error = await failed.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InvalidResultError);
    const result = { structuredContent: { n: 1 } };
    const message = expect.stringContaining('"answer"') as string;
    expect(error).toMatchObject({ code: 'INVALID_RESULT', tool: 'promises-more', message, result });
  });

  test('callTool does not check an error against the output schema', async () => {
    const content = [{ type: 'text', text: 'No such n.' }];
    const failing = { callTool: async () => ({ content, isError: true, raw: {} }) };
    const tool = (await session.listTools()).find('promises-more')!;
    const { warnings, result } = await callTool(failing, tool, {}, { outputSchema: 'fail' });
    expect(warnings).toEqual([]);
    expect(resultText(result)).toBe('No such n.');
  });

  test.each([
    [undefined, { required: ['n'] }, 'It has no structured content.'],
    [{ n: 1 }, { required: ['a'] }, '(root): must have property "a", which is missing'],
    [{ n: 1 }, { properties: { n: { $ref: '#/gone' } } }, undefined],
    [{ n: 1 }, { required: ['n'] }, undefined],
  ])('The structured content %o is checked against the output schema %o: %s', async (structured, outputSchema, why) => {
    const answer = { content: [], isError: false, raw: {}, ...(structured && { structuredContent: structured }) };
    const answering = { callTool: () => Promise.resolve(answer) };
    const tool = { ...(await session.listTools()).find('no-schema')!, outputSchema };
    const reported = async (how?: 'ignore' | 'warn' | 'fail') =>
      callTool(answering, tool, {}, { outputSchema: how }).then(
        ({ warnings }) => warnings.map(({ message }) => message),
        (error: unknown) => (error as InvalidResultError).reasons,
      );
    const title = 'The structured result does not satisfy the output schema of the tool.';
    const warned = why === undefined ? [] : [`${title}\n${why}`];
    expect([await reported(), await reported('warn'), await reported('ignore')]).toEqual([warned, warned, []]);
    expect(await reported('fail')).toEqual(why === undefined ? [] : [why]);
  });
});
