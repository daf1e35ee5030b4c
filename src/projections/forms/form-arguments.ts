import { jsonText, lostNumbersIn, mayBeRounded, objectText, parseJson, shortened, typeOf } from '../../json/index.js';
import type { FormField } from './form.js';
import { FormValueError } from './form-value-error.js';
import { optionOf, typedJson } from './typed-text.js';

/** How a form is read. */
export interface FormArgumentsOptions {
  /**
   * The IANA name of the time zone of moments that are given without an offset, and of days that are given as moments.
   * Without it they stay as they are, which the format `date-time` does not allow.
   */
  readonly timeZone?: string;
}

/**
 * The arguments of a filled-in form as JSON text, with every number as it was typed. Empty fields are left out, unless the
 * field is a required string. Typed text is a string if the schema takes a string, and JSON otherwise; a list or an object
 * that the schema takes is JSON in any case. Chosen options become values of their real types; values under unknown names
 * stay. The arguments still go through repair and validation like any others.
 *
 * @throws FormValueError if a field rejects its value
 */
export function formArgumentsText(
  fields: readonly FormField[],
  values: Readonly<Record<string, unknown>>,
  options: FormArgumentsOptions = {},
): string {
  return objectText(membersOf(fields, values, options));
}

/**
 * The same as an object: for programs that ask a person for the arguments of a tool.
 *
 * @throws FormValueError if a field rejects its value, or if JavaScript cannot represent a number as it is written
 */
export function formArguments(
  fields: readonly FormField[],
  values: Readonly<Record<string, unknown>>,
  options: FormArgumentsOptions = {},
): Record<string, unknown> {
  const members = membersOf(fields, values, options);
  for (const [name, json] of members) {
    const [lost] = lostNumbersIn(json);
    if (lost !== undefined)
      throw new FormValueError(name, 'number', `${shortened(lost, 60)}, which JavaScript cannot hold`);
  }
  return JSON.parse(objectText(members)) as Record<string, unknown>; // an object's text
}

function membersOf(
  fields: readonly FormField[],
  values: Readonly<Record<string, unknown>>,
  { timeZone }: FormArgumentsOptions,
): Map<string, string> {
  const byName = new Map(fields.map((field) => [field.name, field]));
  const members = new Map<string, string>();
  const open = new Map<string, string>();
  let inputSchema: unknown = true;
  for (const [name, value] of Object.entries(values)) {
    const field = byName.get(name) ?? { ...unknownField, name };
    if (field.type === 'json' && typeof value === 'string' && value !== '') {
      open.set(name, value);
      inputSchema = field.inputSchema ?? true;
    }
    const json = memberOf(field, value, timeZone);
    if (json !== undefined) members.set(name, json);
  }
  if (open.size === 0) return members;
  for (const [name, json] of typedJson(open, inputSchema)) members.set(name, json);
  return members;
}

const unknownField: FormField = { name: '', title: '', type: 'string', required: true, nullable: true, hint: '' };

/** The JSON of a field's value; undefined if the field is left out. */
function memberOf(field: FormField, value: unknown, timeZone: string | undefined): string | undefined {
  if (value === null) return field.nullable || field.required ? 'null' : undefined;
  if (isMoment(value)) return JSON.stringify(momentOf(field, value, timeZone));
  if (field.type === 'options') {
    const text = typeof value === 'string' ? value : jsonText(value);
    const option = optionOf(field, text);
    if (option) return jsonOf(field, option.value);
    return text === '' ? undefined : jsonOf(field, value);
  }
  if (typeof value !== 'string') return jsonOf(field, value);
  if (value.trim() === '' && !(field.type === 'string' && (field.required || value !== ''))) return undefined;
  if (field.type === 'string' || field.type === 'json') return JSON.stringify(value);
  if (field.type === 'date-time') {
    const text = momentText(value, field.format === 'date', timeZone);
    if (text === undefined) throw new FormValueError(field.name, 'date', 'text that is not a date');
    return JSON.stringify(text);
  }
  return typedAs(field, value);
}

