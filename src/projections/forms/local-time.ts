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
  const asUtc = Date.parse(`${date}T${time}${seconds}Z`);
  if (Number.isNaN(asUtc)) return text;
  // The offset is that of the moment, which is known only with the offset: the second look has it right.
  const guess = offsetAt(asUtc, timeZone);
  const minutes = offsetAt(asUtc - guess * 60_000, timeZone);
  return `${date}T${time}${seconds}${offsetText(minutes)}`;
}

/** In minutes; positive east of Greenwich. */
function offsetAt(moment: number, timeZone: string): number {
  const options = {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  } as const;
  const parts = new Intl.DateTimeFormat('en-US', options).formatToParts(moment);
  const part = (type: string) => Number(parts.find((candidate) => candidate.type === type)?.value);
  const there = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return Math.round((there - moment) / 60_000);
}

function offsetText(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const text = [hours, rest].map((part) => String(part).padStart(2, '0')).join(':');
  return minutes === 0 ? 'Z' : `${minutes < 0 ? '-' : '+'}${text}`;
}
