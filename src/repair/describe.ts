import { pointerTokens } from '../json/index.js';
import { place } from '../schema/index.js';
import { isSecret, namesTo, shownText } from '../secrets/index.js';
import type { Repair } from './options.js';

/**
 * A repair on one line, for people. Values are shortened, and hidden if they are likely to be secrets.
 *
 * ```ts
 * describeRepair({ instanceLocation: '/limit', kind: 'integer', from: '10', to: 10 }); // => '/limit: "10" → 10'
 * ```
 */
export function describeRepair(repair: Repair): string {
  const { instanceLocation, kind, from, to } = repair;
  const where = instanceLocation === '' ? 'the arguments' : place(instanceLocation);
  const tokens = pointerTokens(instanceLocation);
  if (isSecret(argumentsOf.has(repair) ? namesTo(argumentsOf.get(repair), tokens) : tokens, from))
    return `${where}: a value that is not shown`;
  // The secrets in it are known only once it is parsed.
  const before = kind === 'json' ? 'JSON text' : shownText(from, 40);
  return `${where}: ${before} → ${to === undefined ? 'left out' : shownText(to, 40)}`;
}

/**
 * The arguments that were repaired: names beside a value may mark it as a secret, as in `{"name": "Authorization",
 * "value": …}`.
 */
const argumentsOf = new WeakMap<Repair, unknown>();

export function rememberArguments(repairs: readonly Repair[], args: unknown): void {
  for (const repair of repairs) argumentsOf.set(repair, args);
}
