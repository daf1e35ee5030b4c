import { fc } from '../../test-support/fuzz.js';

export const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64');

const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
/** Characters that a header may have. */
export const ascii = fc.string({ unit: visible, minLength: 8, maxLength: 24 });
const unit = fc.oneof(visible, fc.constantFrom(' ', '"', '\\', '%', 'é', '😀', "'", '\n'));
/** Texts that a variable or an argument may have. */
export const anything = fc
  .string({ unit, minLength: 8, maxLength: 24 })
  // Shorter lines would be ordinary words.
  .filter((text) => text.trim() === text && text.split(/\s*\n\s*/).every((line) => line.length >= 6));

const hex = (text: string) => Buffer.from(text, 'utf8').toString('hex');
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const named: Partial<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' };

/** The encodings in which a server may repeat a secret. */
export const echoes: Record<string, (text: string) => string> = {
  'as it is': (text) => text,
  'as JSON': json,
  'as JSON in ASCII': (text) =>
    json(text).replace(/[^\0-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'as JSON of PHP': (text) => json(text).replaceAll('/', '\\/'),
  'in a URL': (text) => encodeURIComponent(text),
  'in a URL in small letters': (text) => encodeURIComponent(text).replace(/%../g, (escape) => escape.toLowerCase()),
  'in a URL, strictly': (text) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${hex(character).toUpperCase()}`),
  'in a form': (text) => encodeURIComponent(text).replaceAll('%20', '+'),
  'as HTML': (text) => text.replace(/[&<>"']/g, (character) => named[character] ?? character),
  'in Base64': base64,
  'in Base64 without padding': (text) => base64(text).replace(/=+$/, ''),
  'in Base64 for URLs': (text) => Buffer.from(text).toString('base64url'),
  'in hex': hex,
  'in hex with capitals': (text) => hex(text).toUpperCase(),
  'line by line': (text) => text.split('\n').join('\n  stderr: '),
};

export const noise = 'DENIED <> ';

/** The encoding in which a text shows a secret, if it does. */
export function shownAs(text: string, secret: string): string | undefined {
  return Object.keys(echoes).find((way) => text.includes(echoes[way]?.(secret) ?? secret));
}
