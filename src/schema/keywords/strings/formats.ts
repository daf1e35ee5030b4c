import type * as Checks from '@hyperjump/json-schema-formats';
import type * as Idn from 'idn-hostname';

export interface Format {
  accepts(text: string): boolean;
  /** Texts up to this length are checked at once, longer ones under the watchdog. */
  readonly quickLength: number;
}

/** Rules that are linear in the text, or cut it short themselves. */
const linear = 5000;

/** Rules made of large regular expressions: quadratic on some texts, as far as was found. */
const quadratic = 200;

/** `idn-email` backtracks exponentially over letters other than ASCII in the library's version 1.0.7. */
const exponential = 16;

/** Every format of the five dialects (2020-12 validation, 7.3). */
const standard: ReadonlyMap<string, Format> = new Map([
  ['date-time', { accepts: check('isDateTime'), quickLength: linear }],
  ['date', { accepts: check('isDate'), quickLength: linear }],
  ['time', { accepts: isTime, quickLength: linear }],
  ['duration', { accepts: check('isDuration'), quickLength: linear }],
  ['email', { accepts: check('isEmail'), quickLength: quadratic }],
  ['idn-email', { accepts: isIdnEmail, quickLength: exponential }],
  ['hostname', { accepts: (text: string) => checks().isHostname(text) && isIdnHostname(text), quickLength: linear }],
  ['idn-hostname', { accepts: isIdnHostname, quickLength: linear }],
  ['ipv4', { accepts: check('isIPv4'), quickLength: linear }],
  ['ipv6', { accepts: check('isIPv6'), quickLength: quadratic }],
  ['uri', { accepts: tolerant(check('isUri')), quickLength: quadratic }],
  ['uri-reference', { accepts: tolerant(check('isUriReference')), quickLength: quadratic }],
  ['iri', { accepts: tolerant(check('isIri')), quickLength: quadratic }],
  ['iri-reference', { accepts: tolerant(check('isIriReference')), quickLength: quadratic }],
  ['uuid', { accepts: check('isUuid'), quickLength: linear }],
  ['uri-template', { accepts: check('isUriTemplate'), quickLength: quadratic }],
  ['json-pointer', { accepts: check('isJsonPointer'), quickLength: linear }],
  ['relative-json-pointer', { accepts: check('isRelativeJsonPointer'), quickLength: linear }],
  ['regex', { accepts: check('isRegex'), quickLength: quadratic }],
]);

/**
 * Formats of OpenAPI and of code generators: known not to need a note, but without a rule that could be checked
 * independently of their authors' intentions.
 */
const customary: ReadonlySet<string> = new Set([
  ...['int8', 'int16', 'int32', 'int64', 'uint', 'uint8', 'uint16', 'uint32', 'uint64', 'int', 'integer'],
  ...[
    'float',
    'double',
    'decimal',
    'number',
    'byte',
    'binary',
    'password',
    'string',
    'url',
    'html',
    'json',
    'markdown',
  ],
]);

// 200 KB of tables that most programs never need: loaded when a format is asserted for the first time.
/* eslint-disable @typescript-eslint/no-require-imports -- the only way to load at once and not before */
function checks(): typeof Checks {
  return require('@hyperjump/json-schema-formats') as typeof Checks; // require is untyped
}

function idn(): typeof Idn {
  return require('idn-hostname') as typeof Idn; // require is untyped
}
/* eslint-enable @typescript-eslint/no-require-imports */

/** Loads what checks formats, which must not be cut off by a watchdog. */
export function loadFormats(): void {
  checks();
  idn();
}

function check(name: keyof typeof Checks): (text: string) => boolean {
  return (text) => checks()[name](text);
}

/** With the leap second that RFC 3339 (5.6) allows at the end of a day in UTC, which the library leaves out. */
function isTime(text: string): boolean {
  const leap = /^(\d\d):(\d\d):60((?:\.\d+)?(?:z|([+-])(\d\d):(\d\d)))$/i.exec(text);
  if (!leap) return checks().isTime(text);
  const [, hour, minute, rest = '', sign = '+', offsetHour = '0', offsetMinute = '0'] = leap;
  if (!checks().isTime(`${hour}:${minute}:59${rest}`)) return false;
  const offset = Number(offsetHour) * 60 + Number(offsetMinute);
  const inUtc = Number(hour) * 60 + Number(minute) - (sign === '-' ? -offset : offset);
  return (inUtc + 1) % (24 * 60) === 0;
}

/** Longer than any host name or mailbox may be in ASCII (RFC 1034, 3.1: 255 octets; RFC 5321, 4.5.3.1: 320). */
const nameLimit = 1000;

/** Its domain is asked about first, because the library prints every domain that it refuses to standard output. */
function isIdnEmail(text: string): boolean {
  const domain = text.slice(text.lastIndexOf('@') + 1);
  return text.length <= nameLimit && (domain.startsWith('[') || isIdnHostname(domain)) && checks().isIdnEmail(text);
}

/** Asked directly, because the library around it prints every refusal to standard output. */
function isIdnHostname(text: string): boolean {
  if (text.length > nameLimit || /[.\uFF0E\u3002\uFF61]$/.test(text)) return false;
  try {
    return idn().isIdnHostname(text);
  } catch {
    return false;
  }
}

/** The library throws for an address literal of a future IP version, which RFC 3986 (3.2.2) allows. */
function tolerant(check: (text: string) => boolean): (text: string) => boolean {
  return (text) => {
    try {
      return check(text);
    } catch {
      return true;
    }
  };
}

/** The check of a format's name; undefined where there is none. */
export function findFormat(name: string): Format | undefined {
  return standard.get(name);
}

/** Whether a format without a check is one that is in use. */
export function isCustomaryFormat(name: string): boolean {
  return customary.has(name);
}
