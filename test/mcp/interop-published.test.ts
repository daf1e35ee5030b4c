import { createRequire } from 'node:module';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { connect, type Session } from '../../src/mcp/index.js';
import { programPath, startProgram, type Program } from '../../test-support/servers/program.js';
import { textOf } from './calling.js';
import { temporaryFolder } from './temporary-folder.js';

const require = createRequire(import.meta.url);
const program = (name: string) => join(dirname(require.resolve(`${name}/package.json`)), 'dist', 'index.js');
const everything = program('@modelcontextprotocol/server-everything');
const stdio = (script: string, ...args: string[]) =>
  connect({ transport: 'stdio', command: process.execPath, args: [script, ...args] });
const call = async (session: Session, name: string, args: Record<string, unknown>) =>
  textOf(await session.callTool((await session.listTools()).find(name)!, args));

describe.each(['stdio', 'streamableHttp', 'sse'])('the reference server that has everything, over %s', (kind) => {
  let server: Program | undefined;
  let session: Session;
  beforeAll(async () => {
    if (kind === 'stdio') session = await stdio(everything);
    else {
      const env = { PORT: '0', NODE_OPTIONS: `--import ${programPath('loopback.mjs')}` };
      server = await startProgram(everything, [kind], env, /http:\/\/127\S+/);
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
    expect(await call(session, 'echo', { message: 'hello' })).toContain('hello');
    expect(await call(session, 'get-sum', { a: 2, b: 3 })).toContain('5');
    const { tools } = await session.listTools();
    const image = tools.find(({ name }) => name === 'get-tiny-image')!;
    expect((await session.callTool(image, {})).content.map(({ type }) => type)).toContain('image');
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

describe('other reference servers', () => {
  test('filesystem', async () => {
    const folder = temporaryFolder(onTestFinished);
    writeFileSync(join(folder, 'note.txt'), 'verbatim');
    await using session = await stdio(program('@modelcontextprotocol/server-filesystem'), folder);
    expect(await call(session, 'read_text_file', { path: join(folder, 'note.txt') })).toBe('verbatim');
    const refused = await session.callTool((await session.listTools()).find('read_text_file')!, {
      path: '/etc/hostname',
    });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toContain('denied');
  });

  test('memory', async () => {
    const file = join(temporaryFolder(onTestFinished), 'memory.json');
    await using session = await connect({
      transport: 'stdio',
      command: process.execPath,
      args: [program('@modelcontextprotocol/server-memory')],
      env: { MEMORY_FILE_PATH: file },
    });
    await call(session, 'create_entities', {
      entities: [{ name: 'Ada', entityType: 'person', observations: ['precise'] }],
    });
    expect(await call(session, 'search_nodes', { query: 'Ada' })).toContain('precise');
  });
});
