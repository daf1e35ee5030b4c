/**
 * What may still be spent on one task that a stranger's schema or arguments ask for: steps, and time on the wall. Every
 * loop over a stranger's data charges its steps here and ends when the answer is false.
 */
export interface WorkBudget {
  /**
   * Charges steps; false once steps or time are used up, and from then on.
   *
   * @param byTheClock whether to look at the clock, which is otherwise done every few hundred steps
   */
  consume(steps?: number, byTheClock?: boolean): boolean;
  /** Whether steps or time are used up. */
  readonly exhausted: boolean;
  /** Milliseconds of the clock that are left. */
  readonly msLeft: number;
  /** Whether the clock runs. */
  readonly running: boolean;
  /** Does a part of the work; of work that was begun as `paused`, the clock runs only meanwhile. */
  during<T>(part: () => T): T;
}

export interface BudgetLimits {
  /** A step is roughly a value or a schema looked at, or 64 characters: at most a microsecond. */
  readonly steps: number;
  /** Milliseconds of the clock. */
  readonly ms: number;
  /**
   * Work that this is a part of: while its clock runs, it is charged as well, and nothing is left here where it has
   * nothing left.
   */
  readonly within?: WorkBudget | undefined;
  /** Whether the clock stands still but for what is done `during` it; otherwise it runs from now on. */
  readonly paused?: boolean;
}

/** Steps between two looks at the clock: tens of microseconds. */
const clockInterval = 256;

export function startBudget(limits: BudgetLimits): WorkBudget {
  return new TimedBudget(limits);
}

class TimedBudget implements WorkBudget {
  readonly #within: WorkBudget | undefined;
  #steps: number;
  /** Milliseconds left when the clock was last stopped. */
  #ms: number;
  /** When the time is up; undefined while the clock stands still. */
  #end: number | undefined;
  #untilClock = clockInterval;
  #exhausted = false;

  constructor({ steps, ms, within, paused = false }: BudgetLimits) {
    this.#steps = steps;
    this.#ms = ms;
    this.#within = within;
    if (!paused) this.#end = performance.now() + ms;
  }

  get exhausted(): boolean {
    return this.#exhausted || (this.#within?.running === true && this.#within.exhausted);
  }

  get msLeft(): number {
    return this.#end === undefined ? this.#ms : Math.max(0, this.#end - performance.now());
  }

  get running(): boolean {
    return this.#end !== undefined && this.#within?.running !== false;
  }

  consume(steps = 1, byTheClock = false): boolean {
    if (this.#exhausted) return false;
    this.#steps -= steps;
    this.#untilClock -= steps;
    if (this.#steps < 0) this.#exhausted = true;
    if (byTheClock || this.#untilClock <= 0) {
      this.#untilClock = clockInterval;
      if (this.#end !== undefined && performance.now() > this.#end) this.#exhausted = true;
    }
    // What the other ran out of may still be there for this one, once the other's clock stands still.
    const within = this.#within?.running !== true || this.#within.consume(steps);
    return within && !this.#exhausted;
  }

  during<T>(part: () => T): T {
    if (this.#end !== undefined) return part();
    this.#end = performance.now() + this.#ms;
    try {
      return part();
    } finally {
      this.#ms = this.#end - performance.now();
      if (this.#ms < 0) this.#exhausted = true;
      this.#end = undefined;
    }
  }
}
