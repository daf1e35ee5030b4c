import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished } from 'vitest';
import { serverCode } from '../../test-support/servers/code.js';
import { bin } from '../cli/built.js';
import { cli } from '../cli/run.js';
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
  /** Resolves with the first matching line, past or future. */
  line(holds: (message: Received) => boolean): Promise<string>;
  /** The same, parsed. */
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
  const line: Served['line'] = (holds) => until(() => lines.find((each) => holds(JSON.parse(each) as Received)));
  return {
    lines,
    stderr,
    pid: child.pid!,
    ended,
    write(message) {
      child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    },
    line,
    message: async (holds) => JSON.parse(await line(holds)) as Received,
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

let lastId = 1000;
/**
 * Sends a request. Params that are a text are sent byte for byte.
 *
 * @returns the line that answers it
 */
export function asked(gateway: Served, method: string, params: object | string = {}): Promise<string> {
  const own = ++lastId;
  const text = typeof params === 'string' ? params : JSON.stringify(params);
  gateway.write(`{"jsonrpc":"2.0","id":${own},"method":"${method}","params":${text}}`);
  return gateway.line((message) => message.id === own && message.method === undefined);
}

/** The gateway after its client's handshake, with functions that send requests. */
export function connected(...about: Parameters<typeof served>) {
  const gateway = greeted(...about);
  const request = async (...request: [method: string, params?: object]) =>
    JSON.parse(await asked(gateway, ...request)) as Received;
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
    log,
    command: ['--', process.execPath, file],
    /** All lines that it read, or those with this method. */
    got: (method = '') => got().filter((line) => line.includes(`"method":"${method}`) || method === ''),
    /** Changes its program. Processes that run keep the old one. */
    edit: (from: string, to: string) => writeFileSync(file, readFileSync(file, 'utf8').replace(from, to)),
  };
}

/**
 * Approves a server's tools.
 *
 * @returns the options that hold it to them
 */
export async function approving({ command }: { command: readonly string[] }): Promise<string[]> {
  const file = join(temporaryFolder(onTestFinished), 'approved.json');
  expect((await cli(['approve', '--file', file, ...command])).code).toBe(0);
  return ['--approved', file];
}

/** Gives a recording server the name of a server that was not approved. */
export function becomeAnother({ edit }: ReturnType<typeof recording>): void {
  edit("name: 'recording'", "name: 'another'");
}
