/** A name or value without what models get wrong of it: case, spaces, `_` and `-`. */
function folded(text: string): string {
  return text.toLowerCase().replace(/[\s_-]+/g, '');
}

/** Texts longer than this are no names. */
const maxLength = 200;

/** Texts by their folded form; null where several fold to the same. */
export type Spellings = ReadonlyMap<string, string | null>;

const known = new WeakMap<object, Spellings>();

/**
 * The spellings of some texts, computed once for each list or object that holds them.
 *
 * @param holder a list of values, of which the texts count, or an object, of which the names do
 */
export function spellingsOf(holder: object): Spellings {
  let spellings = known.get(holder);
  if (!spellings) {
    const texts: unknown[] = Array.isArray(holder) ? holder : Object.keys(holder);
    const found = new Map<string, string | null>();
    for (const text of texts) {
      if (typeof text !== 'string' || text.length > maxLength) continue;
      const key = folded(text);
      found.set(key, found.has(key) && found.get(key) !== text ? null : text);
    }
    known.set(holder, (spellings = found));
  }
  return spellings;
}

/** The one text that differs from this one in spelling only; undefined where there is none, or more than one. */
export function spelledLike(text: string, spellings: Spellings): string | undefined {
  if (text.length > maxLength) return undefined;
  const found = spellings.get(folded(text)) ?? undefined;
  return found === text ? undefined : found;
}

/**
 * The members of an object that are not declared by the name they have but by another spelling of it, which was not
 * given. Where two given names mean the same property, neither is taken.
 */
export function misspelledNames(
  object: object,
  declared: object,
  mayRename: (meant: string) => boolean,
): Map<string, string> {
  const spellings = spellingsOf(declared);
  const givenFor = new Map<string, string | null>();
  for (const given of Object.keys(object)) {
    if (Object.hasOwn(declared, given)) continue;
    const meant = spelledLike(given, spellings);
    if (meant === undefined || Object.hasOwn(object, meant) || !mayRename(meant)) continue;
    givenFor.set(meant, givenFor.has(meant) ? null : given);
  }
  return new Map([...givenFor].flatMap(([meant, given]) => (given === null ? [] : [[given, meant]])));
}
