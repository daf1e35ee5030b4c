import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { approvedFileText, approveTools, connect, readApprovedFile, readCatalogue } from '../../src/internal.js';
import type { ServerAddress } from '../../src/internal.js';
import type { mcpTools as McpTools } from '../../src/langchain/index.js';
import { lawRuns } from '../../test-support/law-runs.js';
import { definitionOf, startChangingServer } from '../../test-support/servers/changing.js';
import { programPath } from '../../test-support/servers/program.js';

const dist = fileURLToPath(new URL('../../packages/mcp-verbatim/dist/esm/', import.meta.url));
const { mcpTools } = (await import(join(dist, 'langchain.js'))) as { mcpTools: typeof McpTools };

type Versions = Readonly<Record<string, number>>;

/** A server that records the executed calls, and can be restarted with other tools. */
interface Backend extends AsyncDisposable {
  readonly address: ServerAddress;
  /** `name@version` of each call, in order. */
  executed(): Promise<string[]>;
  /** @param end ends a process that a door has started */
  restart(versions: Versions, end: () => Promise<unknown>): Promise<unknown>;
}

/** A product's door to the tools, as a user has it. */
interface Door extends AsyncDisposable {
  /** Calls a tool by its own name if the door lists it; the outcome does not matter. */
  call(tool: string): Promise<unknown>;
  /** Lists the tools again. */
  refresh(): Promise<unknown>;
}

