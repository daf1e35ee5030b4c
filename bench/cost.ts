import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReplayServer } from '../test-support/servers/replay.js';
import type { Peer } from './peer.js';

export interface Time {
  /** Milliseconds, medians: connect and list 50 tools; one call. */
  list: number;
  call: number;
}

const rounds = 15;
const callsEach = 100;

/** The peers take turns, so that what else the machine does meets all of them. */
export async function times(peers: readonly Peer[], server: ReplayServer): Promise<Map<string, Time>> {
  const samples = new Map<string, { list: number; call: number }[]>(peers.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const peer of peers) {
      const sample = await peer
        .time(server.url('cost'), 'tool_1', { query: 'a', limit: 5 }, callsEach)
        .catch(() => undefined);
      if (sample && round > 0) samples.get(peer.name)?.push(sample); // the first round loads the packages
    }
  }
  return new Map(
    [...samples].map(([name, all]) => [
      name,
      { list: median(all.map(({ list }) => list)), call: median(all.map(({ call }) => call)) },
    ]),
  );
}

export function costServer(): Record<string, string[]> {
  const schema = {
    type: 'object',
    properties: {
      query: { type: 'string', minLength: 1 },
      limit: { type: 'integer', minimum: 0 },
      filter: { type: 'object', properties: { field: { type: 'string' }, op: { enum: ['eq', 'lt', 'gt'] } } },
    },
    required: ['query'],
    additionalProperties: false,
  };
  const tools = Array.from({ length: 50 }, (_unused, index) => ({
    name: `tool_${index}`,
    description: 'A tool.',
    inputSchema: schema,
  }));
  return { cost: [JSON.stringify({ jsonrpc: '2.0', id: 0, result: { tools } })] };
}

export interface Size {
  packages: number;
  /** On disk, in megabytes of 10^6 bytes. */
  megabytes: number;
}

/** A package with everything that its `dependencies` bring, as they stand in `folder`; peer dependencies are the host's. */
export function installedSize(name: string, folder: string): Size {
  const seen = new Map<string, number>();
  const visit = (dependency: string, from: string) => {
    const path = resolvePackage(dependency, from, folder);
    if (path === undefined || seen.has(path)) return;
    seen.set(path, ownBytes(path));
    const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as {
      dependencies?: Record<string, string>;
    };
    for (const next of Object.keys(manifest.dependencies ?? {})) visit(next, path);
  };
  visit(name, folder);
  return { packages: seen.size - 1, megabytes: [...seen.values()].reduce((sum, bytes) => sum + bytes, 0) / 1e6 };
}

function resolvePackage(name: string, from: string, top: string): string | undefined {
  for (let at = from; at.startsWith(top); at = join(at, '..')) {
    const path = join(at, 'node_modules', name);
    if (existsSync(join(path, 'package.json'))) return path;
  }
  return undefined;
}

/** Without the packages inside it, which are counted by themselves. */
function ownBytes(path: string): number {
  return readdirSync(path).reduce((sum, entry) => {
    if (entry === 'node_modules') return sum;
    const inner = join(path, entry);
    const about = lstatSync(inner);
    return sum + (about.isDirectory() ? ownBytes(inner) : about.size);
  }, 0);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
