import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { SecretMask } from '../../secrets/index.js';
import type { StdioAddress } from '../transport/address.js';
import { messageTooLarge } from '../errors/wire-problem.js';
import type { Outgoing, Receiver, Transport } from '../transport/transport.js';
import { ConnectionError, LimitError, type McpError } from '../errors/errors.js';
import { settlesWithin } from '../runtime/timers.js';
import { lineSplitter } from '../wire/lines.js';
import { tailOf, type Tail } from './output.js';
import { forgetGroup, signalGroup, startGroup } from './process-group.js';

const tailLength = 4096;

/** A server that prints more on stdout without one message does not speak MCP. Short lines count for some bytes each. */
const mostUnreadBytes = 8 * 1024 * 1024;
const leastPerLine = 16;

/** How long a server may take to end after its stdin was closed, and after SIGTERM, before SIGKILL. */
const grace = { afterEndMs: 2000, afterTermMs: 2000 };

/** How long after a server's end its pipes are read (a grandchild may keep them open), and after theirs it may end. */
const drainMs = 100;

/**
 * MCP over stdin and stdout (2025-11-25, Transports, stdio). A limited number of lines that are not messages is
 * skipped.
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
      (line) => this.#read(line),
      () => this.#fail(messageTooLarge(maxMessageBytes)),
    );
  }

  async start(receiver: Receiver): Promise<void> {
    const { command, args = [], env, cwd } = this.#address;
    this.#receiver = receiver;
    if (cwd !== undefined && !existsSync(cwd))
      throw new ConnectionError(`The working folder "${cwd}" of the server ${command} does not exist.`, {
        code: 'CONNECTION_FAILED',
      });
    try {
      const child = startGroup(command, args, { env, ...(cwd !== undefined && { cwd }) });
      this.#child = child;
      this.#listenTo(child);
      await once(child, 'spawn');
    } catch (error) {
      throw notStarted(command, error as NodeJS.ErrnoException); // of `spawn`, which throws some and emits others
    }
  }

  diagnostics(): string | undefined {
    const printed = this.#otherOutput.text(this.#lines.unfinished());
    return titled(['It printed, instead of MCP:', printed], ['It wrote to stderr:', this.#stderr.text()]) || undefined;
  }

  async send({ text, onWritten }: Outgoing): Promise<undefined> {
    const stdin = this.#child?.stdin;
    if (!stdin?.writable) throw this.#failure ?? this.#lost('The connection to the server', 'is closed');
    onWritten?.();
    // Resolved with an error, too: a broken pipe is reported elsewhere.
    await new Promise<unknown>((resolve) => stdin.write(`${text}\n`, resolve));
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (child && !this.#closing && !this.#finished) {
      this.#closing = true;
      child.stdin?.end();
      if (!(await settlesWithin(grace.afterEndMs, this.#exited))) {
        signalGroup(child, 'SIGTERM');
        await settlesWithin(grace.afterTermMs, this.#exited);
      }
      this.#finish();
    }
    await this.#exited;
  }

  #listenTo(child: ChildProcess): void {
    const { stdin, stdout, stderr } = child;
    this.#exited = new Promise((resolve) => {
      for (const event of ['exit', 'error']) child.once(event, resolve);
    });
    stdin?.on('error', () => void this.#pipeBroke('reads no more of what it is sent'));
    stderr?.on('error', () => {});
    stderr?.on('data', (chunk: Buffer) => {
      this.#stderr.push(chunk);
      // The server writes here, as if it had this process's own.
      // eslint-disable-next-line no-restricted-properties
      if (this.#address.stderr === 'inherit') process.stderr.write(chunk);
    });
    stdout?.on('data', (chunk: Buffer) => {
      this.#lines.push(chunk);
      // A flood of lines must not keep timers and other connections from their turns.
      stdout.pause();
      setImmediate(() => stdout.resume());
    });
    stdout?.on('end', () => this.#lines.end());
    stdout?.on('error', () => {});
    stdout?.on('close', () => void this.#pipeBroke('has closed its output'));
    child.once('exit', (code, signal) => {
      void settlesWithin(drainMs, once(child, 'close')).then(() => {
        if (!this.#closing) this.#failure ??= this.#exitError(code, signal);
        this.#finish();
      });
    });
  }

  #read(line: string): void {
    if (this.#failure) return;
    const text = line.startsWith('\ufeff') ? line.slice(1) : line;
    if (/^\s*[{[]/.test(text) && this.#receiver?.receive(text) === true) {
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

  /** A server that lives on without a pipe is of no use. One that is ending may exit first: its code explains more. */
  async #pipeBroke(what: string): Promise<void> {
    if (!(await settlesWithin(drainMs, this.#exited))) this.#fail(this.#lost('The server', what, 'Connect again.'));
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

  #lost(who: string, what: string, hint?: string): ConnectionError {
    return new ConnectionError(`${who} "${this.#address.command}" ${what}.`, { code: 'CONNECTION_LOST', hint });
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

function titled(...parts: readonly (readonly [title: string, text: string])[]): string {
  return parts
    .filter(([, text]) => text !== '')
    .map((part) => part.join('\n'))
    .join('\n');
}

/** Node starts no `.cmd` or `.bat` without a shell, in which arguments could become commands (CVE-2024-27980). */
const onWindows =
  'On Windows, npx and similar commands are shell scripts, and no shell is used: give "node" and the path of the script that they start.';

function notStarted(command: string, { code = 'unknown reason' }: NodeJS.ErrnoException): ConnectionError {
  const reasons: Readonly<Record<string, [title: string, hint: string]>> = {
    ENOENT: [
      `The command "${command}" was not found.`,
      'Give the full path, or install the program in a folder on PATH; no shell expands anything.',
    ],
    EACCES: [`No permission to execute the command "${command}".`, 'Check the permissions of the file.'],
    E2BIG: [`The arguments of the command "${command}" are too long to pass on.`, 'Write long values to a file.'],
  };
  const [title, hint = ''] = reasons[code] ?? [`The command "${command}" could not be started (${code}).`];
  const hints = `${hint} ${process.platform === 'win32' ? onWindows : ''}`.trim();
  return new ConnectionError(title, { code: 'CONNECTION_FAILED', hint: hints || undefined });
}
