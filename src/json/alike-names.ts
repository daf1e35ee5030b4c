/**
 * The names that a reader of JSON may take a name for: many ignore case, accents, signs between words or what cannot be
 * seen; some end a name at U+0000, and readers of forms at a bracket.
 */
export function readingsOf(name: string): readonly string[] {
  const beginnings = ['\0', '['].map((end) => name.indexOf(end)).filter((at) => at > 0);
  return [folded(name), ...beginnings.map((at) => folded(name.slice(0, at)))];
}

/** Letters and digits alone. Upper case joins what lower case keeps apart, such as `ß` and `SS`, and the other way round. */
function folded(name: string): string {
  const plain = name.normalize('NFKD').replace(/[^\p{L}\p{N}]/gu, '');
  return plain.toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
}
