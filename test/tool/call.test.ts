import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connect, type Session } from '../../src/mcp/index.js';
import { callTool, InvalidArgumentsError, InvalidResultError, resultText } from '../../src/tool/index.js';
import { startReplayServer, type ReplayServer } from '../../test-support/servers/replay.js';

const integerN = { type: 'object', properties: { n: { type: 'integer', minimum: 0 } }, additionalProperties: false };
const tools = [
  { name: 'echo', inputSchema: integerN },
  {
    name: 'promises.n',
    inputSchema: integerN,
    outputSchema: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } },
  },
  { name: 'promises-more', inputSchema: integerN, outputSchema: { type: 'object', required: ['answer'] } },
  { name: 'no-schema', inputSchema: { $schema: 'http://json-schema.org/draft-07/schema#' } },
];

/** A real server over HTTP that answers a call with its arguments; what reached it is recorded. */
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

async function tool(name: string) {
  const found = (await session.listTools()).find(name);
  if (!found) throw new Error(`The server has no tool "${name}".`);
  return found;
}

const calls = () =>
  server
    .requests('demo')
    .filter(({ method }) => method === 'tools/call')
    .map(({ params }) => params);

describe('A number that JSON cannot hold', () => {
  const args = JSON.parse('{"filter":{"limits":[1,1e400]}}') as Record<string, unknown>;

  test('is refused where the schema says nothing of it, and not sent as null', async () => {
    const refused = await callTool(session, await tool('no-schema'), args).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(InvalidArgumentsError);
    expect(refused).toMatchObject({
      reasons: ['/filter/limits/1: must be a number that JSON can hold, received number Infinity'],
      report: { violations: [{ parameter: 'filter.limits[1]', receivedType: 'number' }] },
    });
    await expect(session.callTool(await tool('no-schema'), args)).rejects.toThrow('/filter/limits/1 is a number');
    expect(calls()).toEqual([]);
  });

  test('is sent as it is written where its text is given', async () => {
    const argumentsText = '{"filter":{"limits":[1,1e400]}}';
    const { warnings } = await callTool(session, await tool('no-schema'), args, { argumentsText });
    expect([calls().length, warnings]).toEqual([1, []]);
  });
});

describe('callTool, to a server nobody here wrote', () => {
  test('repairs the numbers of sequential thinking, which the server itself would refuse', async () => {
    const script = join(
      dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/server-sequential-thinking/package.json')),
      'dist',
      'index.js',
    );
    await using thinking = await connect({ transport: 'stdio', command: process.execPath, args: [script] });
    const sequential = (await thinking.listTools()).find('sequentialthinking');
    if (!sequential) throw new Error('The server has no tool "sequentialthinking".');
    const args = { thought: '1', nextThoughtNeeded: true, thoughtNumber: '1', totalThoughts: '3', isRevision: false };
    const { repairs, result } = await callTool(thinking, sequential, args);
    expect(result.isError).toBe(false);
    expect(JSON.parse(resultText(result))).toMatchObject({ thoughtNumber: 1, totalThoughts: 3 });
    expect(repairs.map(({ instanceLocation }) => instanceLocation)).toEqual(['/thoughtNumber', '/totalThoughts']);
  });
});

describe('callTool', () => {
  test('sends the repaired arguments, to the tool by its own name', async () => {
    const {
      arguments: sent,
      repairs,
      warnings,
      result,
    } = await callTool(session, await tool('promises.n'), { n: '5' });
    expect(calls()).toMatchObject([{ name: 'promises.n', arguments: { n: 5 } }]);
    expect(sent).toEqual({ n: 5 });
    expect(repairs).toEqual([{ instanceLocation: '/n', kind: 'integer', from: '5', to: 5 }]);
    expect(warnings).toEqual([]);
    expect(resultText(result)).toBe('{"n":5}');
  });

  test('sends nothing where the arguments are refused', async () => {
    await expect(callTool(session, await tool('echo'), { n: 'x', extra: 1 })).rejects.toThrow(InvalidArgumentsError);
    await expect(callTool(session, await tool('echo'), { n: '5' }, { repairs: { integers: false } })).rejects.toThrow(
      '/n',
    );
    expect(calls()).toEqual([]);
  });

  test('sends arguments that no schema describes as they are', async () => {
    const args = { tool: 'x', toolCallId: 'y', n: '5', deep: [{ a: null }] };
    await callTool(session, await tool('no-schema'), args);
    expect(calls()).toMatchObject([{ arguments: args }]);
  });

  test.each([undefined, null])('sends no arguments as empty ones', async (args) => {
    await callTool(session, await tool('echo'), args);
    expect(calls()).toMatchObject([{ arguments: {} }]);
  });

  describe('where the result is not what the output schema promises', () => {
    test('warns', async () => {
      const { warnings, result } = await callTool(session, await tool('promises-more'), { n: 1 });
      expect(warnings).toMatchObject([{ code: 'output-schema', message: expect.stringContaining('answer') }]);
      expect(result.structuredContent).toEqual({ n: 1 });
    });
    test('fails if asked to, keeping the result', async () => {
      const error: unknown = await callTool(
        session,
        await tool('promises-more'),
        { n: 1 },
        { outputSchema: 'fail' },
      ).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(InvalidResultError);
      expect(error).toMatchObject({
        code: 'INVALID_RESULT',
        tool: 'promises-more',
        result: { structuredContent: { n: 1 } },
      });
    });
    test('says nothing if told to', async () => {
      const { warnings } = await callTool(session, await tool('promises-more'), { n: 1 }, { outputSchema: 'ignore' });
      expect(warnings).toEqual([]);
    });
  });

  test('does not hold an error to the output schema', async () => {
    const failing = {
      callTool: async () => ({ content: [{ type: 'text', text: 'No such n.' }], isError: true, raw: {} }),
    };
    const { warnings, result } = await callTool(failing, await tool('promises-more'), {}, { outputSchema: 'fail' });
    expect(warnings).toEqual([]);
    expect(resultText(result)).toBe('No such n.');
  });

  test('hands signal and timeout on', async () => {
    const aborted = AbortSignal.abort();
    await expect(callTool(session, await tool('echo'), {}, { signal: aborted })).rejects.toMatchObject({
      name: 'CancelledError',
    });
  });
});
