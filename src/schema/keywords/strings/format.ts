import { quote } from '../../../json/index.js';
import { defineKeyword, type Format, VALID } from '../keyword.js';
import * as checks from '@hyperjump/json-schema-formats';
import { isIdnHostname } from './idn-hostname.js';

/** validation, 7: an annotation, unless the caller wants formats asserted. */
export const format = defineKeyword<{ readonly name: string; readonly format: Format }>('format', {
  compile(value, at) {
    if (typeof value !== 'string') return at.malformed('a string');
    const found = findFormat(value);
    if (found) return { name: value, format: found };
    if (!customary.has(value)) at.report('unknown-format', `The format ${quote(value)} is unknown; it is not checked.`);
    return undefined;
  },
  evaluate: ({ value, node }, instance, context) =>
    context.assertFormats && typeof instance === 'string' ? context.conforms(value.format, instance, node) : VALID,
  expected: ({ value }) => ({ kind: 'format', name: value.name }),
});

/** Rules that are linear in the text, or cut it short themselves. */
const linear = 5000;

/** Rules made of large regular expressions: quadratic on some texts, as far as was found. */
const quadratic = 200;

/** `idn-email` backtracks exponentially over letters other than ASCII in the library's version 1.0.7. */
const exponential = 16;

/** Every format of the five dialects (2020-12 validation, 7.3). */
const standard: ReadonlyMap<string, Format> = new Map([
  ['date-time', { accepts: checks.isDateTime, quickLength: linear }],
  ['date', { accepts: checks.isDate, quickLength: linear }],
  ['time', { accepts: isTime, quickLength: linear }],
  ['duration', { accepts: checks.isDuration, quickLength: linear }],
  ['email', { accepts: checks.isEmail, quickLength: quadratic }],
  ['idn-email', { accepts: isIdnEmail, quickLength: exponential }],
  ['hostname', { accepts: (text: string) => checks.isHostname(text) && isIdnName(text), quickLength: linear }],
  ['idn-hostname', { accepts: isIdnName, quickLength: linear }],
  ['ipv4', { accepts: checks.isIPv4, quickLength: linear }],
  ['ipv6', { accepts: checks.isIPv6, quickLength: quadratic }],
  ['uri', { accepts: tolerant(checks.isUri), quickLength: quadratic }],
  ['uri-reference', { accepts: tolerant(checks.isUriReference), quickLength: quadratic }],
  ['iri', { accepts: tolerant(checks.isIri), quickLength: quadratic }],
  ['iri-reference', { accepts: tolerant(checks.isIriReference), quickLength: quadratic }],
  ['uuid', { accepts: checks.isUuid, quickLength: linear }],
  ['uri-template', { accepts: checks.isUriTemplate, quickLength: quadratic }],
  ['json-pointer', { accepts: checks.isJsonPointer, quickLength: linear }],
  ['relative-json-pointer', { accepts: checks.isRelativeJsonPointer, quickLength: linear }],
  ['regex', { accepts: checks.isRegex, quickLength: quadratic }],
]);

/** Formats of OpenAPI and of generators: no note, and no rule that could be checked. */
const customary: ReadonlySet<string> = new Set([
  ...['int8', 'int16', 'int32', 'int64', 'uint', 'uint8', 'uint16', 'uint32', 'uint64', 'int', 'integer'],
  ...['float', 'double', 'decimal', 'number', 'byte', 'binary'],
  ...['password', 'string', 'url', 'html', 'json', 'markdown'],
]);

/** With the leap second that RFC 3339 (5.6) allows at the end of a day in UTC, which the library leaves out. */
function isTime(text: string): boolean {
  const leap = /^(\d\d):(\d\d):60((?:\.\d+)?(?:z|([+-])(\d\d):(\d\d)))$/i.exec(text);
  if (!leap) return checks.isTime(text);
  const [, hour, minute, rest = '', sign = '+', offsetHour = '0', offsetMinute = '0'] = leap;
  if (!checks.isTime(`${hour}:${minute}:59${rest}`)) return false;
  const offset = Number(offsetHour) * 60 + Number(offsetMinute);
  const inUtc = Number(hour) * 60 + Number(minute) - (sign === '-' ? -offset : offset);
  return (inUtc + 1) % (24 * 60) === 0;
}

/** Longer than any host name or mailbox may be in ASCII (RFC 1034, 3.1: 255 octets; RFC 5321, 4.5.3.1: 320). */
const nameLimit = 1000;

/** Its domain is asked about first, because the library prints every domain that it refuses to standard output. */
function isIdnEmail(text: string): boolean {
  const domain = text.slice(text.lastIndexOf('@') + 1);
  return text.length <= nameLimit && (domain.startsWith('[') || isIdnName(domain)) && checks.isIdnEmail(text);
}

function isIdnName(text: string): boolean {
  return text.length <= nameLimit && !/[.\uFF0E\u3002\uFF61]$/.test(text) && isIdnHostname(text);
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

export function findFormat(name: string): Format | undefined {
  return standard.get(name);
}
