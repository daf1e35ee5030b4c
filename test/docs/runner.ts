import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath, pathToFileURL } from 'node:url';

interface RunnerOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly preload?: readonly string[];
  /** Default: the Node that runs the tests. */
  readonly node?: string;
}

/** A process that runs programs one after the other: loading their packages takes seconds. */
export function startRunner(cwd: string, { env, preload = [], node = process.execPath }: RunnerOptions = {}) {
  const child = fork(fileURLToPath(new URL('runner.mjs', import.meta.url)), {
    cwd,
    env: { ...process.env, ...env },
    execPath: node,
    execArgv: preload.flatMap((file) => ['--import', pathToFileURL(file).href]),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const ended = once(child, 'exit');
  return {
    /** The output of a program, once it has ended. A file runs once. */
    async printed(file: string, args: readonly string[] = []): Promise<string> {
      child.send({ file: pathToFileURL(file).href, args });
      const answer = Promise.race([
        once(child, 'message'),
        ended.then(() => Promise.reject(new Error('It has exited.'))),
      ]);
      const [{ printed, failure }] = (await answer) as [{ printed: string; failure?: string }];
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
