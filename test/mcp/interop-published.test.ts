import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, type Session } from '../../src/mcp/index.js';
import type { Program } from '../../test-support/servers/program.js';
import { published, startPublished } from '../../test-support/servers/published.js';
import { textOf } from './calling.js';

describe.each(['stdio', 'streamableHttp', 'sse'])('the reference server that has everything, over %s', (kind) => {
  let server: Program | undefined;
  let session: Session;
  beforeAll(async () => {
    if (kind === 'stdio')
      session = await connect({ transport: 'stdio', command: process.execPath, args: [published, kind] });
    else {
      server = await startPublished(kind);
      session = await connect({ url: `${server.url}/${kind === 'sse' ? 'sse' : 'mcp'}` });
    }
  });
  afterAll(async () => {
    await session.close();
    await server?.close();
  });

  test('offers all its tools', async () => {
    const { tools, skipped } = await session.listTools();
    expect(tools.length).toBeGreaterThan(5);
    expect(skipped).toEqual([]);
    expect(tools.flatMap(({ notes }) => notes)).toEqual([]);
  });

  test('answers calls, with numbers and with every kind of content', async () => {
    const tools = await session.listTools();
    const call = (name: string, args: Record<string, unknown> = {}) => session.callTool(tools.find(name)!, args);
    expect(textOf(await call('echo', { message: 'hello' }))).toContain('hello');
    expect(textOf(await call('get-sum', { a: 2, b: 3 }))).toContain('5');
    expect((await call('get-tiny-image')).content.map(({ type }) => type)).toContain('image');
  });

  test('offers resources, templates and prompts', async () => {
    const [first] = await session.listResources();
    expect((await session.readResource(first!.uri)).length).toBeGreaterThan(0);
    expect((await session.listResourceTemplates()).length).toBeGreaterThan(0);
    const prompts = await session.listPrompts();
    const simple = prompts.find((prompt) => prompt['arguments'] === undefined)!;
    expect((await session.getPrompt(simple.name)).messages.length).toBeGreaterThan(0);
  });
});
