/** Without case and separators of words. Beside a digit or at an edge, `-` and `_` say something: `-date`. */
function foldedValue(text: string): string {
  return text.trim().toLowerCase().replace(separators, '');
}

const separators = /(?<=\p{L})(?:[\s_-]+(?=\p{L})|[\s_]+(?=\p{N}))|(?<=\p{N})[\s_]+(?=\p{L})/gu;

/** A name without case and separators, those at its edges included: `from` for `_from`. */
function foldedName(text: string): string {
  return text.toLowerCase().replace(/[\s_-]+/g, '');
}

const maxLength = 200;

/** Texts by their folded form; null where several fold to the same. */
type Spellings = ReadonlyMap<string, string | null>;

function spellings(fold: (text: string) => string): (holder: Iterable<unknown> & object) => Spellings {
  const known = new WeakMap<object, Spellings>();
  // Once for each list: it may be long, and asked for with every element.
  return (holder) => {
    const before = known.get(holder);
    if (before) return before;
    const found = new Map<string, string | null>();
    for (const text of holder) {
      if (typeof text !== 'string' || text.length > maxLength) continue;
      const key = fold(text);
      if (key !== '') found.set(key, found.has(key) && found.get(key) !== text ? null : text);
    }
    known.set(holder, found);
    return found;
  };
}

const valueSpellings = spellings(foldedValue);
const nameSpellings = spellings(foldedName);

export function isSpelled(text: string, names: ReadonlySet<string>): boolean {
  return text.length <= maxLength && nameSpellings(names).has(foldedName(text));
}

/**
 * The one allowed value that differs from a text in spelling only; undefined where there is none, or more than one. The
 * case of a single letter says something (`m`, `M`), and that of two unless all the values are in one case (`mW`, `MW`).
 */
export function spelledLike(text: string, values: readonly unknown[]): string | undefined {
  if (text.length > maxLength) return undefined;
  const key = foldedValue(text);
  const found = valueSpellings(values).get(key) ?? undefined;
  if (found === undefined || found === text || unitIn(found) !== unitIn(text)) return undefined;
  return key.length === 1 || (key.length === 2 && !areInOneCase(values, text)) ? undefined : found;
}

function areInOneCase(values: readonly unknown[], text: string): boolean {
  const texts = values.filter((value) => typeof value === 'string');
  const isOne = (of: readonly string[]) =>
    of.every((each) => each === each.toLowerCase()) || of.every((each) => each === each.toUpperCase());
  return isOne(texts) && isOne([text]);
}

/** Months or minutes, mega or milli: behind a number, the case of an `m` says something. */
function unitIn(text: string): string | undefined {
  return /\d[\s_]*(m)\s*$/i.exec(text)?.[1];
}

/** The declared names that misspelt members mean. Nothing is meant where two known or two given names are alike. */
export function misspelledNames(
  object: object,
  declared: ReadonlySet<string>,
  known: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const givenFor = new Map<string, string | null>();
  for (const given of Object.keys(object)) {
    if (known.has(given) || given.length > maxLength) continue;
    const meant = nameSpellings(known).get(foldedName(given)) ?? undefined;
    if (meant === undefined || !declared.has(meant) || Object.hasOwn(object, meant)) continue;
    givenFor.set(meant, givenFor.has(meant) ? null : given);
  }
  return new Map([...givenFor].flatMap(([meant, given]) => (given === null ? [] : [[given, meant]])));
}
