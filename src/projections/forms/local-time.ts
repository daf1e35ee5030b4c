/**
 * A moment as date pickers give it, without an offset, as RFC 3339 wants it: with the offset that the time zone has at
 * that moment. Anything else is left as it is.
 *
 * @param timeZone a name of the IANA database, such as `Europe/Berlin`
 */
export function withOffset(text: string, timeZone: string): string {
  const local = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?$/.exec(text);
  if (local === null) return text;
  const [, date, time, seconds = ':00'] = local;
  const moment = `${date}T${time}${seconds}`;
  if (Number.isNaN(Date.parse(`${moment}Z`))) return text;
  // The offset is that of the moment, which is known only with the offset: the second look has it right.
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
