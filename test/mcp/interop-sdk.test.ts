import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, type ServerAddress, type Session } from '../../src/mcp/index.js';
import { programPath, startProgram, type Program } from '../../test-support/servers/program.js';
import { toolsText } from '../../test-support/servers/sdk-tools.mjs';
import { settled, until } from '../../test-support/waiting.js';
import { textOf } from './calling.js';

const [v1, v2] = ['sdk-v1.mjs', 'sdk-v2.mjs'] as const;

/** Servers built with the official SDKs, in both versions, over every transport. */
const servers: [what: string, script: string, args: string[], revision: string, Session['transport'], object?][] = [
  ['SDK v1 over stdio', v1, ['stdio'], '2025-11-25', 'stdio'],
  ['SDK v1 over streamable HTTP', v1, ['http'], '2025-11-25', 'http'],
  ['SDK v1 over SSE, by fallback', v1, ['sse'], '2025-11-25', 'sse'],
  ['SDK v1 over SSE, by choice', v1, ['sse'], '2025-11-25', 'sse', { transport: 'sse' }],
  ['SDK v2 of every revision over stdio', v2, ['stdio', 'every'], '2025-11-25', 'stdio'],
  ['SDK v2 of every revision over HTTP', v2, ['http', 'every'], '2025-11-25', 'http'],
  ['SDK v2 of 2026-07-28 only over stdio', v2, ['stdio', 'latest'], '2026-07-28', 'stdio'],
  ['SDK v2 of 2026-07-28 only over HTTP', v2, ['http', 'latest'], '2026-07-28', 'http'],
];

describe.each(servers)('given a server of %s', (_, script, args, protocolVersion, transport, more) => {
  let program: Program | undefined;
  let session: Session;
  beforeAll(async () => {
    const path = programPath(script);
    if (args[0] !== 'stdio') program = await startProgram(path, args);
    const address: ServerAddress = program
      ? { url: program.url, ...more }
      : { transport: 'stdio', command: process.execPath, args: [path, ...args] };
    session = await connect(address);
  });
  afterAll(async () => {
    await session.close();
    await program?.close();
  });

  const call = async (name: string, args_: Record<string, unknown> = {}) =>
    session.callTool((await session.listTools()).find(name)!, args_);

  test('speaks the revision and the transport it knows', () => {
    expect(session).toMatchObject({
      protocolVersion,
      transport,
      serverInfo: { name: 'sdk', version: '1.2.3', title: 'Built with the SDK' },
      instructions: 'Be exact.',
      capabilities: { tools: { listChanged: true } },
    });
  });

  test('hands on its tools as it wrote them', async () => {
    const { tools, skipped } = await session.listTools();
    expect(skipped).toEqual([]);
    expect(tools.map(({ definition }) => JSON.stringify(definition))).toEqual(toolsText);
  });

  test('calls its tools', async () => {
    expect(textOf(await call('verbatim', { a: 'x', b: 1 }))).toBe('{"a":"x","b":1}');
    expect(await call('structured')).toMatchObject({ structuredContent: { n: 1 }, isError: false });
  });

  test('delivers the error of a tool, although its structured content is invalid', async () => {
    const result = await call('failing');
    expect(result).toMatchObject({ isError: true, structuredContent: { wrong: true } });
    expect(textOf(result)).toBe('The disk is full.');
  });

  test('reads its resources, prompts and completions', async () => {
    expect(await session.listResources()).toEqual([{ uri: 'test://one', name: 'one', 'x-extra': 1 }]);
    expect(await session.listResourceTemplates()).toEqual([{ uriTemplate: 'test://{name}', name: 'any' }]);
    expect(await session.readResource('test://one')).toEqual([{ uri: 'test://one', text: 'the text of test://one' }]);
    expect(await session.listPrompts()).toEqual([{ name: 'greet', arguments: [{ name: 'who' }] }]);
    expect((await session.getPrompt('greet', { who: 'Ada' })).messages).toEqual([
      { role: 'user', content: { type: 'text', text: 'Hello Ada' } },
    ]);
    expect(await session.complete({ type: 'ref/prompt', name: 'greet' }, { name: 'who', value: 'a' })).toEqual({
      values: ['alice'],
      total: 1,
    });
  });

  const overHttp = args[0] === 'http';
  // A server of 2025 that keeps no session has no channel to announce changes on.
  if (!overHttp || args[1] !== 'every') {
    test('fetches its tools again once it says that they changed', async () => {
      const before = await session.listTools();
      expect(await session.listTools()).toBe(before);
      await call('changing');
      while ((await session.listTools()) === before) await settled();
    });
  }
  if (overHttp && protocolVersion === '2026-07-28') {
    test('mirrors parameters as headers', async () => {
      await call('mirrored', { region: 'Zürich', text: 'x' });
      const header = `mcp-param-region: =?base64?${Buffer.from('Zürich').toString('base64')}?=`;
      await until(() => program!.printed.includes(header));
    });
  }
});

describe('a server of every revision', () => {
  test('can be asked for the latest one first', async () => {
    const args = [programPath(v2), 'stdio', 'every'];
    const address = { transport: 'stdio', command: process.execPath, args } as const;
    await using session = await connect(address, { revisions: 'stateless-first' });
    expect(session.protocolVersion).toBe('2026-07-28');
    expect((await session.listTools()).tools.map(({ definition }) => JSON.stringify(definition))).toEqual(toolsText);
  });
});
