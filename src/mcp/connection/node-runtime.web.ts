/** Nobody counts who listens to a signal. */
export function shareable<S extends AbortSignal | undefined>(signal: S): S {
  return signal;
}

/** There are no contexts to keep. */
export function contextOfNow(): <T>(work: () => T) => T {
  return (work) => work();
}
