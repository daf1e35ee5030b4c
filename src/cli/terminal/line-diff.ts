/** Beyond so many pairs of lines nothing is searched for: all old lines go, all new ones come. */
const mostPairs = 4_000_000;

/**
 * Two texts line by line: `  ` before a line that both have, `- ` before one of the first, `+ ` before one of the second.
 * As many lines as possible are kept.
 */
export function lineDiff(before: string, after: string): string[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  if (old.length * now.length > mostPairs)
    return [...old.map((line) => `- ${line}`), ...now.map((line) => `+ ${line}`)];
  // How many lines are common to the rest of both, from each pair of places on.
  const width = now.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  const at = (one: number, other: number) => common[one * width + other] ?? 0;
  for (let one = old.length - 1; one >= 0; one--)
    for (let other = now.length - 1; other >= 0; other--)
      common[one * width + other] =
        old[one] === now[other] ? at(one + 1, other + 1) + 1 : Math.max(at(one + 1, other), at(one, other + 1));
  const lines: string[] = [];
  let [one, other] = [0, 0];
  while (one < old.length || other < now.length) {
    if (one < old.length && other < now.length && old[one] === now[other]) {
      lines.push(`  ${old[one] ?? ''}`);
      one++;
      other++;
    } else if (other >= now.length || (one < old.length && at(one + 1, other) >= at(one, other + 1)))
      lines.push(`- ${old[one++] ?? ''}`);
    else lines.push(`+ ${now[other++] ?? ''}`);
  }
  return lines;
}
