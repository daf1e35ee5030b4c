import { rm } from 'node:fs/promises';
import { freePort } from '../../../../../test-support/free-port.js';
import { startGuarded } from '../../../../../test-support/guarded.js';
import { N8nApi } from '../../../../../test-support/n8n/api.js';
import { installCommunityPackage } from '../../../../../test-support/n8n/community-package.js';
import { noTaskRunner, quietEnvironment } from '../../../../../test-support/n8n/environment.js';
import { installHost, type Host } from '../../../../../test-support/n8n/install.js';
import { startN8n } from '../../../../../test-support/n8n/start.js';
import { createUserFolder, owner } from '../../../../../test-support/n8n/user-folder.js';
import { startRedis } from './redis.js';

export interface Cluster extends AsyncDisposable {
  readonly api: N8nApi;
  readonly userFolder: string;
  readonly workers: readonly Worker[];
}

/** Disposing ends the process by SIGTERM, as an operator does. */
export interface Worker extends AsyncDisposable {
  readonly pid: number;
  output(): string;
  /** The signal that ended it, if it did not end by itself. */
  readonly ended: Promise<NodeJS.Signals | null>;
}

/**
 * n8n in queue mode: a main process that runs nothing itself, and two workers with one execution at a time each. They
 * share a database file, which is enough for a test (n8n recommends PostgreSQL).
 */
export async function startCluster(tarball: string): Promise<Cluster> {
  const started: (() => PromiseLike<void>)[] = [];
  const end = async () => {
    for (const stop of started.splice(0).reverse()) await stop();
  };
  const running = <T extends AsyncDisposable>(part: T): T => {
    started.push(() => part[Symbol.asyncDispose]());
    return part;
  };
  try {
    const host = await installHost();
    const userFolder = await createUserFolder(host);
    started.push(() => rm(userFolder, { recursive: true, force: true }));
    await installCommunityPackage(userFolder, tarball);
    const redis = running(await startRedis());
    const env = {
      ...noTaskRunner,
      EXECUTIONS_MODE: 'queue',
      QUEUE_BULL_REDIS_HOST: '127.0.0.1',
      QUEUE_BULL_REDIS_PORT: String(redis.port),
      OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
      // By default a worker ends after 30 seconds, even if an execution still runs: too early on a busy machine.
      N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '300',
    };
    const main = running(await startN8n(host, { userFolder, env }));
    const workers: Worker[] = [];
    // Links that a worker sends to a person lead to the main process.
    const workerEnv = { ...env, WEBHOOK_URL: `${main.url}/` };
    const addWorker = async () => void workers.push(running(await startWorker(host, userFolder, workerEnv)));
    await Promise.all([addWorker(), addWorker()]);
    const api = await N8nApi.login(main.url, owner);
    return { api, userFolder, workers, [Symbol.asyncDispose]: end };
  } catch (error) {
    await end();
    throw error;
  }
}

async function startWorker(host: Host, userFolder: string, env: object): Promise<Worker> {
  const child = startGuarded(host.node, [host.n8n, 'worker', '--concurrency=1'], {
    cwd: userFolder,
    env: { ...quietEnvironment(userFolder, await freePort(), await freePort()), ...env },
  });
  const ended = new Promise<NodeJS.Signals | null>((resolve) =>
    child.once('close', (_code, signal) => resolve(signal)),
  );
  const output: string[] = [];
  const ready = new Promise<void>((resolve, reject) => {
    const read = (text: Buffer) => {
      output.push(text.toString());
      if (text.includes('worker is now ready')) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void ended.then(() => reject(new Error(`The worker ended:\n${output.join('')}`)));
  });
  await ready;
  return {
    pid: child.pid!,
    output: () => output.join(''),
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      const impatient = setTimeout(() => child.kill('SIGKILL'), 300_000); // a limit against hanging
      await ended;
      clearTimeout(impatient);
    },
  };
}
