import { pointerTokens, visibleLine } from '../json/index.js';
import { isSecret, shownText } from '../secrets/index.js';
import type { Repair } from './options.js';

/** Characters of a value that are shown. */
const shown = 40;

/**
 * A repair on one line, for people. Values are shortened, and hidden where they are likely to be secrets.
 *
 * ```ts
 * describeRepair({ instanceLocation: '/limit', kind: 'integer', from: '10', to: 10 }); // => '/limit: "10" → 10'
 * ```
 */
export function describeRepair({ instanceLocation, kind, from, to }: Repair): string {
  const place = visibleLine(instanceLocation) || 'the arguments';
  if (isSecret(pointerTokens(instanceLocation), from)) return `${place}: a value that is not shown`;
  // Only once it is parsed can be told what is secret in it.
  const before = kind === 'json' ? 'JSON text' : shownText(from, shown);
  return `${place}: ${before} → ${to === undefined ? 'left out' : shownText(to, shown)}`;
}
