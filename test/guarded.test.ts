import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buildSync } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { isRunning } from '../test-support/servers/process-state.js';
import { startGuarded } from '../test-support/guarded.js';
import { until } from '../test-support/waiting.js';
import { temporaryFolder } from './mcp/temporary-folder.js';

/** As JavaScript, which starts at once. */
const module = join(temporaryFolder(), 'guarded.cjs');
buildSync({
  entryPoints: [join(import.meta.dirname, '..', 'test-support', 'guarded.ts')],
  outfile: module,
  format: 'cjs',
  platform: 'node',
});

/** Ignores what can be ignored, and says its number and that of a process of its own. */
const stubborn = `
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) process.on(signal, () => {});
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  console.log(process.pid + ' ' + child.pid);
  setInterval(() => console.log('still here'), 10);`;

test.each(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  'A guarded program and what it has started end when its starter is ended by %s',
  async (signal) => {
    const script = `
      const { startGuarded } = require(${JSON.stringify(module)});
      startGuarded(process.execPath, ['-e', ${JSON.stringify(stubborn)}]).stdout.pipe(process.stdout);`;
    const starter = spawn(process.execPath, ['-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pids = await pidsSaid(starter);
    starter.kill(signal);
    await until(() => !pids.some(isRunning));
  },
);

test('A guarded program of a worker ends when what has forked the worker is killed', async () => {
  const worker = `
    const { startGuarded } = require(${JSON.stringify(module)});
    startGuarded(process.execPath, ['-e', ${JSON.stringify(stubborn)}]).stdout.pipe(process.stdout);
    setInterval(() => {}, 1000);`;
  const script = `
    const { fork } = require('node:child_process');
    const execArgv = ['-e', ${JSON.stringify(worker)}];
    fork('never', { execArgv });`;
  const starter = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const pids = await pidsSaid(starter);
  starter.kill('SIGKILL');
  await until(() => !pids.some(isRunning));
});

test('A guarded program ends by itself, and its guard with it', async () => {
  const child = startGuarded(process.execPath, ['-e', 'console.log(process.pid)']);
  const [code] = (await once(child, 'close')) as [number];
  expect(code).toBe(0);
  const guard = new RegExp(`never.* ${child.pid}$`, 'm');
  await until(() => !guard.test(spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).stdout));
});

test('A program that is not there is an error event, as with spawn', async () => {
  const [error] = (await once(startGuarded('/no/such/program', []), 'error')) as [Error];
  expect(error).toMatchObject({ code: 'ENOENT' });
});

/** The processes of `stubborn`, which do not outlive the test in any case. */
async function pidsSaid({ stdout }: { stdout: Readable }): Promise<number[]> {
  const [said] = (await once(stdout, 'data')) as [Buffer];
  const pids = said.toString().split('\n')[0]!.split(' ').map(Number);
  onTestFinished(() => {
    for (const pid of pids.filter(isRunning)) process.kill(pid, 'SIGKILL');
  });
  expect(pids.filter(isRunning)).toHaveLength(2);
  return pids;
}
