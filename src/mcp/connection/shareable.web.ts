/** Elsewhere than in Node nobody counts who listens to a signal. */
export function shareable<S extends AbortSignal | undefined>(signal: S): S {
  return signal;
}
