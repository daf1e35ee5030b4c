import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { SecretMask } from '../../secrets/index.js';
import type { StdioAddress } from '../transport/address.js';
import { messageTooLarge } from '../errors/wire-problem.js';
import type { Outgoing, Receiver, Transport } from '../transport/transport.js';
import { ConnectionError, LimitError, type McpError } from '../errors/errors.js';
import { settlesWithin } from '../runtime/timers.js';
import { serverEnvironment } from './environment.js';
import { lineSplitter, tailOf, type Tail } from './output.js';
import { forgetGroup, signalGroup, startGroup } from './process-group.js';

/** How much of stderr, and of what is not MCP on stdout, is kept for an error message. */
const tailLength = 4096;

/** A server that prints more on stdout without one message does not speak MCP. Short lines count for some bytes each. */
const mostUnreadBytes = 8 * 1024 * 1024;
const leastPerLine = 16;

/** How long output may be handled before others get their turn. */
const turnMs = 10;

/** How long a server may take to end once its stdin is closed, and then once more after SIGTERM, before SIGKILL. */
const grace = { afterEndMs: 500, afterTermMs: 2000 };

/**
 * MCP over the stdin and stdout of a process (2025-11-25, Transports, stdio). The process leads a group that is ended as
 * a whole, its stderr is always drained, its end is reported with exit code and the last lines of stderr, messages are
 * bounded, and lines that are no messages are passed over, up to a bound and without holding the event loop.
 */
export class StdioTransport implements Transport {
  readonly kind = 'stdio';

  readonly #mask: SecretMask;
  readonly #address: StdioAddress;
  readonly #lines: ReturnType<typeof lineSplitter>;
  readonly #stderr: Tail;
  readonly #otherOutput: Tail;
  #unreadBytes = 0;
  #receiver: Receiver | undefined;
  #child: ChildProcess | undefined;
  #exited: Promise<unknown> = Promise.resolve();
  #failure: McpError | undefined;
  #closing = false;
  #finished = false;

