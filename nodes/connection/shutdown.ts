let isOver = false;
let isHeard = false;
const listeners = new Set<() => void>();

/** Both node files call this at n8n's start: a node may first run after the signal, while n8n waits for executions. */
export function hearOfShutdown(listener?: () => void): void {
  if (listener) listeners.add(listener);
  if (isHeard) return;
  // Without n8n's own listener, this one would keep the signal from ending the process.
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    if (process.listenerCount(signal) > 0) {
      isHeard = true;
      process.once(signal, begin);
    }
}

export function isShuttingDown(): boolean {
  return isOver;
}

function begin(): void {
  isOver = true;
  for (const listener of listeners) listener();
}
