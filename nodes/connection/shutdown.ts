let isOver = false;
let isHeard = false;
const listeners = new Set<() => void>();

/**
 * Calls a listener when n8n is asked to end, which n8n does not announce to its nodes. Its shutdown is a state: a node may
 * be used for the first time while n8n waits for its last executions.
 */
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
