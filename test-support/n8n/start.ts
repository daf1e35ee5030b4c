import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../free-port.js';
import { startGuarded } from '../guarded.js';
import { quietEnvironment } from './environment.js';
import { HostError } from '../cached.js';
import type { Host } from './install.js';

export interface RunningN8n extends AsyncDisposable {
  /** Base URL of editor, REST and webhooks, without a slash at the end. */
  readonly url: string;
  readonly pid: number;
  /** n8n's output. */
  readonly logFile: string;
  stop(): Promise<void>;
}

interface StartOptions {
  /** The folder that holds `.n8n`: database, encryption key, community packages. */
  userFolder: string;
  /** The preferred port; a free one replaces it if it is absent or occupied. */
  port?: number;
  /** Added to the quiet environment; wins over it. */
  env?: Record<string, string>;
}

/**
 * Starts n8n and resolves once it answers. It ends with this process at the latest.
 *
 * @throws HostError with the end of n8n's log if it ends or stays silent for ten minutes
 */
export async function startN8n(host: Host, options: StartOptions, attempts = 3): Promise<RunningN8n> {
  const port = await freePort(options.port);
  const brokerPort = await freePort();
  const logFile = join(options.userFolder, 'n8n.log');
  const log = createWriteStream(logFile, { flags: 'w' });
  const child = startGuarded(host.node, [host.n8n, 'start'], {
    cwd: options.userFolder,
    env: { ...quietEnvironment(options.userFolder, port, brokerPort), ...options.env },
  });
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const url = `http://localhost:${port}`;
  const stop = async () => {
    child.kill('SIGTERM');
    const impatient = setTimeout(() => child.kill('SIGKILL'), 20_000);
    await ended;
    clearTimeout(impatient);
    log.end();
  };

  try {
    await ready(url, () => child.exitCode !== null || child.signalCode !== null);
  } catch (error) {
    await stop();
    const tail = (await readFile(logFile, 'utf8')).trim().split('\n').slice(-15).join('\n');
    // Another process took the port after it was found free.
    if (attempts > 1 && tail.includes('already in use')) return startN8n(host, options, attempts - 1);
    throw new HostError('START_FAILED', `n8n did not start: ${String(error)}\n${tail}`);
  }
  return { url, pid: child.pid!, logFile, stop, [Symbol.asyncDispose]: stop };
}

async function ready(url: string, hasEnded: () => boolean): Promise<void> {
  const deadline = Date.now() + 600_000; /* a first start on a loaded machine runs migrations for minutes */
  for (;;) {
    if (hasEnded()) throw new Error('the process ended');
    if (Date.now() > deadline) throw new Error('it did not answer within ten minutes');
    // The readiness probe answers before the REST routes exist; the settings do not.
    const [readiness, settings] = await Promise.all([
      answer(`${url}/healthz/readiness`),
      answer(`${url}/rest/settings`),
    ]);
    if (readiness?.ok && settings?.ok && settings.headers.get('content-type')?.includes('json')) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function answer(url: string): Promise<Response | undefined> {
  return await fetch(url).catch(() => undefined);
}
