/**
 * A name or value without what models get wrong of it: case, and what separates words. At an edge or beside a digit, `-`
 * and `_` say something: `-date` sorts the other way round.
 */
function folded(text: string): string {
  return text.trim().toLowerCase().replace(separators, '');
}

const separators = /(?<=\p{L})(?:[\s_-]+(?=\p{L})|[\s_]+(?=\p{N}))|(?<=\p{N})[\s_]+(?=\p{L})/gu;

/** Texts longer than this are no names. */
const maxLength = 200;

/** Texts by their folded form; null where several fold to the same. */
export type Spellings = ReadonlyMap<string, string | null>;

const known = new WeakMap<object, Spellings>();

/**
 * The spellings of some texts, computed once for each list or object that holds them.
 *
 * @param holder a list or set of values, of which the texts count
 */
export function spellingsOf(holder: readonly unknown[] | ReadonlySet<unknown>): Spellings {
  let spellings = known.get(holder);
  if (!spellings) {
    const found = new Map<string, string | null>();
    for (const text of holder) {
      if (typeof text !== 'string' || text.length > maxLength) continue;
      const key = folded(text);
      if (key !== '') found.set(key, found.has(key) && found.get(key) !== text ? null : text);
    }
    known.set(holder, (spellings = found));
  }
  return spellings;
}

/** Words of a text in which one of the allowed values may stand, and letters of such a value. */
const maxWords = 6;
const minLetters = 3;

/** Words that are part of a phrase in every language are no mention of a value. */
const functionWords = wordSet(
  'all and any both but default each every for from none not off only other same the this use with',
);

/** Words beside a value that make the text mean something else, or possibly so. */
const changingWords = wordSet(
  'not no non never neither nor cannot cant isnt arent dont doesnt wont without except excluding exclude excluded but other than instead rather unlike',
  'opposite reverse inverse anything nothing nobody hardly barely rarely seldom almost nearly yet far lack lacking fail',
  'failed stop stopped avoid ignore skip remove removed disable disabled hide hidden',
  'deny denied revoke revoked block blocked forbid forbidden reject rejected refuse refused prevent ban banned cancel',
  'cancelled canceled delete deleted drop dropped false was were maybe perhaps possibly if unless',
  'and or either versus vs until till between since before after more less over under above below most least half quarter',
  'double twice part partly partially multiple several few every',
  'former formerly previously ex semi pre post anti pseudo quasi bi un re de dis sub super ultra vice',
  'outside beyond free minus plus undo undone demote demoted versus against anti',
  'zero one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty sixty ninety hundred',
  'nicht kein keine ohne nie pas sans jamais aucun sin nunca sem senza mai nao não ni oder und ou et y o e',
);

function wordSet(...words: readonly string[]): ReadonlySet<string> {
  return new Set(words.flatMap((line) => line.split(' ')));
}

/**
 * The one text that stands within a longer one as its own words: `six_months` in "last six months". Undefined where
 * several do, unless one holds the others, and where what stands beside it may change the meaning: a negation, a
 * number, an alternative.
 */
export function spelledWithin(text: string, spellings: Spellings): string | undefined {
  if (text.length > maxLength) return undefined;
  const words = text.split(/[\s_]+/).map((word) => word.replace(/^["'`(*]+|[."'`)*:!]+$/g, ''));
  if (words.length > maxWords) return undefined;
  const [longest, ...others] = mentionsIn(words, spellings).sort((left, right) => lengthOf(right) - lengthOf(left));
  if (!longest || others.some(({ start, end }) => start < longest.start || end > longest.end)) return undefined;
  const beside = [...words.slice(0, longest.start), ...words.slice(longest.end)].filter((word) => word !== '');
  return beside.length === 0 || beside.some(mayChangeMeaning) ? undefined : (longest.text ?? undefined);
}

interface Mention {
  readonly start: number;
  readonly end: number;
  /** Null where several values are spelled so. */
  readonly text: string | null;
}

function mentionsIn(words: readonly string[], spellings: Spellings): Mention[] {
  return words.flatMap((_, start) =>
    words.slice(start).flatMap((_, length) => {
      const end = start + length + 1;
      const given = words.slice(start, end).join(' ');
      const key = folded(given);
      const text = spellings.get(key);
      if (text === undefined || key.length < minLetters || functionWords.has(key)) return [];
      return text !== null && unitIn(text) !== unitIn(given) ? [] : [{ start, end, text }];
    }),
  );
}

function lengthOf({ start, end }: Mention): number {
  return end - start;
}

function mayChangeMeaning(word: string): boolean {
  return !/^[\p{L}\p{M}]+$/u.test(word) || changingWords.has(word.toLowerCase());
}

/** Whether a text is one of these but for case and for what separates words. */
export function isSpelled(text: string, spellings: Spellings): boolean {
  return text.length <= maxLength && spellings.has(folded(text));
}

/** The one text that differs from this one in spelling only; undefined where there is none, or more than one. */
export function spelledLike(text: string, spellings: Spellings): string | undefined {
  if (text.length > maxLength) return undefined;
  const found = spellings.get(folded(text)) ?? undefined;
  return found === text || (found !== undefined && unitIn(found) !== unitIn(text)) ? undefined : found;
}

/** Months or minutes, mega or milli: behind a number, the case of an `m` says something. */
function unitIn(text: string): string | undefined {
  return /\d[\s_]*(m)\s*$/i.exec(text)?.[1];
}

/**
 * The members of an object that are not declared by the name they have but by another spelling of it, which was not
 * given. Where two given names mean the same property, neither is taken.
 *
 * @param known all names that the schema knows: where the given one is like two of them, neither is meant
 */
export function misspelledNames(
  object: object,
  declared: ReadonlySet<string>,
  known: ReadonlySet<string>,
  mayRename: (given: string, meant: string) => boolean,
): Map<string, string> {
  const givenFor = new Map<string, string | null>();
  for (const given of Object.keys(object)) {
    if (declared.has(given)) continue;
    const meant = spelledLike(given, spellingsOf(known));
    if (meant === undefined || !declared.has(meant) || Object.hasOwn(object, meant) || !mayRename(given, meant))
      continue;
    givenFor.set(meant, givenFor.has(meant) ? null : given);
  }
  return new Map([...givenFor].flatMap(([meant, given]) => (given === null ? [] : [[given, meant]])));
}
