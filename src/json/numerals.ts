import { replaceTokens } from './scanner.js';

const integerForm = /^(?:0|-?[1-9][0-9]*)$/;
const numberForm = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** Every decimal with so many significant digits survives the way through a double and back (IEEE 754, DBL_DIG). */
const exactDigits = 15;

/**
 * The integer that a string is exactly the decimal form of. Leading zeros, signs before zero, spaces, exponents, other
 * scripts' digits and integers a double cannot hold are none: read as numbers, codes and identifiers would lose something.
 */
export function integerOf(text: string): number | undefined {
  if (text.length > 17 || !integerForm.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}

/**
 * The number that a string is the JSON form of (RFC 8259, 6). Undefined if a double would not give the string back: it
 * has at most fifteen digits, or is written as a double itself is.
 */
export function numberOf(text: string): number | undefined {
  const integer = integerOf(text);
  if (integer !== undefined) return integer;
  if (text.length > 64 || !numberForm.test(text)) return undefined;
  const value = Number(text);
  const [digits] = normalised(text);
  const isOwnForm = text.includes('.') && String(value) === text;
  if (!Number.isFinite(value) || (digits.length > exactDigits && !isOwnForm)) return undefined;
  // "-0", and a number that underflows to zero, would become another number.
  return value === 0 && (text.startsWith('-') || digits !== '') ? undefined : value;
}

export function isNumber(text: string): boolean {
  return numberForm.test(text);
}

/** True if JavaScript represents the number exactly, to the last digit. */
export function isHeldNumber(written: string): boolean {
  const held = Number(written);
  if (!Number.isFinite(held)) return false;
  // So few digits are always held.
  if (written.length <= 15 && !/e/i.test(written)) return true;
  const [digits, exponent] = normalised(written);
  const [heldDigits, heldExponent] = normalised(String(held));
  return digits === heldDigits && (digits === '' || exponent === heldExponent);
}

/** True if a parser may have rounded the number: JavaScript cannot tell apart integers beyond 2^53. */
export function mayBeRounded(number: number): boolean {
  return Number.isInteger(number) && !Number.isSafeInteger(number);
}

/** A JSON text with something else for each number that JavaScript does not hold as it is written. */
export function replaceLostNumbers(text: string, replacement: (written: string) => string): string {
  // Nearly all texts have none: fifteen digits are always held.
  if (!/[\d.]{16}|\d[eE]/.test(text)) return text;
  return replaceTokens(text, (token) => (/^-?\d/.test(token) && !isHeldNumber(token) ? replacement(token) : token));
}

export function lostNumbersIn(text: string): string[] {
  const lost: string[] = [];
  replaceLostNumbers(text, (written) => {
    lost.push(written);
    return written;
  });
  return lost;
}

/** The digits without zeros at either end, and the power of ten of the first digit. */
function normalised(number: string): [digits: string, exponent: number] {
  const [, whole = '', fraction = '', exponent = '0'] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const all = whole + fraction;
  const leading = /^0*/.exec(all)?.[0].length ?? 0;
  return [all.slice(leading).replace(/0+$/, ''), whole.length - leading + Number(exponent)];
}
