import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { SecretMask } from '../../secrets/index.js';
import type { StdioAddress } from '../transport/address.js';
import { connectionLost, messageTooLarge, unreachable } from '../errors/wire-problem.js';
import type { Receiver, Transport } from '../transport/transport.js';
import { ConnectionError, LimitError, type McpError } from '../errors/errors.js';
import { settlesWithin } from '../runtime/timers.js';
import { lineSplitter } from '../wire/lines.js';
import { tailOf } from './output.js';
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
export function stdioTransport(
  { command, args = [], env, cwd, stderr: wanted }: StdioAddress,
  { maxMessageBytes, mask }: { maxMessageBytes: number; mask: SecretMask },
): Transport {
  const errors = tailOf(tailLength, mask);
  const otherOutput = tailOf(tailLength, mask);
  const lines = lineSplitter(maxMessageBytes);
  let unreadBytes = 0;
  let receiver: Receiver | undefined;
  let child: ChildProcess | undefined;
  let exited: Promise<unknown> = Promise.resolve();
  let failure: McpError | undefined;
  let closing = false;
  let finished = false;
  return {
    kind: 'stdio',
    async start(given) {
      receiver = given;
      if (cwd !== undefined && !existsSync(cwd))
        throw unreachable(`The working folder "${cwd}" of the server ${command} does not exist.`);
      try {
        child = startGroup(command, args, { env, ...(cwd !== undefined && { cwd }) });
        listenTo(child);
        await once(child, 'spawn');
      } catch (error) {
        throw notStarted(command, error as NodeJS.ErrnoException); // of `spawn`, which throws some and emits others
      }
    },
    diagnostics() {
      const printed = otherOutput.text(lines.unfinished());
      return titled(['It printed, instead of MCP:', printed], ['It wrote to stderr:', errors.text()]) || undefined;
    },
    async send({ text, onWritten }) {
      const stdin = child?.stdin;
      if (!stdin?.writable) throw failure ?? lost('The connection to the server', 'is closed');
      onWritten?.();
      // Resolved with an error, too: a broken pipe is reported elsewhere.
      await new Promise<unknown>((resolve) => stdin.write(`${text}\n`, resolve));
      return undefined;
    },
    close,
  };

  async function close(): Promise<void> {
    if (child && !closing && !finished) {
      closing = true;
      child.stdin?.end();
      if (!(await settlesWithin(grace.afterEndMs, exited))) {
        signalGroup(child, 'SIGTERM');
        await settlesWithin(grace.afterTermMs, exited);
      }
      finish();
    }
    await exited;
  }

  function listenTo(started: ChildProcess): void {
    const { stdin, stdout, stderr } = started;
    exited = new Promise((resolve) => {
      for (const event of ['exit', 'error']) started.once(event, resolve);
    });
    stdin?.on('error', () => void pipeBroke('reads no more of what it is sent'));
    stderr?.on('error', () => undefined);
    stderr?.on('data', (chunk: Buffer) => {
      errors.push(chunk);
      // The server writes here, as if it had this process's own.
      // eslint-disable-next-line no-restricted-properties
      if (wanted === 'inherit') process.stderr.write(chunk);
    });
    stdout?.on('data', (chunk: Buffer) => {
      for (const line of lines.push(chunk)) read(line);
      if (lines.isTooLong) fail(messageTooLarge(maxMessageBytes));
      // A flood of lines must not keep timers and other connections from their turns.
      stdout.pause();
      setImmediate(() => stdout.resume());
    });
    stdout?.on('end', () => lines.end().forEach(read));
    stdout?.on('error', () => undefined);
    stdout?.on('close', () => void pipeBroke('has closed its output'));
    started.once('exit', (code, signal) => {
      void settlesWithin(drainMs, once(started, 'close')).then(() => {
        if (!closing) failure ??= exitError(code, signal);
        finish();
      });
    });
  }

  function read(line: string): void {
    if (failure) return;
    const text = line.startsWith('\ufeff') ? line.slice(1) : line;
    if (/^\s*[{[]/.test(text) && receiver?.receive(text) === true) {
      unreadBytes = 0;
      return;
    }
    // Ten published servers print banners and logs on stdout. Skipped, but shown if the server then fails.
    if (text.trim() !== '') otherOutput.push(`${text.length > tailLength ? mask(text, tailLength) : text}\n`);
    unreadBytes += Math.max(leastPerLine, text.length);
    if (unreadBytes <= mostUnreadBytes) return;
    const message = `The server "${command}" printed more than ${mostUnreadBytes} bytes without a single MCP message.`;
    const hint = 'Check the command: this is not an MCP server, or it writes its log to stdout.';
    fail(new LimitError(message, hint));
  }

  /** A server that lives on without a pipe is of no use. One that is ending may exit first: its code explains more. */
  async function pipeBroke(what: string): Promise<void> {
    if (!(await settlesWithin(drainMs, exited))) fail(lost('The server', what, 'Connect again.'));
  }

  function fail(reason: McpError): void {
    if (closing) return;
    failure = reason;
    reportEnd();
    void close();
  }

  function reportEnd(): void {
    const ended = receiver;
    receiver = undefined;
    ended?.ended(failure);
  }

  function exitError(code: number | null, signal: NodeJS.Signals | null): ConnectionError {
    const how = signal ? `was ended by ${signal}` : `ended with exit code ${code ?? 'unknown'}`;
    const stderr = errors.text();
    const output = titled(['Its last words on stderr:', stderr], ['It printed:', otherOutput.text()]);
    const hint =
      'Run the command in a terminal to see whether it starts; check its arguments and environment variables.';
    const about = { code: 'SERVER_EXITED', exitCode: code, stderr, details: output || undefined, hint } as const;
    return new ConnectionError(`The server "${command}" ${how}.`, about);
  }

  function lost(who: string, what: string, hint?: string): ConnectionError {
    return connectionLost(`${who} "${command}" ${what}.`, hint);
  }

  function finish(): void {
    if (finished) return;
    finished = true;
    if (child) {
      forgetGroup(child);
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
    }
    reportEnd();
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

const notFound = 'Give the full path, or install the program in a folder on PATH; no shell expands anything.';

function notStarted(command: string, { code = 'unknown reason' }: NodeJS.ErrnoException): ConnectionError {
  const reasons: Readonly<Record<string, [title: string, hint: string]>> = {
    ENOENT: [`The command "${command}" was not found.`, notFound],
    EACCES: [`No permission to execute the command "${command}".`, 'Check the permissions of the file.'],
    E2BIG: [`The arguments of the command "${command}" are too long to pass on.`, 'Write long values to a file.'],
  };
  const [title, hint = ''] = reasons[code] ?? [`The command "${command}" could not be started (${code}).`];
  const hints = `${hint} ${process.platform === 'win32' ? onWindows : ''}`.trim();
  return unreachable(title, hints || undefined);
}
