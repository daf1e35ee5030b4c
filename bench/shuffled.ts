/** The same chance in every run. */
let random = 20_261_120;

/** A random order: the predecessor matters to caches and garbage, so chance decides. */
export function shuffled<T>(values: readonly T[]): T[] {
  const order = [...values];
  for (let i = order.length - 1; i > 0; i--) {
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
    const j = Math.floor((random / 2 ** 32) * (i + 1));
    [order[i], order[j]] = [order[j] as T, order[i] as T]; // both within the array
  }
  return order;
}
