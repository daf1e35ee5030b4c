export function shareable<S extends object | undefined>(signal: S): S {
  return signal;
}

export function contextOfNow(): <T>(work: () => T) => T {
  return (work) => work();
}

/** The edge runtime has no `AbortSignal.any`. */
export function anySignal(signals: AbortSignal[]): AbortSignal {
  if ('any' in AbortSignal) return AbortSignal.any(signals);
  const either = new AbortController();
  for (const signal of signals) {
    const abort = () => either.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  }
  return either.signal;
}

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve));
}

export const debugLog: ((line: string) => void) | undefined = undefined;

export function warnProgram(warning: string, code: string): void {
  // eslint-disable-next-line no-console
  console.warn(`[${code}] ${warning}`);
}
