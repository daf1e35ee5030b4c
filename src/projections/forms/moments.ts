/**
 * A moment from a date picker, with the offset that RFC 3339 requires, taken from the time zone at that moment; or its
 * day in that time zone. A text with an offset, or without a time, stays as it is.
 *
 * @returns undefined if the text is not a date
 */
export function momentText(text: string, isDay: boolean, timeZone: string | undefined): string | undefined {
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
