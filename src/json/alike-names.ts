/**
 * The names that a reader of JSON may take a name for: many ignore case, signs between words or what cannot be seen, and
 * some end a name at U+0000.
 */
export function readingsOf(name: string): readonly string[] {
  const end = name.indexOf('\0');
  return end < 0 ? [folded(name)] : [folded(name), folded(name.slice(0, end))];
}

/** What lies between words or cannot be seen: separators, dashes, controls, lone surrogates, zero-width characters. */
const ignored = /[\s\p{C}\p{Z}\p{Pd}\p{Pc}\p{Default_Ignorable_Code_Point}.]/gu;

/** Upper case joins what lower case keeps apart, such as `ß` and `SS`, and the other way round. */
function folded(name: string): string {
  const visible = name.normalize('NFKC').replace(ignored, '');
  return visible.toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
}
