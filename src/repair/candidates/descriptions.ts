import { wordsOf } from '../../json/index.js';
import type { SchemaHints } from '../../schema/index.js';

export function asksForListText(hints: SchemaHints): boolean {
  return shows(hints, 'list', (text) => listText.test(text));
}

const listText = /(?<![\w./])json\b|\barrays?\b|\[\s*["'{[]/i;

export function asksForJson(hints: SchemaHints): boolean {
  return shows(hints, 'json', (text) => jsonWanted.test(text) && !notJson.test(text));
}

const jsonWanted =
  /\bjson[- ](?:string|text|object|array|payload|encoded|format(?:ted)?|stringified|serialized|definition|content)\b|\b(?:as|valid|stringified|serialized) (?:an? )?json\b|\bjson\b[^.]{0,40}[{[]\s*"/i;

/** If a file is named, the server writes the JSON, or expects none. */
const notJson =
  /\b(?:path|url|uri|name) (?:of|to)\b|\bjson file\b|\bfile ?(?:path|name)\b|\bwill be (?:\w+ )?serialized\b|\b(?:not|no|never|without|instead of|rather than|don't|cannot)\b[^.;]{0,20}\bjson\b|\bjson\b[^.;]{0,30}\bnot (?:allowed|accepted|supported)\b/i;

/** True if the schema asks for another text than the one JavaScript writes for the value. */
export function asksForOtherText(hints: SchemaHints, value: number): boolean {
  const named = hints.isOneOfMany && hints.holder ? hints.holder : hints;
  if (nameOfDigits.test(wordsOf(String(named.key)).join(' '))) return true;
  const count = String(Math.abs(value)).length;
  // If the schema asks for the number of digits that came, none is lost: 2024 is a "4-digit year".
  const others = (text: string) =>
    text.replace(countOfDigits, (asked, wanted) => (Number(wanted) === count ? '' : asked));
  return shows(hints, `number of ${count} digits`, (text) => otherNumbers.test(others(text)));
}

const countOfDigits = /\b(\d{1,2})[- ]digits?\b/gi;

/** Texts that a number cannot represent: the zero at the end of 12.0 and at the beginning of 02134, and a plus. */
const otherNumbers =
  /\d\.\d|\b0\d|\+\d|\b(?:leading|zero|zeroe?s)[ -](?:zero|pad)|\bdigits?\b|\bversions?\b|\bcodes?\b|\bE\.?164\b|\bHH:?MM/i;

const nameOfDigits = /\b(?:versions?|digits?|codes?|zip|postcode|postal|phones?|pin|otp|semver)\b/i;

/** True if the texts about a place, or about its holders, mention null, an empty string or clearing. */
export function mentions(hints: SchemaHints, what: keyof typeof words): boolean {
  return describes(hints, what, (text) => words[what].test(text.replace(nullByDefault, '')), true);
}

const omitted = String.raw`\b(?:omit(?:ted)?|(?:left|leave) out|not (?:given|provided|set))\b`;
const unchanged = String.raw`\b(?:unchanged|keeps?|kept|preserve[sd]?|retain(?:s|ed)?|stays? the same)\b`;
const unchangedIfOmitted = `${omitted}[^.;]{0,60}${unchanged}|${unchanged}[^.;]{0,60}${omitted}`;

const words = {
  null: new RegExp(`\\b(?:nulls?|none|nil|unset|clears?)\\b|${unchangedIfOmitted}`, 'i'),
  blank: /\b(?:empty|blank|unset|clears?)\b|""|''/i,
  clearing:
    /\b(?:nulls?|nullable|none|nil|clear(?:s|ed|ing)?|unset(?:s|ting)?|reset(?:s|ting)?|remov(?:e[sd]?|ing|al)|eras(?:e[sd]?|ing)|unassign\w*)\b/i,
};

/** Sending the default is the same as omitting the property. */
const nullByDefault = /\bdefaults?\b(?: value)?(?: is| to|:|=)? ?["'`]?(?:null|none)\b/gi;

export function speaksOfClearing(text: string): boolean {
  return words.clearing.test(text.replace(nullByDefault, ''));
}

/** True if a title, a description or an example passes the test; examples are tested in quotes. */
function shows(hints: SchemaHints, question: string, isSo: (text: string) => boolean): boolean {
  const isShown = (example: unknown) => typeof example === 'string' && isSo(`"${example}"`);
  return (
    describes(hints, question, isSo) || hints.once(`${question} in examples`, () => hints.examples().some(isShown))
  );
}

/** True if a title or description passes the test: its own, its list's or map's, or any holder's. */
function describes(hints: SchemaHints, question: string, isSo: (text: string) => boolean, ofHolders = false): boolean {
  return hints.once(question, () => {
    const { texts, holder, isOneOfMany } = hints;
    if (texts().some(isSo)) return true;
    return holder !== undefined && (ofHolders || isOneOfMany) && describes(holder, question, isSo, ofHolders);
  });
}
