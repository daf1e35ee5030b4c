import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { serverCode } from '../../test-support/servers/code.js';
import { bin } from '../cli/built.js';
import { temporaryFolder } from '../mcp/temporary-folder.js';
import { handshake, type Received } from './in-front.js';

/** Decides when it is removed; by default at the end of the running test. */
type End = (remove: () => void | Promise<void>) => void;

export interface Served {
  /** The lines of stdout. */
  readonly lines: string[];
  readonly stderr: () => string;
  readonly pid: number;
  /** Resolves with the exit code, or with the signal that ended it. */
  readonly ended: Promise<number | string>;
  write(message: object | string): void;
  /** Resolves with the first matching message, past or future. */
  message(holds: (message: Received) => boolean): Promise<Received>;
  /** Resolves once stderr matches. */
  logged(pattern: RegExp): Promise<RegExpExecArray>;
  hangUp(): void;
  kill(signal: NodeJS.Signals): void;
}

/** The built `mcp-verbatim serve` in its own process. */
export function served(
  args: readonly string[],
  { env = {}, end = onTestFinished }: { env?: Record<string, string>; end?: End } = {},
): Served {
  const child = spawn(bin, ['serve', ...args], { env: { PATH: process.env['PATH'], ...env } });
  const lines: string[] = [];
  const { until, wake } = waking();
  const { stderr, logged } = stderrOf(child);
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    wake();
  });
  child.stdin.on('error', () => {});
  const ended = new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal ?? 0));
  });
  end(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return {
    lines,
    stderr,
    pid: child.pid!,
    ended,
    write(message) {
      child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    },
    message: (holds) => until(() => lines.map((line) => JSON.parse(line) as Received).find(holds)),
    logged,
    hangUp: () => child.stdin.end(),
    kill: (signal) => void child.kill(signal),
  };
}

/** What a process writes for its operator. `logged` resolves once it matches, now or later. */
export function stderrOf(child: ChildProcessWithoutNullStreams) {
  let stderr = '';
  const { until, wake } = waking();
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    wake();
  });
  const logged = (pattern: RegExp) => until(() => pattern.exec(stderr) ?? undefined);
  return { stderr: () => stderr, logged };
}

/** `until` resolves with what is found, now or at one of the next calls of `wake`. */
function waking() {
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const goOn of waiting) goOn();
  };
  const until = <T>(found: () => T | undefined): Promise<T> =>
    new Promise((resolve) => {
      const look = () => {
        const value = found();
        if (value === undefined) return;
        waiting.delete(look);
        resolve(value);
      };
      waiting.add(look);
      look();
    });
  return { until, wake };
}

/** The same over stdio, after the client's handshake. */
export function greeted(...about: Parameters<typeof served>): Served {
  const gateway = served(...about);
  for (const line of handshake) gateway.write(line);
  return gateway;
}

/**
 * Writes a configuration file with these servers.
 *
 * @returns its path
 */
export function configured(mcpServers: Record<string, object>): string {
  const file = join(temporaryFolder(onTestFinished), 'mcp.json');
  writeFileSync(file, JSON.stringify({ mcpServers }));
  return file;
}

/** The entry of a configuration for a recording server. */
export function entryOf({ file }: { file: string }, more: object = {}) {
  return { command: process.execPath, args: [file], ...more };
}

/** The list of a recording server. A string stands for a tool that takes any object. */
export function listing(...tools: (string | object)[]): string {
  const listed = tools.map((tool) =>
    typeof tool === 'string' ? { name: tool, inputSchema: { type: 'object' } } : tool,
  );
  return `'tools/list': { tools: ${JSON.stringify(listed)} },`;
}

/** The headers of a call of 2026-07-28. */
export const callHeaders = (name: string) => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': name,
});

/** The same, with functions that send requests. */
export function connected(...about: Parameters<typeof served>) {
  const gateway = greeted(...about);
  let lastId = 0;
  const request = async (method: string, params: object = {}) => {
    const own = ++lastId;
    gateway.write({ id: own, method, params });
    return gateway.message(({ id, method }) => id === own && method === undefined);
  };
  const call = (name: string, args: object = {}) => request('tools/call', { name, arguments: args });
  const names = async () => (await request('tools/list')).result.tools.map(({ name }) => name);
  return { ...gateway, request, call, names };
}

/** Resolves with the gateway and its URL once it listens. */
export async function servedOverHttp(args: readonly string[], about?: Parameters<typeof served>[1]) {
  const gateway = served(['--port', '0', ...args], about);
  const [, url = ''] = await gateway.logged(/serving at (\S+)/);
  return { ...gateway, url };
}

/** A server's program that records each line that it reads, byte for byte. */
export function recording(results: string, otherwise = '', capabilities?: string, end: End = onTestFinished) {
  const folder = temporaryFolder(end);
  const [file, log] = [join(folder, 'server.cjs'), join(folder, 'got.log')];
  writeFileSync(log, '');
  const records = `require('fs').appendFileSync(LOG, line + '\\n'); ${otherwise}`;
  const code = serverCode({ results, otherwise: records, capabilities, name: "'recording'" });
  writeFileSync(file, `const LOG = ${JSON.stringify(log)};\n${code}`);
  const got = () => readFileSync(log, 'utf8').split('\n').slice(0, -1);
  return {
    file,
    command: ['--', process.execPath, file],
    /** All lines that it read, or those with this method. */
    got: (method = '') => got().filter((line) => line.includes(`"method":"${method}`) || method === ''),
  };
}
