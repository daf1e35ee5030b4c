/**
 * How many cases a generated law tries: `inCi` of them in CI, at most 100 at hand, so that a change is tested in seconds.
 * `MCP_VERBATIM_LAW_RUNS` sets another number. What a test expects to have met at least has to be a share of this number.
 *
 * @param inCi default: 2000; fewer where one case takes long
 */
export function lawRuns(inCi = 2000): number {
  const given = Number(process.env['MCP_VERBATIM_LAW_RUNS']);
  if (given > 0) return given;
  return process.env['CI'] ? inCi : Math.min(inCi, 100);
}

/** All of them in CI; at hand one of so many, where each takes its time. */
export function sampled<T>(all: readonly T[], every = 4): T[] {
  return all.filter((_, at) => process.env['CI'] || at % every === 0);
}
