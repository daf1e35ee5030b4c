import { JsonScanner, numberOf, parseJson, replaceLostNumbers } from '../json/index.js';
import { type Fate, fateOf } from './comparison.js';

/** Compares the texts of two schemas, in which a number is as it is written: JavaScript would round it, and move integer-like names. */
export function fateOfTexts(wire: string, sent: string | undefined): Fate {
  if (sent === undefined) return 'lost';
  if (sent === wire) return 'identical';
  const fate = fateOf(heldExactly(wire), heldExactly(sent));
  return fate === 'identical' && spelling(wire) !== spelling(sent) ? 'reordered' : fate;
}

/**
 * Parses JSON; a number that JavaScript cannot represent becomes an object with its digits. Undefined if it is not
 * JSON.
 */
export function heldExactly(text: string): unknown {
  return parseJson(replaceLostNumbers(text, (written) => `{"number":"${written}"}`));
}

/** A text without its meaningless parts: white space, the escapes of strings, the zeros of numbers. */
function spelling(text: string): string {
  const one = (token: string) =>
    token.startsWith('"') ? JSON.stringify(parseJson(token)) : String(numberOf(token) ?? token);
  return Array.from(new JsonScanner(text).tokens(), one).join(' ');
}
