/** Stands in where there is no `node:async_hooks`: work runs in whatever context it is called in. */
export function contextOfNow(): <T>(work: () => T) => T {
  return (work) => work();
}