async function overHttp(versions: Versions): Promise<Backend> {
  const server = await startChangingServer(versions);
  return {
    address: { url: server.url },
    executed: () => Promise.resolve(server.executed),
    restart(next) {
      server.restart(next);
      return Promise.resolve();
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function asProcess(versions: Versions): Promise<Backend> {
  const folder = await mkdtemp(join(tmpdir(), 'laws-'));
  const [file, log] = [join(folder, 'versions.json'), join(folder, 'log')];
  const write = (next: Versions) => writeFile(file, JSON.stringify({ ...next, end: 1 }));
  await write(versions);
  await writeFile(log, '');
  return {
    address: { transport: 'stdio', command: process.execPath, args: [programPath('changing.mjs'), file, log] },
    executed: async () => (await readFile(log, 'utf8')).split('\n').filter(Boolean),
    async restart(next, end) {
      await write(next);
      await end();
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The approval of one server, or of the door's two servers; the second one never changes. */
function approvalFor(versions: Versions, servers: Readonly<Record<string, ServerAddress>>) {
  const entries = Object.entries(servers).map(([name, address]) => {
    const all = name === 'other' ? { other: 1 } : { ...versions, ...('url' in address ? {} : { end: 1 }) };
    const listed = readCatalogue(Object.entries(all).map(([tool, version]) => definitionOf(tool, version)));
    return [name, approveTools({ ...listed, serverInfo: { name: 'changing', version: '1' } }, address)] as const;
  });
  return approvedFileText(Object.fromEntries(entries));
}

type OpenDoor = (servers: Readonly<Record<string, ServerAddress>>, approved: Versions | undefined) => Promise<Door>;

const langchain: OpenDoor = async (servers, approved) => {
  const options = approved ? { approved: readApprovedFile(approvalFor(approved, servers)) } : {};
  const tools = await mcpTools({ mcpServers: servers }, options);
  const kept = new Map(tools.map((tool) => [tool.tool.name, tool]));
  return {
    call: async (name) => kept.get(name)?.invoke({}),
    async refresh() {
      await tools.refresh();
      for (const tool of tools) kept.set(tool.tool.name, tool);
    },
    [Symbol.asyncDispose]: () => tools.close(),
  };
};

const serve: OpenDoor = async (servers, approved) => {
  const folder = await mkdtemp(join(tmpdir(), 'laws-'));
  const [config, file] = [join(folder, 'mcp.json'), join(folder, 'approved.json')];
  await writeFile(config, JSON.stringify({ mcpServers: servers }));
  if (approved) await writeFile(file, approvalFor(approved, servers));
  const options = approved ? ['--approved', file] : [];
  const args = [join(dist, 'cli.js'), 'serve', '--config', config, ...options];
  const session = await connect({ transport: 'stdio', command: process.execPath, args });
  const own = (name: string) => name.replace(/^(server|other)_/, '');
  const kept = new Map((await session.listTools()).tools.map((tool) => [own(tool.name), tool]));
  return {
    call: async (name) => {
      const tool = kept.get(name);
      return tool && session.callTool(tool, {});
    },
    async refresh() {
      session.forgetTools();
      for (const tool of (await session.listTools()).tools) kept.set(own(tool.name), tool);
    },
    async [Symbol.asyncDispose]() {
      await session.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

const versions = fc.record({ read: fc.integer({ min: 1, max: 2 }), write: fc.integer({ min: 1, max: 2 }) });
const step = fc.oneof(
  fc.record({ restart: versions }),
  fc.constant({ restart: undefined }),
  fc.constant('refresh' as const),
  fc.record({ call: fc.constantFrom('read', 'write') }),
);

const doors: [string, OpenDoor, string, (versions: Versions) => Promise<Backend>, number, number][] = [
  ['LangChain', langchain, 'HTTP', overHttp, 400, 25],
  ['LangChain', langchain, 'stdio', asProcess, 8, 2],
  ['serve', serve, 'HTTP', overHttp, 10, 2],
  ['serve', serve, 'stdio', asProcess, 8, 2],
];

describe.each(doors)('through %s, with a server over %s', (_door, open, _transport, start, runs, atHand) => {
  test.each([1, 2])('Only approved tools of %i servers are executed, whatever restarts and lists', async (count) => {
    const law = async (first: Versions, approved: Versions, steps: readonly unknown[]) => {
      await using server = await start(first);
      await using other = await overHttp({ other: 1 });
      const servers = { server: server.address, ...(count === 2 && { other: other.address }) };
      await using door = await open(servers, approved);
      let now = first;
      for (const each of steps as ('refresh' | { restart?: Versions } | { call: string })[]) {
        if (each === 'refresh') await door.refresh().catch(() => {});
        else if (!('call' in each)) {
          now = each.restart ?? now;
          await server.restart(now, () => door.call('end').catch(() => {}));
        } else {
          const before = (await server.executed()).length;
          await door.call(each.call).catch(() => {});
          const executed = (await server.executed()).slice(before);
          expect(executed.length).toBeLessThanOrEqual(1);
          for (const call of executed) expect(call).toBe(`${each.call}@${approved[each.call]}`);
        }
      }
    };
    const sequences = fc.asyncProperty(versions, versions, fc.array(step, { maxLength: 12 }), law);
    await fc.assert(sequences, { numRuns: Math.min(runs, lawRuns(runs, atHand)) });
  });

  test('A tool that changed is not called, and one that did not change is', async () => {
    await using server = await start({ read: 1, write: 1 });
    await using other = await overHttp({ other: 1 });
    await using door = await open({ server: server.address, other: other.address }, { read: 1, write: 1 });
    await door.call('read');
    await server.restart({ read: 1, write: 2 }, () => door.call('end').catch(() => {}));
    const refused = await door.call('write').catch((error: unknown) => error);
    expect(JSON.stringify(refused) + String(refused)).toContain('changed since it was approved');
    await door.call('read');
    await door.call('other');
    expect(await server.executed()).toEqual(['read@1', 'read@1']);
    expect(await other.executed()).toEqual(['other@1']);
  });

  test('Arguments without an approval are checked by the schema of the connection that they are sent on', async () => {
    await using server = await start({ read: 1 });
    await using door = await open({ server: server.address }, undefined);
    await door.call('read');
    await server.restart({ read: 2 }, () => door.call('end').catch(() => {}));
    await door.call('read');
    expect(await server.executed()).toEqual(['read@1', 'read@2']);
  });
});
