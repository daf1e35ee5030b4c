/** Stands in where nothing can stop a regular expression: what could take long is not done. */
export function canWatch(): boolean {
  return false;
}

export function watched(): undefined {
  return undefined;
}
