/** Node's timers hold 31 bits: with more they fire at once. Somewhat under 25 days stands for "without limit". */
const longestMs = 2 ** 31 - 1;

/** A time limit as a timer can keep it. */
export function timerMs(limitMs: number): number {
  return Math.min(limitMs, longestMs);
}
