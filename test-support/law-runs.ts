/**
 * The number of cases that a generated law tries: `inCi` of them in CI, and at hand at most `atHand`, so that a change is
 * tested in seconds. `MCP_VERBATIM_LAW_RUNS` sets another number. A test that expects a number of hits derives it from
 * this number.
 *
 * @param inCi default: 2000; fewer if one case takes long
 */
export function lawRuns(inCi = 2000, atHand = 50): number {
  const given = Number(process.env['MCP_VERBATIM_LAW_RUNS']);
  if (given > 0) return given;
  return process.env['CI'] ? inCi : Math.min(inCi, atHand);
}

/** All cases in CI; at hand one of every few, if each takes long. */
export function sampled<T>(all: readonly T[], every = 6): T[] {
  return all.filter((_, at) => process.env['CI'] || at % every === 0);
}
