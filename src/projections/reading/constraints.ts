import { counted, type JsonObject, quote } from '../../json/index.js';
import type { Reading } from '../../schema/index.js';
import { exampleText } from './example.js';

/** ` ≥ 0`, ` 0..150`, ` > 0`: bounds in any dialect. Those of a whole number type are left out. */
export function boundsText(schema: JsonObject): string {
  const low = bound(schema, 'minimum', 'exclusiveMinimum');
  const high = bound(schema, 'maximum', 'exclusiveMaximum');
  if (low && high && !low.exclusive && !high.exclusive) return ` ${low.value}..${high.value}`;
  const above = low && ` ${low.exclusive ? '>' : '≥'} ${low.value}`;
  const below = high && ` ${high.exclusive ? '<' : '≤'} ${high.value}`;
  return [above, below].filter((part) => part !== undefined).join(' and');
}

function bound(schema: JsonObject, name: string, exclusiveName: string) {
  const { [name]: inclusive, [exclusiveName]: exclusive } = schema;
  if (typeof exclusive === 'number') return { value: exclusive, exclusive: true };
  // Draft-04's exclusive bound is a boolean beside the other one.
  if (typeof inclusive !== 'number' || Math.abs(inclusive) >= Number.MAX_SAFE_INTEGER) return undefined;
  return { value: inclusive, exclusive: exclusive === true };
}

export function multipleText({ multipleOf }: JsonObject): string {
  return typeof multipleOf === 'number' && multipleOf !== 1 ? ` (multiple of ${multipleOf})` : '';
}

/** '2 items', '≥ 1 item', '3..40 characters'; empty if any number will do. */
export function amountText(least: unknown, most: unknown, noun: string): string[] {
  const low = typeof least === 'number' && least > 0 ? least : undefined;
  if (typeof most !== 'number') return low === undefined ? [] : [`≥ ${counted(low, noun)}`];
  if (low === undefined) return [`≤ ${counted(most, noun)}`];
  return [low === most ? counted(low, noun) : `${low}..${counted(most, noun)}`];
}

/** A pattern longer than this is replaced by an example. */
const patternLength = 60;

/** @param whole the schema as it was written: the examples of all its parts count, and each part has to accept them */
export function textRules(schema: JsonObject, reading: Reading, whole: unknown): string[] {
  const { minLength, maxLength, pattern } = schema;
  const lengths = amountText(minLength, maxLength, 'character');
  if (typeof pattern !== 'string') return lengths;
  const example = pattern.length <= patternLength ? undefined : exampleText(whole, reading);
  if (example !== undefined) return [...lengths, `such as ${quote(example)}`];
  return pattern.length <= 2 * patternLength ? [...lengths, `matching ${quote(pattern, 2 * patternLength)}`] : lengths;
}
