/** The wall-clock time that risky patterns may still take in one evaluation. */
export interface PatternClock {
  remainingMs: number;
}
