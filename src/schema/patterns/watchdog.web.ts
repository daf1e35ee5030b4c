/** For runtimes that cannot stop a regular expression: matches that could take long are skipped. */
export function canWatch(): boolean {
  return false;
}

export function watched(): undefined {
  return undefined;
}
