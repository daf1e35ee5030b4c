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
const named: Partial<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' };
const code = (character: string) => character.codePointAt(0) ?? 0;
const entity = (character: string) => `&#${code(character)};`;
const unicode = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
const bytewise = (text: string, sign: string) => hex(text).replace(/../g, `${sign}$&`);

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
  'as HTML': (text) => text.replace(/[&<>"'`=/]/g, (character) => named[character] ?? entity(character)),
  'as HTML in hex': (text) => text.replace(/[^\w ]/gu, (character) => `&#x${code(character).toString(16)};`),
  'as HTML through and through': (text) => Array.from(text, entity).join(''),
  'as JSON in HTML': (text) => json(text).replace(/["&<>]/g, (character) => named[character] ?? character),
  'as escapes through and through': (text) => text.split('').map(unicode).join(''),
  'as escapes here and there': (text) =>
    text
      .split('')
      .map((unit, at) => (at % 3 === 1 ? unicode(unit) : json(unit)))
      .join(''),
  'as escapes of bytes': (text) => text.replace(/[^\w ]/gu, (character) => bytewise(character, '\\x')),
  'in a URL through and through': (text) => bytewise(text, '%'),
  'in a URL here and there': (text) =>
    Array.from(text, (character, at) => (at % 2 === 0 ? bytewise(character, '%') : encodeURIComponent(character))).join(
      '',
    ),
  'in a URL twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'in a URL as JSON': (text) => encodeURIComponent(json(text)),
  'in hex with spaces': (text) => hex(text).replace(/../g, '$& '),
  'in hex with colons': (text) =>
    hex(text)
      .toUpperCase()
      .replace(/..(?=.)/g, '$&:'),
  'as bytes': (text) => JSON.stringify([...Buffer.from(text)]),
  'in base64 for URLs': (text) => Buffer.from(text).toString('base64url'),
  'in base64 twice': (text) => base64(base64(text)),
  'in base64 in a URL': (text) => encodeURIComponent(base64(text)),
  'in base64 of JSON': (text) => base64(JSON.stringify({ text })),
  'in base64 of its end': (text) => base64(Array.from(text).slice(-8).join('')),
  'in base64 of a part': (text) => base64(`: ${Array.from(text).slice(0, 8).join('')}`),
  'line by line': (text) => text.split('\n').join('\n  stderr: '),
};

export const noise = 'DENIED <> ';

/** Which part of a secret a text shows, of those long enough to be of use, in whichever way it is written. */
export function shownPart(text: string, secret: string): string | undefined {
  const inBase64 = decoded(text);
  const encoded = `${inBase64}${decoded(inBase64)}`;
  const shows = (shown: string, part: string) => shown.includes(part) && !`${noise}${noise}`.includes(part);
  const characters = Array.from(secret);
  for (let at = 0; at + 8 <= characters.length; at++) {
    const part = characters.slice(at, at + 8).join('');
    if (part.trim() !== part) continue;
    if (written.some((write) => shows(text, write(part)))) return part;
    if ([part, json(part)].some((each) => shows(encoded, each))) return part;
  }
  return undefined;
}

/** All that stands in base64 in a text, wherever its groups of four characters begin. */
function decoded(text: string): string {
  const runs = text.match(/[\w+/-]{11,}/g) ?? [];
  return runs
    .flatMap((run) => [0, 1, 2, 3].map((at) => `${Buffer.from(run.slice(at), 'base64').toString()}\n`))
    .join('');
}

const written = [
  ...Object.entries(echoes).flatMap(([way, echo]) => (/line|base64|as bytes/.test(way) ? [] : [echo])),
  (text: string) => [...Buffer.from(text)].join(','),
];
