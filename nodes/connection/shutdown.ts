let isOver = false;
let isHeard = false;
const listeners = new Set<() => void>();

/** A node may be used for the first time after n8n was asked to end, while it waits for its last executions. */
export function hearOfShutdown(listener?: () => void): void {
  if (listener) listeners.add(listener);
  if (isHeard) return;
  // Only beside n8n's own listeners: alone, this one would keep the signal from ending the process.
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
