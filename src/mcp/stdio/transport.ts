import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { StdioAddress } from '../address.js';
import { ConnectionError, LimitError } from '../errors.js';
import { serverEnvironment } from './environment.js';
import { lineSplitter } from './lines.js';
import { forgetGroup, signalGroup, startGroup } from './process-group.js';
import { tailOf } from './tail.js';

/** How much of stderr, and of what is not JSON on stdout, is kept for an error message. */
const tailBytes = 4096;

export interface StdioLimits {
  maxMessageBytes: number;
  /** How long a server may take to end after its stdin was closed. */
  afterEndMs: number;
  /** How long it may take after SIGTERM. */
  afterTermMs: number;
}

/**
 * MCP over the stdin and stdout of a process (2025-11-25, Transports, stdio). Beyond what the SDK's own transport
 * does: the process leads a group that is ended as a whole, its stderr is always drained, its end is reported with
 * exit code and the last lines of stderr, a message is bounded, and lines that are not JSON are passed over.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport['onmessage']>;

  /** Why the connection ended, once it did without being asked to. */
  failure?: Error;

  #child?: ChildProcess;
  #exited?: Promise<void>;
  #closing = false;
  #closed = false;
  readonly #stderr = tailOf(tailBytes);
  readonly #noise = tailOf(tailBytes);

  constructor(
    private readonly address: StdioAddress,
    private readonly limits: StdioLimits,
  ) {}

  /** @throws ConnectionError (CONNECTION_FAILED) when the program cannot be started */
  async start(): Promise<void> {
    const { command, args = [], env, cwd } = this.address;
    if (cwd !== undefined && !existsSync(cwd)) {
      throw new ConnectionError(`The working folder "${cwd}" of the server ${command} does not exist.`, {
        code: 'CONNECTION_FAILED',
      });
    }
    const child = startGroup(command, args, { env: serverEnvironment(env), ...(cwd !== undefined && { cwd }) });
    this.#child = child;
    this.#exited = new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', () => resolve());
    });
    child.stdin?.on('error', (error) => this.onerror?.(error));
    child.stdout?.on('error', (error) => this.onerror?.(error));
    child.stdout?.on(
      'data',
      lineSplitter(
        this.limits.maxMessageBytes,
        (line) => this.#read(line),
        () => this.#overflow(),
      ),
    );
    child.stderr?.on('error', (error) => this.onerror?.(error));
    child.stderr?.on('data', (chunk: Buffer) => this.#stderr.push(chunk));
    child.once('exit', (code, signal) => void this.#ended(code, signal));
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error: NodeJS.ErrnoException) => reject(notStarted(command, error)));
    });
  }

  /** What the server printed that is not JSON: an answer among it, perhaps. */
  remark(): string | undefined {
    const noise = this.#noise.text();
    return noise ? `It printed, instead of MCP:\n${noise}` : undefined;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin || this.#closed || !stdin.writable) throw this.failure ?? this.#gone();
    if (stdin.write(`${JSON.stringify(message)}\n`)) return;
    await new Promise<void>((resolve) => {
      stdin.once('drain', resolve);
      stdin.once('close', resolve);
    });
  }

  /** Closes stdin, then ends the group by SIGTERM and at last by SIGKILL. Resolves when the server is gone. */
  async close(): Promise<void> {
    if (this.#closing || this.#closed) return this.#exited;
    this.#closing = true;
    const child = this.#child;
    if (child?.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      child.stdin?.end();
      if (!(await this.#exitsWithin(this.limits.afterEndMs))) {
        signalGroup(child, 'SIGTERM');
        if (!(await this.#exitsWithin(this.limits.afterTermMs))) {
          signalGroup(child, 'SIGKILL');
          await this.#exited;
        }
      }
    }
    this.#finish();
  }

  #exitsWithin(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), ms);
    });
    const exited = this.#exited!.then(() => true);
    return Promise.race([exited, late]).finally(() => clearTimeout(timer));
  }

  #read(line: string): void {
    const first = line.trimStart()[0];
    let value: unknown;
    try {
      if (first !== '{' && first !== '[') throw new SyntaxError('not a JSON-RPC message');
      value = JSON.parse(line);
    } catch {
      // Ten published servers print banners and logs on stdout. Passed over, but shown if the server then fails.
      if (first !== undefined) this.#noise.push(Buffer.from(`${line.slice(0, tailBytes)}\n`));
      return;
    }
    // Revision 2025-03-26 allows batches.
    for (const message of Array.isArray(value) ? value : [value]) {
      // The shape is checked by the receiver, which tells messages apart by their members.
      if (typeof message === 'object' && message !== null) this.onmessage?.(message as JSONRPCMessage);
    }
  }

  #overflow(): void {
    const limit = this.limits.maxMessageBytes;
    this.failure = new LimitError(
      `The server sent a message of more than ${limit} bytes.`,
      'Ask the server for less at a time, or raise maxMessageBytes.',
    );
    void this.close();
  }

  async #ended(code: number | null, signal: NodeJS.Signals | null): Promise<void> {
    await drained(this.#child!);
    if (!this.#closing) this.failure ??= this.#exitError(code, signal);
    this.#finish();
  }

  #exitError(code: number | null, signal: NodeJS.Signals | null): ConnectionError {
    const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
    const stderr = this.#stderr.text();
    const noise = this.#noise.text();
    const said = stderr ? ` Its last words on stderr:\n${stderr}` : noise ? ` It printed:\n${noise}` : '';
    return new ConnectionError(`The server "${this.address.command}" ${how}.${said}`, {
      code: 'SERVER_EXITED',
      exitCode: code,
      stderr,
      hint: 'Run the command in a terminal to see whether it starts; check its arguments and environment variables.',
    });
  }

  #gone(): ConnectionError {
    return new ConnectionError(`The connection to the server "${this.address.command}" is closed.`, {
      code: 'CONNECTION_LOST',
    });
  }

  #finish(): void {
    if (this.#closed) return;
    this.#closed = true;
    const child = this.#child;
    if (child) {
      forgetGroup(child);
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
    }
    this.onclose?.();
  }
}

/** How long after a server's end its pipes are read on: a grandchild may hold them open for ever. */
const drainMs = 100;

/** Waits for the rest of the output of a process that has exited. */
async function drained(child: ChildProcess): Promise<void> {
  const streams = [child.stdout, child.stderr].filter((stream) => stream && !stream.closed);
  if (streams.length === 0) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, drainMs);
    child.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Node starts no `.cmd` or `.bat` without a shell, in which arguments could become commands (CVE-2024-27980). */
const onWindows =
  ' On Windows, npx and its like are scripts for a shell, which is not used: give "node" and the path of the script that they start.';

function notStarted(command: string, error: NodeJS.ErrnoException): ConnectionError {
  const windows = process.platform === 'win32' ? onWindows : '';
  const reasons: Record<string, [string, string]> = {
    ENOENT: [
      `The command "${command}" was not found.`,
      `Give the full path, or install the program where PATH leads; no shell expands anything.${windows}`,
    ],
    EINVAL: [`The command "${command}" cannot be started.`, `Check that it is a program.${windows}`],
    EACCES: [`The command "${command}" may not be executed.`, 'Check the permissions of the file.'],
  };
  const [message, hint] = reasons[error.code ?? ''] ?? [
    `The command "${command}" could not be started (${error.code ?? 'unknown reason'}).`,
    undefined,
  ];
  return new ConnectionError(message, { code: 'CONNECTION_FAILED', ...(hint !== undefined && { hint }) });
}
