import { equals, isList, isObject, typeOf } from '../../src/json/index.js';
import { fc } from '../fuzz.js';
import type { Demand } from './demands.js';
import { isSatisfied, matches } from './satisfied.js';

/**
 * A value for all demands on one place, as close to the sent value as they allow. Details that they leave out are made
 * up.
 */
export function made(demands: readonly Demand[], sent: unknown): unknown {
  const like = demands.find((each) => each.kind === 'like');
  if (like) return like.example;
  const values = demands.flatMap((each) => (each.kind === 'value' ? [each.value] : []));
  if (values.length > 0) return values[0];
  const type = demands.find((each) => each.kind === 'type');
  const items = type?.items ?? [];
  switch (type?.type ?? kindFor(demands) ?? typeOf(sent)) {
    case 'integer':
      return numberFor(demands, sent, true);
    case 'number':
      return numberFor(demands, sent, false);
    case 'string':
      return textFor(demands, sent);
    case 'boolean':
      return typeof sent === 'boolean' ? !sent : true;
    case 'array':
      if (isList(sent))
        return sent.map((item) =>
          items.some((each) => isSatisfied(each, item)) ? item : made(items.slice(0, 1), item),
        );
      return [
        items.length === 0 || items.some((each) => isSatisfied(each, sent))
          ? (sent ?? 'text')
          : made(items.slice(0, 1), sent),
      ];
    case 'object':
      return isObject(sent) ? sent : {};
    default:
      return null;
  }
}

function kindFor(demands: readonly Demand[]): 'number' | 'string' | undefined {
  if (demands.some(({ kind }) => kind === 'bound' || kind === 'multiple')) return 'number';
  return demands.some(({ kind }) => kind === 'length' || kind === 'pattern' || kind === 'format')
    ? 'string'
    : undefined;
}

function numberFor(demands: readonly Demand[], sent: unknown, whole: boolean): number {
  const step = demands.flatMap((each) => (each.kind === 'multiple' ? [each.of] : []))[0] ?? (whole ? 1 : 0);
  const isWhole = whole || (typeof sent === 'number' && Number.isInteger(sent));
  const start =
    typeof sent === 'number'
      ? sent
      : typeof sent === 'string' && Number.isFinite(parseFloat(sent))
        ? parseFloat(sent)
        : 1;
  const bounds = demands.flatMap((each) => (each.kind === 'bound' ? [each] : []));
  const unit = step > 0 ? step : isWhole ? 1 : 0.5;
  let value = step > 0 ? Math.round(start / step) * step : start;
  for (const { sign, limit } of bounds) {
    const edge = step > 0 ? (sign.startsWith('>') ? Math.ceil(limit / step) : Math.floor(limit / step)) * step : limit;
    if (sign === '>=' && value < limit) value = edge;
    if (sign === '<=' && value > limit) value = edge;
    if (sign === '>' && value <= limit) value = edge > limit ? edge : edge + unit;
    if (sign === '<' && value >= limit) value = edge < limit ? edge : edge - unit;
  }
  const isFine = (each: number) => bounds.every((bound) => isSatisfied(bound, each) !== false);
  if (isFine(value)) return value;
  // Open bounds so close to each other that no half lies between them.
  const limits = bounds.map(({ limit }) => limit);
  return (Math.min(...limits) + Math.max(...limits)) / 2;
}

/** A well-known example of each format. */
const formats: Readonly<Record<string, string>> = {
  'date-time': '2026-05-17T09:30:00Z',
  date: '2026-05-17',
  time: '09:30:00Z',
  duration: 'P3D',
  email: 'jane@example.org',
  'idn-email': 'jane@example.org',
  hostname: 'www.example.org',
  'idn-hostname': 'www.example.org',
  ipv4: '192.0.2.17',
  ipv6: '2001:db8::17',
  uri: 'https://www.example.org/page',
  url: 'https://www.example.org/page',
  'uri-reference': '/page',
  iri: 'https://www.example.org/page',
  uuid: '0f8fad5b-d9cb-469f-a165-70867728950e',
  'json-pointer': '/page/0',
  regex: '^a+$',
  byte: 'dGV4dA==',
};

function textFor(demands: readonly Demand[], sent: unknown): string {
  const format = demands.flatMap((each) => (each.kind === 'format' ? [formats[each.name] ?? 'text'] : []))[0];
  const patterns = demands.flatMap((each) => (each.kind === 'pattern' ? [each.source] : []));
  const lengths = demands.filter((each) => each.kind === 'length');
  const least = Math.max(0, ...lengths.flatMap(({ bound, count }) => (bound === 'at least' ? [count] : [])));
  const most = Math.min(Infinity, ...lengths.flatMap(({ bound, count }) => (bound === 'at most' ? [count] : [])));
  const fitted = (text: string) => Array.from(text.padEnd(least, 'x')).slice(0, most).join('');
  const own =
    typeof sent === 'string' ? sent : typeof sent === 'number' || typeof sent === 'boolean' ? String(sent) : 'text';
  const isFine = (text: string) =>
    patterns.every((source) => matches(source, text) !== false) &&
    lengths.every((each) => isSatisfied(each, text) !== false);
  const candidates = [
    format ?? fitted(own),
    fitted(own.toLowerCase()),
    ...patterns.flatMap((source) => matching(source)),
  ];
  return (
    candidates.find((text) => isFine(text) && !(equals(text, sent) && demands.length > 0)) ?? format ?? fitted(own)
  );
}

/** Texts that match a pattern, for a reader who understands it; the same in every run. */
function matching(source: string): string[] {
  for (const flags of ['u', '']) {
    try {
      return fc.sample(fc.stringMatching(new RegExp(source, flags), { size: '-1' }), { numRuns: 60, seed: 1 });
    } catch {
      // It has a lookaround, or is no JavaScript pattern.
    }
  }
  return [];
}
