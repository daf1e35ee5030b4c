import { getEventListeners } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connect, type Session } from '../../src/mcp/index.js';
import { ReadResult } from '../../src/mcp/session/result.js';
import { stdioServer } from '../../test-support/servers/stdio.js';
import { until } from '../../test-support/waiting.js';
import { failureOf, textOf, toolNamed } from './calling.js';
import { temporaryFolder } from './temporary-folder.js';

/** Of the server of one test. */
let log: string;
const folder = temporaryFolder();
let logs = 0;
/** Resolves once the server has written this down. */
const serverHeard = (words: string) => until(() => existsSync(log) && readFileSync(log, 'utf8').includes(words));

describe('a call', () => {
  let session: Session;
  beforeEach(async () => {
    log = join(folder, `${logs++}.txt`);
    session = await connect(stdioServer('plain', log));
  });
  afterEach(() => session.close());

  test('sends the arguments as they are', async () => {
    const args = JSON.parse(
      '{"b":1,"a":{"__proto__":{"x":1},"constructor":null},"tool":"t","emoji":"🙂","empty":""}',
    ) as Record<string, unknown>;
    const { structuredContent } = await session.callTool(toolNamed('echo'), args);
    expect(JSON.stringify(structuredContent)).toBe(JSON.stringify(args));
  });

  test('is given up after its time limit, and the server is told', async () => {
    const error = await failureOf(session.callTool(toolNamed('hang'), {}, { idleTimeoutMs: 100 }));
    expect(error).toMatchObject({ code: 'TIMEOUT', idleTimeoutMs: 100 });
    await serverHeard('cancelled');
    expect(textOf(await session.callTool(toolNamed('echo'), { text: 'next' }))).toBe('{"text":"next"}');
  });

  test.each([Infinity, 2 ** 31])('may take as long as it likes (%s ms)', async (limit) => {
    const limits = { idleTimeoutMs: limit, maxDurationMs: limit };
    const { structuredContent } = await session.callTool(toolNamed('echo'), { a: 1 }, limits);
    expect(structuredContent).toEqual({ a: 1 });
  });

  test.each(['plain', 'answers after cancellation'])('can be cancelled, and a server that %s is told', async (kind) => {
    await using server = await connect(stdioServer(kind, log));
    const cancel = new AbortController();
    const call = server.callTool(toolNamed('hang'), {}, { signal: cancel.signal });
    cancel.abort();
    expect(await failureOf(call)).toMatchObject({ code: 'CANCELLED' });
    if (kind === 'plain') await serverHeard('cancelled');
    expect(textOf(await server.callTool(toolNamed('echo'), { text: 'next' }))).toBe('{"text":"next"}');
  });

  test('leaves no listener on a signal that is used for many', async () => {
    const { signal } = new AbortController();
    for (let n = 0; n < 3; n++) await session.callTool(toolNamed('echo'), {}, { signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

test('a part of a result that is no content block is kept, and costs no other part', () => {
  const text = { type: 'text', text: 'a' };
  expect(new ReadResult({ content: [null, text, [1], 5] }).content).toEqual([
    { type: 'unknown', value: null },
    text,
    { type: 'unknown', value: [1] },
    { type: 'unknown', value: 5 },
  ]);
});
