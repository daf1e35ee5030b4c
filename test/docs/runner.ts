import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** A process that runs programs one after the other, as what they import takes seconds to load. */
export function startRunner(cwd: string, env: Record<string, string> = {}, preload: readonly string[] = []) {
  const child = fork(fileURLToPath(new URL('runner.mjs', import.meta.url)), {
    cwd,
    env: { ...process.env, ...env },
    execArgv: preload.flatMap((file) => ['--import', pathToFileURL(file).href]),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const ended = once(child, 'exit');
  return {
    /** What a program prints until it has ended. */
    async printed(file: string): Promise<string> {
      child.send(pathToFileURL(file).href);
      const [{ printed, failure }] = (await once(child, 'message')) as [{ printed: string; failure?: string }];
      if (failure !== undefined) throw new Error(failure);
      return printed;
    },
    kill: () => void child.kill('SIGKILL'),
    /** The exit code, once nothing that the programs opened keeps the process. */
    async end(): Promise<unknown> {
      child.disconnect();
      return (await ended)[0];
    },
  };
}
