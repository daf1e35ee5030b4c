export interface BudgetLimits {
  /** A step is roughly a value or a schema looked at, or 64 characters: at most a microsecond. */
  readonly steps: number;
  readonly ms: number;
  /** If true, the clock runs only `during` a piece of work; otherwise it runs from now on. */
  readonly paused?: boolean;
}

const clockInterval = 256;

/** Steps and time that one task may still take. Every loop over a stranger's data charges its steps here. */
export class WorkBudget {
  exhausted = false;
  #steps: number;
  #ms: number;
  #end: number | undefined;
  #untilClock = clockInterval;

  constructor({ steps, ms, paused = false }: BudgetLimits) {
    this.#steps = steps;
    this.#ms = ms;
    if (!paused) this.#end = performance.now() + ms;
  }

  /** Charges steps; false once steps or time are used up. It looks at the clock every few hundred steps, or when asked. */
  consume(steps = 1, byTheClock = false): boolean {
    if (this.exhausted) return false;
    this.#steps -= steps;
    this.#untilClock -= steps;
    if (this.#steps < 0) this.exhausted = true;
    if (byTheClock || this.#untilClock <= 0) {
      this.#untilClock = clockInterval;
      if (this.#end !== undefined && performance.now() > this.#end) this.exhausted = true;
    }
    return !this.exhausted;
  }

  /** Runs a part of the task. The clock of a budget that was started as `paused` runs only meanwhile. */
  during<T>(part: () => T): T {
    if (this.#end !== undefined) return part();
    this.#end = performance.now() + this.#ms;
    try {
      return part();
    } finally {
      this.#ms = this.#end - performance.now();
      if (this.#ms < 0) this.exhausted = true;
      this.#end = undefined;
    }
  }
}