/** A value that is no text, in JSON. A number may have been rounded by the program that it was typed into. */
function jsonOf({ name }: FormField, value: unknown): string | undefined {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number' && mayBeRounded(value))
    throw new FormValueError(name, 'number', `${value}, which may have been rounded before; give it as text`);
  return JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, key, part: unknown) {
    if (typeof part === 'bigint' || (typeof part === 'number' && !Number.isFinite(part)))
      throw new FormValueError(name, 'number', 'a number that JSON cannot hold');
    const given = this[key]; // before its `toJSON`
    if (isMoment(given) && Number.isNaN(Number(given))) throw new FormValueError(name, 'date', 'an invalid date');
    return part;
  });
}

function typedAs(field: FormField, text: string): string {
  const { name, type: expected, nullable } = field;
  const value = parseJson(text);
  const type = value === undefined ? undefined : typeOf(value);
  const isWanted = type === expected || (type === 'integer' && expected === 'number') || (type === 'null' && nullable);
  if (isWanted) return text.trim();
  if (expected !== 'array' && expected !== 'object') return JSON.stringify(text);
  // The engine's own reason quotes the text, which may be a secret.
  if (type === undefined) throw new FormValueError(name, expected, 'text that is not JSON');
  throw new FormValueError(name, expected, type === 'null' ? type : `${/^[aoi]/.test(type) ? 'an' : 'a'} ${type}`);
}

/** True for a `Date`, even of another realm, and for a DateTime of Luxon. */
function isMoment(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return Object.prototype.toString.call(value) === '[object Date]' || ('toISO' in value && 'toMillis' in value);
}

function momentOf(field: FormField, value: object, timeZone: string | undefined): string {
  const moment = Number(value);
  const text = Number.isNaN(moment) ? '' : new Date(moment).toISOString();
  // Years beyond four digits have a sign, and no place in RFC 3339.
  if (!/^\d/.test(text)) throw new FormValueError(field.name, 'date', 'an invalid date');
  return (field.format === 'date' ? momentText(text, true, timeZone) : undefined) ?? text;
}

/**
 * A moment from a date picker, with the offset that RFC 3339 requires, taken from the time zone at that moment; or its
 * day in that time zone. A text with an offset, or without a time, stays as it is.
 *
 * @returns undefined if the text is not a date
 */
function momentText(text: string, isDay: boolean, timeZone: string | undefined): string | undefined {
  const [, date, time, offset] = dateForm.exec(text.trim()) ?? [];
  // A day that a month does not have would be one of the next month, and leap seconds are unknown to JavaScript.
  if (date === undefined || isoText(`${date}T00:00Z`)?.startsWith(date) !== true) return undefined;
  if (time === undefined) return isDay ? date : text;
  const moment = `${date}T${time.length === 5 ? `${time}:00` : time}`;
  const known = moment.replace(/:60(?=\.|$)/, ':59');
  if (isoText(known + (offset?.toUpperCase() ?? 'Z')) === undefined) return undefined;
  if (isDay && offset !== undefined && timeZone !== undefined)
    return dayAt(Date.parse(known + offset.toUpperCase()), timeZone);
  if (isDay) return date;
  if (offset !== undefined || timeZone === undefined) return text;
  // The moment is known only with its offset: the second look has it right.
  const guess = offsetAt(`${known}Z`, timeZone);
  return moment + offsetAt(known + guess, timeZone);
}

const dateForm = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:?\d{2})?)?$/i;

function isoText(text: string): string | undefined {
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? undefined : new Date(moment).toISOString();
}

function dayAt(moment: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]));
  return `${parts.get('year')?.padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`;
}

/** `+02:00`, or `Z` */
function offsetAt(moment: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const zone = format.formatToParts(Date.parse(moment)).find(({ type }) => type === 'timeZoneName');
  const offset = zone?.value.replace('GMT', '').slice(0, 6) ?? '';
  return offset === '' || offset === '+00:00' ? 'Z' : offset;
}