  constructor(address: StdioAddress, { maxMessageBytes, mask }: { maxMessageBytes: number; mask: SecretMask }) {
    this.#address = address;
    this.#mask = mask;
    this.#stderr = tailOf(tailLength, mask);
    this.#otherOutput = tailOf(tailLength, mask);
    this.#lines = lineSplitter(
      maxMessageBytes,
      (line) => {
        this.#read(line);
      },
      () => {
        this.#fail(messageTooLarge(maxMessageBytes));
      },
    );
  }

  /** @throws ConnectionError (CONNECTION_FAILED) when the program cannot be started */
  async start(receiver: Receiver): Promise<void> {
    const { command, args = [], env, cwd } = this.#address;
    this.#receiver = receiver;
    if (cwd !== undefined && !existsSync(cwd)) {
      throw new ConnectionError(`The working folder "${cwd}" of the server ${command} does not exist.`, {
        code: 'CONNECTION_FAILED',
      });
    }
    const child = started(command, args, { env: serverEnvironment(env), ...(cwd !== undefined && { cwd }) });
    this.#child = child;
    this.#exited = new Promise((resolve) => {
      for (const event of ['exit', 'error']) child.once(event, resolve);
    });
    this.#readOutput(child);
    child.stdin?.on('error', () => {
      this.#pipeBroke('stdin');
    });
    child.once('exit', (code, signal) => void this.#ended(child, code, signal));
    await once(child, 'spawn').catch((error: unknown) => {
      throw notStarted(command, error as NodeJS.ErrnoException); // of `spawn`, which throws nothing else
    });
  }

  /** The output that is not MCP: an answer among it, perhaps, or a question to whoever started the server. */
  diagnostics(): string | undefined {
    const printed = this.#otherOutput.text(this.#lines.unfinished());
    return titled(['It printed, instead of MCP:', printed], ['It wrote to stderr:', this.#stderr.text()]) || undefined;
  }

  async send({ text, onWritten }: Outgoing): Promise<undefined> {
    const stdin = this.#child?.stdin;
    if (!stdin?.writable) throw this.#failure ?? this.#gone();
    onWritten?.();
    // Called with an error, too, when the pipe breaks, which is reported otherwise.
    await new Promise<unknown>((resolve) => stdin.write(`${text}\n`, resolve));
  }

  /** Closes stdin, then ends the group by SIGTERM and at last by SIGKILL. Resolves when the server is gone. */
  async close(): Promise<void> {
    if (this.#closing || this.#finished) {
      await this.#exited;
      return;
    }
    this.#closing = true;
    const child = this.#child;
    if (child) {
      child.stdin?.end();
      if (!(await settlesWithin(grace.afterEndMs, this.#exited))) {
        signalGroup(child, 'SIGTERM');
        await settlesWithin(grace.afterTermMs, this.#exited);
      }
    }
    this.#finish();
    await this.#exited;
  }

  #readOutput(child: ChildProcess): void {
    const { stdout, stderr } = child;
    const lines = this.#lines;
    let turnBegan = performance.now();
    stdout?.on('data', (chunk: Buffer) => {
      lines.push(chunk);
      const now = performance.now();
      if (now - turnBegan < turnMs) return;
      // A flood of lines must not keep timers and other connections from their turns.
      stdout.pause();
      setImmediate(() => {
        turnBegan = performance.now();
        stdout.resume();
      });
    });
    stdout?.on('end', () => {
      lines.end();
      this.#pipeBroke('stdout');
    });
    stdout?.on('error', () => {
      this.#pipeBroke('stdout');
    });
    stderr?.on('error', () => {});
    stderr?.on('data', (chunk: Buffer) => {
      this.#stderr.push(chunk);
      // The server writes here, as if it had this process's own.
      // eslint-disable-next-line no-restricted-properties
      if (this.#address.stderr === 'inherit') process.stderr.write(chunk);
    });
  }

  #read(line: string): void {
    if (this.#failure) return;
    const text = line.startsWith('\ufeff') ? line.slice(1) : line;
    const isMessage = /^\s*[{[]/.test(text) && this.#receiver?.receive(text) === true;
    if (isMessage) {
      this.#unreadBytes = 0;
      return;
    }
    // Ten published servers print banners and logs on stdout. Skipped, but shown if the server then fails.
    if (text.trim() !== '')
      this.#otherOutput.push(`${text.length > tailLength ? this.#mask(text, tailLength) : text}\n`);
    this.#unreadBytes += Math.max(leastPerLine, text.length);
    if (this.#unreadBytes <= mostUnreadBytes) return;
    this.#fail(
      new LimitError(
        `The server "${this.#address.command}" printed more than ${mostUnreadBytes} bytes without a single MCP message.`,
        'Check the command: this is not an MCP server, or it writes its log to stdout.',
      ),
    );
  }

  /**
   * A server that closes a pipe and lives on cannot be used any more. One that is ending has a moment to exit first,
   * because its exit code explains more.
   */
  #pipeBroke(pipe: 'stdin' | 'stdout'): void {
    void settlesWithin(drainMs, this.#exited).then((exited) => {
      if (exited) return;
      const what = pipe === 'stdin' ? 'reads no more of what it is sent' : 'has closed its output';
      this.#fail(
        new ConnectionError(`The server "${this.#address.command}" ${what}.`, {
          code: 'CONNECTION_LOST',
          hint: 'Connect again.',
        }),
      );
    });
  }

  #fail(failure: McpError): void {
    if (this.#closing) return;
    this.#failure = failure;
    this.#reportEnd();
    void this.close();
  }

  #reportEnd(): void {
    const receiver = this.#receiver;
    this.#receiver = undefined;
    receiver?.ended(this.#failure);
  }

  async #ended(child: ChildProcess, code: number | null, signal: NodeJS.Signals | null): Promise<void> {
    await drained(child);
    if (!this.#closing) this.#failure ??= this.#exitError(code, signal);
    this.#finish();
  }

  #exitError(code: number | null, signal: NodeJS.Signals | null): ConnectionError {
    const how = signal ? `was ended by ${signal}` : `ended with exit code ${code ?? 'unknown'}`;
    const stderr = this.#stderr.text();
    const output = titled(['Its last words on stderr:', stderr], ['It printed:', this.#otherOutput.text()]);
    return new ConnectionError(`The server "${this.#address.command}" ${how}.`, {
      code: 'SERVER_EXITED',
      exitCode: code,
      stderr,
      ...(output && { details: output }),
      hint: 'Run the command in a terminal to see whether it starts; check its arguments and environment variables.',
    });
  }

  #gone(): ConnectionError {
    return new ConnectionError(`The connection to the server "${this.#address.command}" is closed.`, {
      code: 'CONNECTION_LOST',
    });
  }

  #finish(): void {
    if (this.#finished) return;
    this.#finished = true;
    const child = this.#child;
    if (child) {
      forgetGroup(child);
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
    }
    this.#reportEnd();
  }
}

/** The texts that are not empty, each below its title. */
function titled(...parts: readonly (readonly [title: string, text: string])[]): string {
  return parts
    .filter(([, text]) => text !== '')
    .map((part) => part.join('\n'))
    .join('\n');
}

/** How long after a server's end its pipes are read on: a grandchild may keep them open. */
const drainMs = 100;

/** Waits for the rest of the output of a process that has exited. */
async function drained(child: ChildProcess): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, drainMs);
    child.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Some failures to start are thrown, others come as an event. */
function started(...how: Parameters<typeof startGroup>): ChildProcess {
  try {
    return startGroup(...how);
  } catch (error) {
    throw notStarted(how[0], error as NodeJS.ErrnoException); // of `spawn`, which throws nothing else
  }
}

/** Node starts no `.cmd` or `.bat` without a shell, in which arguments could become commands (CVE-2024-27980). */
const onWindows =
  ' On Windows, npx and similar commands are shell scripts, and no shell is used: give "node" and the path of the script that they start.';

function notStarted(command: string, error: NodeJS.ErrnoException): ConnectionError {
  const windows = process.platform === 'win32' ? onWindows : '';
  const reasons: Readonly<Record<string, [string, string]>> = {
    ENOENT: [
      `The command "${command}" was not found.`,
      `Give the full path, or install the program in a folder on PATH; no shell expands anything.${windows}`,
    ],
    EINVAL: [`The command "${command}" cannot be started.`, `Check that it is a program.${windows}`],
    EACCES: [`No permission to execute the command "${command}".`, 'Check the permissions of the file.'],
    E2BIG: [
      `The arguments and environment variables of the command "${command}" are too long to pass on.`,
      'Write long values to a file and give its path.',
    ],
  };
  const [title, hint] = reasons[error.code ?? ''] ?? [
    `The command "${command}" could not be started (${error.code ?? 'unknown reason'}).`,
    undefined,
  ];
  return new ConnectionError(title, { code: 'CONNECTION_FAILED', hint });
}
