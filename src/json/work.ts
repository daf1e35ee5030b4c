/**
 * What may still be spent on one task that a stranger's schema or arguments ask for: steps, and time on the wall. Every
 * loop over a stranger's data charges its steps here and ends when it is told false.
 */
export interface Work {
  /** Charges steps; false once steps or time are used up, and from then on. */
  spend(steps?: number): boolean;
  /** Whether steps or time are used up. */
  readonly exhausted: boolean;
}

export interface WorkLimits {
  /** A step is roughly a value or a schema looked at, or 64 characters: at most a microsecond. */
  readonly steps: number;
  /** Milliseconds from now. */
  readonly ms: number;
}

/** Steps between two looks at the clock: tens of microseconds. */
const clockInterval = 256;

export function startWork({ steps, ms }: WorkLimits): Work {
  const end = performance.now() + ms;
  let left = steps;
  let untilClock = clockInterval;
  let exhausted = false;
  return {
    spend(amount = 1) {
      if (exhausted) return false;
      left -= amount;
      untilClock -= amount;
      if (untilClock <= 0) {
        untilClock = clockInterval;
        if (performance.now() > end) exhausted = true;
      }
      if (left < 0) exhausted = true;
      return !exhausted;
    },
    get exhausted() {
      return exhausted;
    },
  };
}
