import { spawn, type ChildProcess } from 'node:child_process';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Leaders of groups, each with the shell that ends its group after this process. */
const alive = new Map<ChildProcess, ChildProcess | undefined>();
let isWatched = false;

/** Ends groups even where this process is killed: beside each, a shell waits for the end of its input. Not on Windows. */
export function endGroupsWithHost(): void {
  isWatched = process.platform !== 'win32';
}

/** In a group of its own, so that nobody ends it with another. */
function watcherOf({ pid }: ChildProcess): ChildProcess | undefined {
  if (!isWatched || pid === undefined) return undefined;
  const script = 'read -r _; kill -s KILL -- "-$0"';
  const watcher = spawn('/bin/sh', ['-c', script, String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watcher.on('error', () => {});
  watcher.stdin.on('error', () => {});
  watcher.unref();
  return watcher;
}

/**
 * Starts a program, without a shell, as the leader of a process group: npx starts the real server as a grandchild. What
 * is still alive is ended when this process exits, or gets a signal that nobody else handles.
 */
export function startGroup(
  command: string,
  args: readonly string[],
  { env = {}, ...options }: { env?: Readonly<Record<string, string>> | undefined; cwd?: string },
): ChildProcess {
  const child = spawn(command, args, {
    ...options,
    env: { ...inheritedEnvironment(), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    shell: false,
    windowsHide: true,
    detached: process.platform !== 'win32',
  });
  if (child.pid !== undefined) {
    if (alive.size === 0) watchHost();
    alive.set(child, watcherOf(child));
  }
  return child;
}

/** Enough to find programs, the home folder and the terminal's kind, without the host's secrets. */
const inheritedVariables =
  process.platform === 'win32'
    ? [
        ...['APPDATA', 'COMSPEC', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'PATH', 'PATHEXT', 'PROCESSOR_ARCHITECTURE'],
        ...['PROGRAMDATA', 'PROGRAMFILES', 'SYSTEMDRIVE', 'SYSTEMROOT', 'TEMP', 'TMP', 'USERNAME', 'USERPROFILE'],
        'WINDIR',
      ]
    : ['HOME', 'LANG', 'LC_ALL', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER'];

function inheritedEnvironment(): Record<string, string | undefined> {
  const set = inheritedVariables.map((name) => [name, process.env[name]] as const);
  // A value that begins with "()" is an exported bash function: code, not data (CVE-2014-6271).
  return Object.fromEntries(set.filter(([, value]) => value?.startsWith('()') === false));
}

export function signalGroup(leader: ChildProcess, signal: NodeJS.Signals): void {
  if (leader.pid === undefined) return;
  try {
    if (process.platform === 'win32') leader.kill(signal);
    else process.kill(-leader.pid, signal);
  } catch {
    // ESRCH: nobody left. EPERM: only processes that changed their user are left, which are not ours to end.
  }
}

export function forgetGroup(leader: ChildProcess): void {
  signalGroup(leader, 'SIGKILL');
  alive.get(leader)?.kill('SIGKILL');
  alive.delete(leader);
  if (alive.size === 0) unwatchHost();
}

/** One listener for all groups: hosts open many sessions, and Node warns about many listeners. */
function watchHost(): void {
  process.on('exit', endAll);
  // First in line: a host that listens once, as n8n does, is not among the listeners any more when later ones are called.
  for (const signal of signals) process.prependListener(signal, onSignal);
}

function unwatchHost(): void {
  process.off('exit', endAll);
  for (const signal of signals) process.off(signal, onSignal);
}

/** A host with a handler of its own exits as it likes; without one, the signal has its own effect again. */
function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  endAll();
  unwatchHost();
  process.kill(process.pid, signal);
}

function endAll(): void {
  for (const leader of alive.keys()) signalGroup(leader, 'SIGKILL');
}
