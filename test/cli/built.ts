import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The command as `npm run build` makes it. */
export const bin = fileURLToPath(new URL('../../packages/mcp-verbatim/dist/esm/cli.js', import.meta.url));

export const everything = [
  '--',
  process.execPath,
  fileURLToPath(new URL('../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url)),
];

export interface Running {
  readonly written: { stdout: string; stderr: string };
  readonly ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
  readonly pid: number | undefined;
  kill(signal: NodeJS.Signals): void;
  type(text: string): void;
}

export function start(
  argv: readonly string[],
  { cwd = '/', env = {}, isTyped = false }: { cwd?: string; env?: Record<string, string>; isTyped?: boolean } = {},
): Running {
  const child = spawn(bin, argv, {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: [isTyped ? 'pipe' : 'ignore', 'pipe', 'pipe'],
  });
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => (written[name] += text));
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, ...written })),
  );
  const type = (text: string) => void child.stdin?.write(text);
  return { written, ended, pid: child.pid, kill: (signal) => void child.kill(signal), type };
}

export function built(argv: readonly string[], about: { cwd?: string; env?: Record<string, string> } = {}) {
  return start(argv, about).ended;
}
