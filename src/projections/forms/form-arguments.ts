import { jsonText, parseJson, shortened, typeOf } from '../../json/index.js';
import type { FormField } from './form.js';

/** A value typed into a form that cannot be read as what its field takes. */
export class FormValueError extends Error {
  override readonly name = 'FormValueError';
  readonly code = 'INVALID_FORM_VALUE';
  readonly field: string;
  readonly expected: 'array' | 'object';

  constructor(field: string, expected: 'array' | 'object', received: string) {
    super(`The field "${shortened(field, 100)}" takes an ${expected} as JSON. What came is ${received}.`);
    this.field = field;
    this.expected = expected;
  }
}

/**
 * The arguments that a filled-in form means. Fields left empty are left out, except an empty text where text is
 * required; JSON is parsed; chosen options become values of their real types; values under unknown names stay. What
 * comes out still goes through repair and validation like any arguments.
 *
 * @param options.timeZone of moments that are given without an offset, by its IANA name; without it they are left so,
 *   which the format `date-time` does not allow
 * @throws FormValueError where a field that takes JSON holds something else
 */
export function formArguments(
  fields: readonly FormField[],
  values: Readonly<Record<string, unknown>>,
  options: { timeZone?: string } = {},
): Record<string, unknown> {
  const byName = new Map(fields.map((field) => [field.name, field]));
  const members = Object.entries(values).map(([name, value]) => {
    const field = byName.get(name);
    return [name, field === undefined ? value : argumentFor(field, value, options.timeZone)] as const;
  });
  return Object.fromEntries(members.filter(([, argument]) => argument !== undefined));
}

function argumentFor(field: FormField, value: unknown, timeZone: string | undefined): unknown {
  if (value === undefined) return undefined;
  if (value === null) return field.nullable || field.required ? null : undefined;
  if (field.type === 'options') return chosen(field, value);
  if (value instanceof Date) return field.format === 'date' ? value.toISOString().slice(0, 10) : value.toISOString();
  if (typeof value !== 'string') return value;
  if (value.trim() === '' && !(field.type === 'string' && (field.required || value !== ''))) return undefined;
  switch (field.type) {
    case 'object':
    case 'array':
      return parsed(field, value);
    case 'json':
      return parseJson(value) === undefined ? value : parseJson(value);
    case 'date-time':
      // Date pickers give a time as well where only a date is asked for.
      if (field.format === 'date') return value.replace(/^(\d{4}-\d{2}-\d{2})[T ].*$/, '$1');
      return timeZone === undefined ? value : withOffset(value, timeZone);
    default:
      return value;
  }
}

function chosen(field: FormField, value: unknown): unknown {
  const options = field.options ?? [];
  const text = jsonText(value);
  const option =
    options.find(({ key }) => key === text) ?? options.find(({ key, label }) => key === value || label === value);
  if (option !== undefined) return option.value;
  return value === '' ? undefined : value;
}

function parsed(field: FormField, text: string): unknown {
  const expected = field.type === 'array' ? 'array' : 'object';
  const value = parseJson(text);
  // The engine's own reason quotes the text, which may be a secret.
  if (value === undefined) throw new FormValueError(field.name, expected, 'not JSON');
  if (value === null && field.nullable) return null;
  const type = typeOf(value);
  if (type === expected) return value;
  const named = type === 'null' ? type : `${/^[aoi]/.test(type) ? 'an' : 'a'} ${type}`;
  throw new FormValueError(field.name, expected, named);
}

/** A moment as date pickers give it, with the offset that RFC 3339 wants and the time zone has at that moment. */
function withOffset(text: string, timeZone: string): string {
  const local = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?$/.exec(text);
  if (local === null) return text;
  const [, date, time, seconds = ':00'] = local;
  const moment = `${date}T${time}${seconds}`;
  if (Number.isNaN(Date.parse(`${moment}Z`))) return text;
  // The moment is known only with its offset: the second look has it right.
  const guess = offsetAt(`${moment}Z`, timeZone);
  return moment + offsetAt(moment + guess, timeZone);
}

/** `+02:00`, or `Z` */
function offsetAt(moment: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const zone = format.formatToParts(Date.parse(moment)).find(({ type }) => type === 'timeZoneName');
  const offset = zone?.value.replace('GMT', '').slice(0, 6) ?? '';
  return offset === '' || offset === '+00:00' ? 'Z' : offset;
}

/**
 * What a line of text means to a field; one that the field cannot take stays as it is, for whoever checks it.
 *
 * @param item of a list, which is written with commas or as JSON: the field that each of its items would be
 */
export function typedText(field: FormField, text: string, item?: FormField): unknown {
  const trimmed = text.trim();
  if (field.options) {
    return (field.options.find(({ label, key }) => label === trimmed || key === trimmed) ?? { value: text }).value;
  }
  switch (field.type) {
    case 'number':
      return numeral.test(trimmed) ? Number(trimmed) : text;
    case 'boolean':
      return /^(y|yes|true)$/i.test(trimmed) ? true : /^(n|no|false)$/i.test(trimmed) ? false : text;
    case 'array':
      if (trimmed.startsWith('[')) return parseJson(trimmed) ?? text;
      return trimmed.split(',').map((part) => (item ? typedText(item, part) : part.trim()));
    case 'object':
    case 'json':
      return parseJson(trimmed) ?? text;
    default:
      return text;
  }
}

const numeral = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
