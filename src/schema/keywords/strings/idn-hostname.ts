import { toASCII, toUnicode } from 'punycode/punycode.es6.js';

/** RFC 1034, 3.1, and RFC 5890, 2.3.2.1: octets of a name, and of a label, in ASCII. */
const longest = { name: 253, label: 63 };

/** The characters that a label may have (RFC 5892, 2.1, 2.6 and 2.9), once it is mapped: Cherokee has capitals then. */
const letters =
  /^(?!.*[\u1100-\u11FF\uA960-\uA97F\uD7B0-\uD7FF])[\u13A0-\u13F5\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}\-\u00B7\u0375\u05F3\u05F4\u30FB\u200C\u200D\u06FD\u06FE\u0F0B\u3007]+$/u;

/** Invalid labels: hyphens (RFC 5891, 4.2.3.1), marks at the beginning, characters in the wrong company. */
const wrong: readonly RegExp[] = [
  /^-|-$|^..--/su,
  /^\p{M}/u,
  /[\u0640\u07FA\u302E\u302F\u3031-\u3035\u303B]/u, // RFC 5892, 2.6
  /(?<!l)\u00B7|\u00B7(?!l)/u, // A.3
  /\u0375(?!\p{Script=Greek})/u, // A.4
  /(?<!\p{Script=Hebrew})[\u05F3\u05F4]/u, // A.5, A.6
  /^[^\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]*\u30FB[^\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]*$/u, // A.7
  /[\u0660-\u0669].*[\u06F0-\u06F9]|[\u06F0-\u06F9].*[\u0660-\u0669]/su, // A.8, A.9
];

/** Scripts that are written from right to left, and join their letters. */
const rightToLeft = String.raw`\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}`;
const hasRightToLeft = new RegExp(String.raw`(?!\p{Nd})[${rightToLeft}]`, 'u');

/** A label in a name with letters of these scripts: all in one direction, no digit first (RFC 5893, 2). */
const inOneDirection = new RegExp(
  String.raw`^(?![\p{Nd}\p{M}-])(?:[${rightToLeft}][${rightToLeft}\p{M}\p{Nd}\u200C\u200D-]*|[^${rightToLeft}]*)$`,
  'u',
);

/** A joiner that is neither behind a virama nor between letters that join (RFC 5892, A.1), at each of its places. */
const strayJoiner = new RegExp(
  String.raw`(?<![\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA\u1039\u17D2])(?:(?<![${rightToLeft}\p{Script=Mongolian}\p{Mn}])\u200C|\u200C(?![${rightToLeft}\p{Script=Mongolian}\p{Mn}]))`,
  'u',
);

/** A host's name in any script: `URL` maps, encodes (UTS #46) and knows bidirectional text, IDNA 2008 forbids more. */
export function isIdnHostname(text: string): boolean {
  const ascii = asciiOf(text);
  if (ascii === undefined || ascii.length > longest.name) return false;
  // An encoding of letters that have another one is no name of theirs.
  const encoded = text
    .toLowerCase()
    .split('.')
    .filter((label) => label.startsWith('xn--'));
  if (!encoded.every((label) => ascii.split('.').includes(label))) return false;
  const labels = ascii.split('.').map((label) => ({ label, shown: shownLabel(label) }));
  const isMixed = labels.some(({ shown }) => hasRightToLeft.test(shown));
  return labels.every(
    ({ label, shown }) =>
      label.length <= longest.label &&
      letters.test(shown) &&
      ![...wrong, strayJoiner].some((rule) => rule.test(shown)) &&
      (!isMixed || inOneDirection.test(shown)),
  );
}

/** A label in its own letters; empty if another spelling of them is the canonical one (RFC 5891, 4.4). */
function shownLabel(label: string): string {
  try {
    const shown = toUnicode(label);
    return toASCII(shown) === label ? shown : '';
  } catch {
    return '';
  }
}

function asciiOf(text: string): string | undefined {
  // URL accepts these characters, and reads numbers as addresses.
  if (text === '' || /[\s/\\?#@:%[\]<>^|]/.test(text)) return undefined;
  try {
    const { hostname } = new URL(`http://${text}.invalid`);
    return hostname.slice(0, -'.invalid'.length);
  } catch {
    return undefined;
  }
}
