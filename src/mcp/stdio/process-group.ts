import { spawn, type ChildProcess } from 'node:child_process';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Leaders of groups. */
const alive = new Set<ChildProcess>();
let isWatched = false;
let watcher: ChildProcess | undefined;

/** Ends groups even if this process is killed: a shell beside it waits for the end of its input. Not on Windows. */
export function endGroupsWithHost(): void {
  isWatched = process.platform !== 'win32';
}

/** Reads `+PID` and `-PID`, and ends the groups that are left. */
const watching = `while read -r each; do case $each in
+*) all="$all \${each#+}";;
*) rest=; for pid in $all; do [ "-$pid" = "$each" ] || rest="$rest $pid"; done; all=$rest;;
esac; done; for pid in $all; do kill -s KILL -- "-$pid"; done`;

/** The shell is in a group of its own, so that nobody ends it with another. One that was ended is started again. */
function watch(sign: '+' | '-', { pid }: ChildProcess): void {
  if (!isWatched || pid === undefined) return;
  if (!watcher) {
    const started = spawn('/bin/sh', ['-c', watching], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
    const forget = () => {
      if (watcher === started) watcher = undefined;
    };
    started.on('error', forget).on('exit', forget);
    started.stdin.on('error', forget);
    started.unref();
    watcher = started;
    for (const leader of alive) watch('+', leader);
  } else watcher.stdin?.write(`${sign}${pid}\n`);
}

/**
 * Starts a program, without a shell, as the leader of a process group: npx starts the real server as a grandchild.
 * Processes that are still alive are ended when this process exits, or gets a signal that nobody else handles.
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
    alive.add(child);
    watch('+', child);
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
  if (!alive.delete(leader)) return;
  watch('-', leader);
  if (alive.size > 0) return;
  watcher?.kill('SIGKILL');
  watcher = undefined;
  unwatchHost();
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
  for (const leader of alive) signalGroup(leader, 'SIGKILL');
}
