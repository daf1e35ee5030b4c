/** The median, and the middle half of the values around it. */
export interface Spread {
  median: number;
  quartiles: readonly [number, number];
}

export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
  return { median: at(0.5), quartiles: [at(0.25), at(0.75)] };
}
