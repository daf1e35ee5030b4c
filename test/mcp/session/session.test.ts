import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connect, type Session } from '../../../src/mcp/index.js';
import { callTool, checkArguments } from '../../../src/tool/index.js';
import { type HttpServer, startHttpServer } from '../../../test-support/servers/http.js';
import { failureOf, toolNamed } from '../calling.js';

describe('a wrong option of one request', () => {
  let server: HttpServer;
  let session: Session;
  const tool = toolNamed('echo');
  beforeAll(async () => {
    server = await startHttpServer((exchange) => exchange.plain());
    session = await connect({ url: server.url });
    await session.listTools();
  });
  beforeEach(() => {
    server.seen.length = 0;
  });
  afterAll(async () => {
    await session.close();
    await server.close();
  });

  const requests: [method: string, send: (options: never) => unknown][] = [
    ['callTool', (options) => session.callTool(tool, {}, options)],
    ['callTool', (options) => callTool(session, tool, {}, options)],
    ['listTools', (options) => session.listTools(options)],
    ['listResources', (options) => session.listResources(options)],
    ['listResourceTemplates', (options) => session.listResourceTemplates(options)],
    ['readResource', (options) => session.readResource('a:b', options)],
    ['listPrompts', (options) => session.listPrompts(options)],
    ['getPrompt', (options) => session.getPrompt('a', {}, options)],
    ['complete', (options) => session.complete({ type: 'ref/prompt', name: 'a' }, { name: 'b', value: '' }, options)],
  ];

  test.each(requests)('The method %s refuses a wrong option before anything is sent', async (method, send) => {
    for (const [options, words] of [
      [{ idleTimeout: 5 }, `${method} has no option "idleTimeout". Did you mean "idleTimeoutMs"?`],
      [{ idleTimeoutMs: '5' }, `${method}: "idleTimeoutMs" has to be a number of milliseconds above 0`],
      [{ signal: true }, `${method}: "signal" has to be an AbortSignal; received true.`],
      ['fast', `The options of ${method} are an object; received "fast".`],
    ] as const) {
      const error = await failureOf((async () => send(options as never))());
      expect(error).toBeInstanceOf(TypeError);
      expect(error.message).toContain(words);
    }
    expect(server.seen).toEqual([]);
  });

  test.each<[options: object, message: string]>([
    [{ headers: ['a'] }, '"headers" has to be an object; received a list.'],
    [{ onProgress: true }, '"onProgress" has to be a function'],
    [{ maxDuration: 1 }, 'has no option "maxDuration". Did you mean "maxDurationMs"?'],
    [{ argumentsText: {} }, '"argumentsText" has to be a text'],
    [{ repairs: 'safe', outputSchema: 'warning' }, '"outputSchema" has to be "ignore", "warn" or "fail"'],
    [{ whenUndetermined: true }, '"whenUndetermined" has to be "refuse" or "allow"; received true.'],
    [{ repair: 'off' }, 'has no option "repair". Did you mean "repairs"?'],
    [{ fixed: null }, '"fixed" has to be an object; received null.'],
  ])('A call with a wrong option is an error before anything is sent: %j', async (options, message) => {
    await expect(callTool(session, tool, {}, options)).rejects.toThrow(message);
    expect(server.seen).toEqual([]);
  });

  test('A check with a wrong option is an error', () => {
    const wrong = { idleTimeoutMs: 5 } as object;
    expect(() => checkArguments(tool, {}, wrong)).toThrow('checkArguments has no option "idleTimeoutMs"');
  });

  test('The options of a call are accepted elsewhere, and options may be undefined', async () => {
    const all = { onProgress: () => {}, headers: {}, maxDurationMs: 5000, idleTimeoutMs: undefined } as object;
    await expect(session.listPrompts(all)).resolves.toEqual([]);
    await expect(callTool(session, tool, {}, { ...all, repairs: 'off', fixed: undefined })).resolves.toMatchObject({
      result: { isError: false },
    });
  });
});
