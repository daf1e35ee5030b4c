import { isJsonType, isList, type JsonObject, jsonTypes, typeOf, type Work } from '../../json/index.js';

/** The types that the parts ask for, each part for one of a list. */
export function typesAskedFor(parts: readonly JsonObject[]): string[][] {
  return parts.flatMap(({ type, nullable }) => (nullable === true ? [] : typesIn(type)));
}

function typesIn(type: unknown): string[][] {
  const names = Array.isArray(type) ? type : [type];
  return names.length > 0 && names.every((name) => typeof name === 'string') ? [names] : [];
}

/** Types that exclude one another. */
export function excludedTypes(types: readonly string[][]): string | undefined {
  const isAllowed = (type: string) =>
    types.every((names) => names.includes(type) || (type === 'integer' && names.includes('number')));
  if (types.length < 2 || jsonTypes.some(isAllowed) || !types.flat().every(isJsonType)) return undefined;
  const asked = new Set(types.map((names) => names.join(' or ')));
  return `it asks for ${[...asked].join(' and for ')} at once`;
}

/** Values of which none has the type that is asked for, or is among the others. */
export function excludedValues(
  parts: readonly JsonObject[],
  types: readonly string[][],
  work: Work,
): string | undefined {
  const lists = parts.flatMap((part) => [
    ...(isList(part['enum']) ? [part['enum']] : []),
    ...(part['const'] === undefined ? [] : [[part['const']]]),
  ]);
  const [first, ...others] = lists;
  if (!first || !work.spend(lists.reduce((sum, list) => sum + list.length, 0))) return undefined;
  const isTyped = (value: unknown) => {
    const type = typeOf(value);
    const isAmong = (names: readonly string[]) =>
      names.includes(type) || (type === 'integer' && names.includes('number')) || !names.every(isJsonType);
    return types.every(isAmong);
  };
  // Lists and objects are not compared: one may be among the others.
  const isScalar = (value: unknown) => typeof value !== 'object' || value === null;
  const known = others.map((list) => new Set(list));
  const isListed = (value: unknown) => !isScalar(value) || known.every((values) => values.has(value));
  if (first.length === 0 || first.some((value) => isTyped(value) && isListed(value))) return undefined;
  return 'none of the values that it lists is allowed';
}

/** Bounds between which there is nothing, where a value has the one type that they bound. */
export function excludedSizes(parts: readonly JsonObject[], types: readonly string[][]): string | undefined {
  const isOnly = (...bounded: string[]) => types.some((names) => names.every((name) => bounded.includes(name)));
  for (const [least, most, bounded] of sizes) {
    if (!isOnly(bounded)) continue;
    const [low, high] = [Math.max(...numbersIn(parts, least)), Math.min(...numbersIn(parts, most))];
    if (low > high) return `${least} ${low} is more than ${most} ${high}`;
  }
  return isOnly('number', 'integer') ? excludedNumbers(parts, isOnly('integer')) : undefined;
}

const sizes: readonly (readonly [string, string, string])[] = [
  ['minLength', 'maxLength', 'string'],
  ['minItems', 'maxItems', 'array'],
  ['minProperties', 'maxProperties', 'object'],
];

export function numbersIn(parts: readonly JsonObject[], keyword: string): number[] {
  return parts.map((part) => part[keyword]).filter((value) => typeof value === 'number');
}

function excludedNumbers(parts: readonly JsonObject[], isInteger: boolean): string | undefined {
  const low = Math.max(...numbersIn(parts, 'minimum'), ...numbersIn(parts, 'exclusiveMinimum'));
  const high = Math.min(...numbersIn(parts, 'maximum'), ...numbersIn(parts, 'exclusiveMaximum'));
  const isStrict = (limit: number, bound: string, strict: string) =>
    parts.some((part) => part[strict] === limit || (part[bound] === limit && part[strict] === true));
  const isAbove = isStrict(low, 'minimum', 'exclusiveMinimum');
  const isBelow = isStrict(high, 'maximum', 'exclusiveMaximum');
  const isEmpty = low > high || (low === high && (isAbove || isBelow));
  if (isEmpty || (isInteger && !hasInteger(low, isAbove, high, isBelow))) {
    return `there is no number between ${low} and ${high}`;
  }
  return undefined;
}

function hasInteger(low: number, isAbove: boolean, high: number, isBelow: boolean): boolean {
  // Beyond, numbers are too far apart to count with, and infinite ones leave room.
  if (!(Math.abs(low) < 2 ** 50 && Math.abs(high) < 2 ** 50)) return true;
  const least = isAbove ? Math.floor(low) + 1 : Math.ceil(low);
  const most = isBelow ? Math.ceil(high) - 1 : Math.floor(high);
  return least <= most;
}
