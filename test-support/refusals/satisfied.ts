import { equals, typeOf } from '../../src/json/index.js';
import type { Demand } from './demands.js';

/** True if a value meets a demand; undefined if the text alone does not tell, or the value has another type. */
export function isSatisfied(demand: Demand, value: unknown): boolean | undefined {
  switch (demand.kind) {
    case 'type': {
      const type = typeOf(value);
      if (type !== demand.type && !(type === 'integer' && demand.type === 'number')) return false;
      const { items } = demand;
      if (!items || !Array.isArray(value)) return true;
      return value.every((item) => items.some((each) => isSatisfied(each, item) === true));
    }
    case 'value':
      return equals(demand.value, value);
    case 'bound':
      return typeof value === 'number' ? isWithin(value, demand.sign, demand.limit) : undefined;
    case 'multiple':
      return typeof value === 'number' ? Number.isInteger(value / demand.of) : undefined;
    case 'length':
      return typeof value === 'string' ? isEnough(Array.from(value).length, demand) : undefined;
    case 'pattern':
      return typeof value === 'string' ? matches(demand.source, value) : undefined;
    default:
      return undefined;
  }
}

export function isEnough(
  actual: number,
  { bound, count }: { readonly bound: string; readonly count: number },
): boolean {
  return bound === 'at least' ? actual >= count : actual <= count;
}

function isWithin(value: number, sign: '>=' | '>' | '<=' | '<', limit: number): boolean {
  if (sign === '>=') return value >= limit;
  if (sign === '<=') return value <= limit;
  return sign === '>' ? value > limit : value < limit;
}

/** Compiles a pattern like the schema's; undefined if it is no JavaScript pattern. */
export function matches(source: string, text: string): boolean | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags).test(text);
    } catch {
      // Tried without `u` if it is invalid with it.
    }
  }
  return undefined;
}
