/** The JSON text of any value; what JSON cannot carry is named instead. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return '[not JSON]';
  }
}

/** At most so many characters, not cutting a surrogate pair in half. */
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
