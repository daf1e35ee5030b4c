import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The built command, which `npm run build` makes. */
export const bin = fileURLToPath(new URL('../../packages/mcp-verbatim/dist/esm/cli.js', import.meta.url));

export const everything = [
  '--',
  process.execPath,
  fileURLToPath(new URL('../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url)),
];

export interface Running {
  readonly written: { stdout: string; stderr: string };
  readonly ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
  kill(signal: NodeJS.Signals): void;
}

export function start(
  argv: readonly string[],
  { cwd = '/', env = {} }: { cwd?: string; env?: Record<string, string> } = {},
): Running {
  const child = spawn(bin, argv, {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => (written[name] += text));
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, ...written })),
  );
  return { written, ended, kill: (signal) => void child.kill(signal) };
}

export function built(argv: readonly string[], about: { cwd?: string; env?: Record<string, string> } = {}) {
  return start(argv, about).ended;
}
