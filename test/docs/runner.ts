import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** A process that runs programs one after the other: loading their packages takes seconds. */
export function startRunner(cwd: string, env: Record<string, string> = {}, preload: readonly string[] = []) {
  const child = fork(fileURLToPath(new URL('runner.mjs', import.meta.url)), {
    cwd,
    env: { ...process.env, ...env },
    execArgv: preload.flatMap((file) => ['--import', pathToFileURL(file).href]),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const ended = once(child, 'exit');
  return {
    /** The output of a program, once it has ended. */
    async printed(file: string): Promise<string> {
      child.send(pathToFileURL(file).href);
      const [{ printed, failure }] = (await once(child, 'message')) as [{ printed: string; failure?: string }];
      if (failure !== undefined) throw new Error(failure);
      return printed;
    },
    kill: () => void child.kill('SIGKILL'),
    /** The exit code, once no open handle of the programs keeps the process alive. */
    async end(): Promise<unknown> {
      child.disconnect();
      return (await ended)[0];
    },
  };
}
