import type { JsonType } from '../json/index.js';
import { integerOf, numberOf } from './numerals.js';
import type { RepairKind, RepairOptions } from './options.js';

/** One reading of a value as what the schema asks for. */
export interface Reading {
  kind: RepairKind;
  to: unknown;
}

/** Where a value stands: only a property can be dropped, and only there a lone value is clearly a list's only one. */
export type Place = 'root' | 'property' | 'element';

/**
 * The ways in which a value can be read as one of the types that a schema asks for, the closest first: the same
 * scalar in its own type, then a text's own JSON, then a list around the value, and leaving it out last.
 */
export function readingsOf(
  value: unknown,
  expected: readonly JsonType[],
  place: Place,
  options: RepairOptions,
): Reading[] {
  const readings: Reading[] = [];
  if (typeof value === 'string') {
    readings.push(...scalarReadings(value, expected, options));
    const parsed = options.json ? containerIn(value) : undefined;
    if (parsed !== undefined && expected.includes(Array.isArray(parsed) ? 'array' : 'object')) {
      readings.push({ kind: 'json', to: parsed });
    }
  }
  if (options.singletons && place === 'property' && expected.includes('array') && isLone(value)) {
    readings.push({ kind: 'singleton', to: [value] });
  }
  if (options.nulls && place === 'property' && value === null) readings.push({ kind: 'null', to: undefined });
  return readings;
}

function* scalarReadings(text: string, expected: readonly JsonType[], options: RepairOptions): Generator<Reading> {
  const integer = options.integers && expected.includes('integer') ? integerOf(text) : undefined;
  if (integer !== undefined) yield { kind: 'integer', to: integer };
  const number = options.numbers && expected.includes('number') ? numberOf(text) : undefined;
  if (number !== undefined && number !== integer) yield { kind: 'number', to: number };
  if (options.booleans && expected.includes('boolean') && (text === 'true' || text === 'false')) {
    yield { kind: 'boolean', to: text === 'true' };
  }
}

/**
 * A list around nothing, around a list, or around the text of a list is hardly what the model meant, even where a
 * loose schema would accept it.
 */
function isLone(value: unknown): boolean {
  if (typeof value === 'string') return containerIn(value) === undefined;
  return value !== null && value !== undefined && !Array.isArray(value);
}

/** The array or object whose JSON text a string is. */
function containerIn(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text) || holdsInexactInteger(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** JSON.parse would round such a number in silence. */
function holdsInexactInteger(text: string): boolean {
  const outsideStrings = text.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  return (outsideStrings.match(/\d{16,}/g) ?? []).some((digits) => !Number.isSafeInteger(Number(digits)));
}
