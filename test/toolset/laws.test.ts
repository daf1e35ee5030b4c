import { fileURLToPath } from 'node:url';
import { writeFile } from 'node:fs/promises';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { approvedFileText, approveTools, connect, readCatalogue } from '../../src/internal.js';
import { lawRuns } from '../../test-support/law-runs.js';
import { definitionOf, startChangingServer } from '../../test-support/servers/changing.js';

const dist = fileURLToPath(new URL('../../packages/mcp-verbatim/dist/esm/', import.meta.url));
const { mcpTools } = (await import(join(dist, 'langchain.js'))) as typeof import('../../src/langchain/index.js');

interface Door extends AsyncDisposable {
  /** Calls a tool by its server's name, as often as the door's user can; whatever it answers. */
  call(tool: string): Promise<unknown>;
  /** Reads the tools anew. */
  refresh(): Promise<unknown>;
}

type Approved = Readonly<Record<string, number>>;

function approval(versions: Approved, url: string) {
  const { tools, ...rest } = readCatalogue(
    Object.entries(versions).map(([name, version]) => definitionOf(name, version)),
  );
  return approveTools({ ...rest, tools, serverInfo: { name: 'changing', version: '1' } }, { url });
}

/** As a program with LangChain has it. */
async function langchain(url: string, approved: Approved | undefined): Promise<Door> {
  const tools = await mcpTools({ url }, approved ? { approved: approval(approved, url) } : {});
  const kept = new Map(tools.map((tool) => [tool.name, tool]));
  return {
    call: async (name) => kept.get(name)?.invoke({}),
    async refresh() {
      await tools.refresh();
      for (const tool of tools) kept.set(tool.name, tool);
    },
    [Symbol.asyncDispose]: () => tools.close(),
  };
}

/** As a client of the command's gateway has it. */
async function serve(url: string, approved: Approved | undefined): Promise<Door> {
  const folder = mkdtempSync(join(tmpdir(), 'laws-'));
  const file = join(folder, 'approved.json');
  if (approved) await writeFile(file, approvedFileText({ server: approval(approved, url) }));
  const options = approved ? ['--approved', file] : [];
  const session = await connect({
    transport: 'stdio',
    command: process.execPath,
    args: [join(dist, 'cli.js'), 'serve', '--url', url, ...options],
  });
  const { tools } = await session.listTools();
  const kept = new Map(tools.map((tool) => [tool.name, tool]));
  return {
    call: async (name) => {
      const tool = kept.get(name);
      return tool && session.callTool(tool, {});
    },
    async refresh() {
      session.forgetTools();
      for (const tool of (await session.listTools()).tools) kept.set(tool.name, tool);
    },
    async [Symbol.asyncDispose]() {
      await session.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const versions = fc.record({ read: fc.integer({ min: 1, max: 2 }), write: fc.integer({ min: 1, max: 2 }) });
const step = fc.oneof(
  fc.record({ restart: versions }),
  fc.constant({ restart: undefined }),
  fc.constant('refresh' as const),
  fc.record({ call: fc.constantFrom('read', 'write') }),
);

describe.each([
  ['LangChain', langchain],
  ['serve', serve],
])('through %s', (name, open) => {
  test('only what was approved is ever executed, whatever restarts, forgets and lists', async () => {
    const runs = name === 'serve' ? Math.ceil(lawRuns(200) / 10) : lawRuns(400);
    await fc.assert(
      fc.asyncProperty(versions, versions, fc.array(step, { maxLength: 12 }), async (first, approved, steps) => {
        await using server = await startChangingServer(first);
        await using door = await open(server.url, approved);
        let now: Record<string, number> = first;
        for (const each of steps) {
          if (each === 'refresh') await door.refresh().catch(() => {});
          else if ('restart' in each) server.restart((now = each.restart ?? now));
          else {
            const before = server.executed.length;
            await door.call(each.call).catch(() => {});
            const executed = server.executed.slice(before);
            expect(executed.length).toBeLessThanOrEqual(1);
            for (const call of executed) expect(call).toBe(`${each.call}@${approved[each.call as 'read']}`);
          }
        }
      }),
      { numRuns: runs },
    );
  });

  test('a tool that changed with a new session is not called, and one that did not change is', async () => {
    await using server = await startChangingServer({ read: 1, write: 1 });
    await using door = await open(server.url, { read: 1, write: 1 });
    await door.call('read');
    server.restart({ read: 1, write: 2 });
    const refused = await door.call('write').catch((error: unknown) => error);
    expect(JSON.stringify(refused) + String(refused)).toContain('has changed since it was approved');
    await door.call('read');
    expect(server.executed).toEqual(['read@1', 'read@1']);
  });
});
