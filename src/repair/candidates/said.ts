import type { JsonObject } from '../../json/index.js';
import type { Meaning } from '../../schema/index.js';

/** Whether the text of a list may be wanted. */
export function asksForListText(meaning: Meaning): boolean {
  return shows(meaning, 'list', (text) => listText.test(text));
}

const listText = /(?<![\w./])json\b|\barrays?\b|\[\s*["'{[]/i;

/** Whether the JSON of a value is wanted as a text. */
export function asksForJson(meaning: Meaning): boolean {
  return shows(meaning, 'json', (text) => jsonWanted.test(text) && !notJson.test(text));
}

const jsonWanted =
  /\bjson[- ](?:string|text|object|array|payload|encoded|format(?:ted)?|stringified|serialized|definition|content)\b|\b(?:as|valid|stringified|serialized) (?:an? )?json\b|\bjson\b[^.]{0,40}[{[]\s*"/i;

/** Where a file is named, the server writes the JSON, or none is wanted. */
const notJson =
  /\b(?:path|url|uri|name) (?:of|to)\b|\bjson file\b|\bfile ?(?:path|name)\b|\bwill be (?:\w+ )?serialized\b|\b(?:not|no|never|without|instead of|rather than|don't|cannot)\b[^.;]{0,20}\bjson\b|\bjson\b[^.;]{0,30}\bnot (?:allowed|accepted|supported)\b/i;

/** Whether other texts are wanted than those in which JavaScript writes such a value. */
export function asksForOtherText(meaning: Meaning, value: boolean | number): boolean {
  if (typeof value === 'boolean') return shows(meaning, 'boolean', (text) => otherTexts.boolean.test(text));
  const count = String(Math.abs(value)).length;
  // Where as many are wanted as came, none is lost: a "4-digit year" is 2024.
  const others = (text: string) =>
    text.replace(countOfDigits, (asked, wanted) => (Number(wanted) === count ? '' : asked));
  return shows(meaning, `number of ${count} digits`, (text) => otherTexts.number.test(others(text)));
}

const countOfDigits = /\b(\d{1,2})[- ]digits?\b/gi;

const otherTexts = {
  /** `"yes"`, `"1"` and Python's `"True"`. */
  boolean:
    /(["'`])(?:[yY](?:es)?|[nN]o?|YES|NO|[oO]n|[oO]ff|ON|OFF|[01]|True|TRUE|False|FALSE)\1|\byes ?(?:\/|or) ?no\b/,
  /** What a number cannot hold: the zero at the end of 12.0 and at the beginning of 02134, and a plus. */
  number:
    /\d\.\d|\b0\d|\+\d|\b(?:leading|zero|zeroe?s)[ -](?:zero|pad)|\bdigits?\b|\bE\.?164\b|\bcountry code\b|\bHH:?MM/i,
};

/** Whether it is said of the value, or of what holds it, what its absence means, or that it is not the same as null. */
export function speaksOfAbsence(meaning: Meaning, absent: 'null' | 'blank'): boolean {
  return says(meaning, absent, (text) => absentWords[absent].test(text.replace(nullByDefault, '')), true);
}

const omitted = String.raw`\b(?:omit(?:ted)?|(?:left|leave) out|not (?:given|provided|set))\b`;
const unchanged = String.raw`\b(?:unchanged|keeps?|kept|preserve[sd]?|retain(?:s|ed)?|stays? the same)\b`;

const absentWords = {
  null: new RegExp(
    String.raw`\b(?:nulls?|none|nil|unset|clears?)\b|${omitted}[^.;]{0,60}${unchanged}|${unchanged}[^.;]{0,60}${omitted}`,
    'i',
  ),
  blank: /\b(?:empty|blank|unset|clears?)\b|""|''/i,
};

/** Whoever sends what is the default means the same as whoever leaves it out. */
const nullByDefault = /\bdefaults?\b(?: value)?(?: is| to|:|=)? ?["'`]?(?:null|none)\b/gi;

/** Whether a title, a description or an example is of a sort; of examples it is asked in quotes. */
function shows(meaning: Meaning, question: string, isSo: (text: string) => boolean): boolean {
  const isShown = (example: unknown) => typeof example === 'string' && isSo(`"${example}"`);
  return (
    says(meaning, question, isSo) || isTrueOf(meaning, `${question} in examples`, () => meaning.examples.some(isShown))
  );
}

/**
 * Whether a title or a description is of a sort: the value's own, that of the list or the map in which it is one of
 * many, or that of whatever holds it.
 */
function says(meaning: Meaning, question: string, isSo: (text: string) => boolean, ofHolders = false): boolean {
  return isTrueOf(meaning, question, () => {
    const { own, holder, isOneOfMany } = meaning;
    if (own.flatMap(textsIn).some(isSo)) return true;
    return holder !== undefined && (ofHolders || isOneOfMany) && says(holder, question, isSo, ofHolders);
  });
}

const known = new WeakMap<Meaning, Map<string, boolean>>();

/** What is said of a place is read once, however many values stand there or within. */
export function isTrueOf(meaning: Meaning, question: string, find: () => boolean): boolean {
  const answers = known.get(meaning) ?? new Map<string, boolean>();
  known.set(meaning, answers);
  const answer = answers.get(question) ?? find();
  answers.set(question, answer);
  return answer;
}

function textsIn({ title, description }: JsonObject): readonly string[] {
  return [title, description].filter((text) => typeof text === 'string');
}
