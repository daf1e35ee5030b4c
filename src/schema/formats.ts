import * as checks from '@hyperjump/json-schema-formats';
import idn from 'idn-hostname';

export type FormatCheck = (text: string) => boolean;

/** Every format of the five dialects (2020-12 validation, 7.3). */
const standard: ReadonlyMap<string, FormatCheck> = new Map([
  ['date-time', checks.isDateTime],
  ['date', checks.isDate],
  ['time', isTime],
  ['duration', checks.isDuration],
  ['email', checks.isEmail],
  ['idn-email', checks.isIdnEmail],
  ['hostname', (text) => checks.isHostname(text) && isIdnHostname(text)],
  ['idn-hostname', isIdnHostname],
  ['ipv4', checks.isIPv4],
  ['ipv6', checks.isIPv6],
  ['uri', tolerant(checks.isUri)],
  ['uri-reference', tolerant(checks.isUriReference)],
  ['iri', tolerant(checks.isIri)],
  ['iri-reference', tolerant(checks.isIriReference)],
  ['uuid', checks.isUuid],
  ['uri-template', checks.isUriTemplate],
  ['json-pointer', checks.isJsonPointer],
  ['relative-json-pointer', checks.isRelativeJsonPointer],
  ['regex', checks.isRegex],
]);

/**
 * Formats of OpenAPI and of code generators: known not to need a note, but without a rule that could be checked
 * independently of their authors' intentions.
 */
const customary: ReadonlySet<string> = new Set([
  ...['int8', 'int16', 'int32', 'int64', 'uint', 'uint8', 'uint16', 'uint32', 'uint64', 'int', 'integer'],
  ...['float', 'double', 'decimal', 'number', 'byte', 'binary', 'password', 'string', 'url', 'html', 'json', 'markdown'],
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

/** Asked directly, because the library around it prints every refusal to standard output. */
function isIdnHostname(text: string): boolean {
  if (/[.\uFF0E\u3002\uFF61]$/.test(text)) return false;
  try {
    return idn.isIdnHostname(text);
  } catch {
    return false;
  }
}

/** The library throws for an address literal of a future IP version, which RFC 3986 (3.2.2) allows. */
function tolerant(check: FormatCheck): FormatCheck {
  return (text) => {
    try {
      return check(text);
    } catch {
      return true;
    }
  };
}

/** The check of a format's name; undefined where there is none. */
export function findFormat(name: string): FormatCheck | undefined {
  return standard.get(name);
}

export function isKnownFormat(name: string): boolean {
  return standard.has(name) || customary.has(name);
}
