let isOver = false;
let isHeard = false;
const listeners = new Set<() => void>();

/**
 * n8n tells its nodes nothing of its own end, for which it listens itself. That it has begun is a state: a node may be
 * used for the first time while n8n waits for its last executions.
 *
 * @param listener is told when it begins
 */
export function hearOfShutdown(listener?: () => void): void {
  if (listener) listeners.add(listener);
  // Where nobody else listens, a listener would keep the signal from ending the process.
  if (isHeard || process.listenerCount('SIGTERM') + process.listenerCount('SIGINT') === 0) return;
  isHeard = true;
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    if (process.listenerCount(signal) > 0) process.once(signal, begin);
}

export function isShuttingDown(): boolean {
  return isOver;
}

function begin(): void {
  isOver = true;
  for (const listener of listeners) listener();
}
