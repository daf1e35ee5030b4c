import { describe, expect, test } from 'vitest';
import { toolsText } from '../../test-support/servers/sdk-tools.mjs';
import { settled, until } from '../../test-support/waiting.js';
import { textOf } from './calling.js';
import { sessionWith } from './server-program.js';

const [v1, v2] = ['sdk-v1.mjs', 'sdk-v2.mjs'] as const;

/** Servers of both versions of the official SDK, over every transport. */
describe.each([
  ['SDK v1 over stdio', v1, ['stdio'], '2025-11-25', 'stdio'],
  ['SDK v1 over streamable HTTP', v1, ['http'], '2025-11-25', 'http'],
  ['SDK v1 over SSE, by fallback', v1, ['sse'], '2025-11-25', 'sse'],
  ['SDK v2, asked for the latest revision', v2, ['stdio', 'every'], '2026-07-28', 'stdio', 'stateless-first'],
  ['SDK v2 of every revision over HTTP', v2, ['http', 'every'], '2025-11-25', 'http'],
  ['SDK v2 of 2026-07-28 only over stdio', v2, ['stdio', 'latest'], '2026-07-28', 'stdio'],
  ['SDK v2 of 2026-07-28 only over HTTP', v2, ['http', 'latest'], '2026-07-28', 'http'],
] as const)('given a server of %s', (_, script, args, protocolVersion, transport, revisions?) => {
  const shared = sessionWith(script, args, { revisions });

  const call = async (name: string, given: Record<string, unknown> = {}) =>
    shared.session.callTool((await shared.session.listTools()).find(name)!, given);

  test('A server of the SDK is reached with its own revision and transport', () => {
    expect(shared.session).toMatchObject({
      protocolVersion,
      transport,
      serverInfo: { name: 'sdk', version: '1.2.3', title: 'Built with the SDK' },
      instructions: 'Be exact.',
      capabilities: { tools: { listChanged: true } },
    });
  });

  test("A server's tools are handed on as it wrote them", async () => {
    const { tools, skipped } = await shared.session.listTools();
    expect(skipped).toEqual([]);
    expect(tools.map(({ definition }) => JSON.stringify(definition))).toEqual(toolsText);
  });

  test("A server's tools are called", async () => {
    expect(textOf(await call('verbatim', { a: 'x', b: 1 }))).toBe('{"a":"x","b":1}');
    expect(await call('structured')).toMatchObject({ structuredContent: { n: 1 }, isError: false });
  });

  test("A tool's error is returned although its structured content is invalid", async () => {
    const result = await call('failing');
    expect(result).toMatchObject({ isError: true, structuredContent: { wrong: true } });
    expect(textOf(result)).toBe('The disk is full.');
  });

  test("A server's resources, prompts and completions are read", async () => {
    expect(await shared.session.listResources()).toEqual([{ uri: 'test://one', name: 'one', 'x-extra': 1 }]);
    expect(await shared.session.listResourceTemplates()).toEqual([{ uriTemplate: 'test://{name}', name: 'any' }]);
    const one = { uri: 'test://one', text: 'the text of test://one' };
    expect(await shared.session.readResource('test://one')).toEqual([one]);
    expect(await shared.session.listPrompts()).toEqual([{ name: 'greet', arguments: [{ name: 'who' }] }]);
    const greeting = { role: 'user', content: { type: 'text', text: 'Hello Ada' } };
    expect((await shared.session.getPrompt('greet', { who: 'Ada' })).messages).toEqual([greeting]);
    const completed = await shared.session.complete({ type: 'ref/prompt', name: 'greet' }, { name: 'who', value: 'a' });
    expect(completed).toEqual({ values: ['alice'], total: 1 });
  });

  const overHttp = args[0] === 'http';
  // A server of 2025 without sessions has no channel for announcing changes.
  if (!overHttp || args[1] !== 'every') {
    test("A server's tools are fetched again once it says that they changed", async () => {
      const before = await shared.session.listTools();
      expect(await shared.session.listTools()).toBe(before);
      await call('changing');
      while ((await shared.session.listTools()) === before) await settled();
    });
  }
  if (overHttp && protocolVersion === '2026-07-28') {
    test('A call to a server mirrors parameters as headers', async () => {
      await call('mirrored', { region: 'Zürich', text: 'x' });
      const header = `mcp-param-region: =?base64?${Buffer.from('Zürich').toString('base64')}?=`;
      await until(() => shared.program!.printed.includes(header));
    });
  }
});
