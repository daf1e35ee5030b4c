/** Nobody counts who listens to a signal. */
export function shareable<S extends AbortSignal | undefined>(signal: S): S {
  return signal;
}

/** There are no contexts to keep. */
export function contextOfNow(): <T>(work: () => T) => T {
  return (work) => work();
}

/** The same where it is missing, as in the edge runtime. */
export function anySignal(signals: AbortSignal[]): AbortSignal {
  if ('any' in AbortSignal) return AbortSignal.any(signals);
  const either = new AbortController();
  for (const signal of signals) {
    const abort = () => {
      either.abort(signal.reason);
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  }
  return either.signal;
}
