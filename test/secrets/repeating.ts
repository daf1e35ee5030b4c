import { fc } from '../../test-support/fuzz.js';

export const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64');

const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
/** What a header may hold. */
export const ascii = fc.string({ unit: visible, minLength: 8, maxLength: 24 });
/** What a variable or an argument may hold. */
export const anything = fc
  .string({
    unit: fc.oneof(visible, fc.constantFrom(' ', '\n', '"', '\\', '%', 'é', '😀', "'")),
    minLength: 8,
    maxLength: 24,
  })
  .filter((text) => text.trim() === text);
const hex = (text: string) => Buffer.from(text, 'utf8').toString('hex');
const json = (text: string) => JSON.stringify(text).slice(1, -1);
/** The ways in which a server may repeat what it was given. */
export const echoes: Record<string, (text: string) => string> = {
  'as it is': (text) => text,
  'as JSON': json,
  'as JSON within JSON': (text) => json(json(text)),
  'as JSON in ASCII': (text) =>
    json(text).replace(/[^\0-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'in a URL': (text) => encodeURIComponent(text),
  'in a URL in small letters': (text) => encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
  'in a form': (text) => encodeURIComponent(text).replaceAll('%20', '+'),
  'in base64': base64,
  'in capitals': (text) => text.toUpperCase(),
  'in small letters': (text) => text.toLowerCase(),
  'in hex': hex,
  'in base64 behind a user': (text) => base64(`u:${text}`),
  'in base64 behind another user': (text) => base64(`me:${text}`),
  'line by line': (text) => text.split('\n').join('\n  stderr: '),
};

export const noise = 'DENIED <> ';

/** Which part of a secret a text shows, of those long enough to be of use, in whichever way it is written. */
export function shownPart(text: string, secret: string): string | undefined {
  const known = (part: string) => text.includes(part) && !`${noise}${noise}`.includes(part);
  const characters = Array.from(secret);
  for (let at = 0; at + 8 <= characters.length; at++) {
    const part = characters.slice(at, at + 8).join('');
    if (part.trim() === part && written.some((write) => known(write(part)))) return part;
  }
  for (const before of ['', '\0', '\0\0']) {
    // The first and last characters of it are not the secret's alone.
    const encoded = base64(before + secret).slice(before === '' ? 0 : 4, -4);
    for (let at = 0; at + 12 <= encoded.length; at++)
      if (known(encoded.slice(at, at + 12))) return encoded.slice(at, at + 12);
  }
  return undefined;
}

const written = Object.entries(echoes).flatMap(([way, echo]) => (/line|base64/.test(way) ? [] : [echo]));
