/** Short schemas that many tests use. */
export const string = { type: 'string' };
export const integer = { type: 'integer' };
export const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
export const closed = (properties: object, more: object = {}) =>
  object(properties, { ...more, additionalProperties: false });
export const to = (name: string) => ({ $ref: `#/$defs/${name}` });

export const times = <Value>(count: number, make: (at: number) => Value) =>
  Array.from({ length: count }, (_unused, at) => make(at));
export const texts = (count: number, prefix = 'p') => times(count, (at) => `${prefix}${at}`);
export const members = (names: readonly string[], make: (at: number) => unknown = () => ({ ...string })) =>
  Object.fromEntries(names.map((name, at) => [name, make(at)]));

/** A value nested this many levels deep. */
export function nested(levels: number, wrap: (inner: unknown) => unknown, innermost: unknown = {}): unknown {
  let value = innermost;
  for (let level = 0; level < levels; level++) value = wrap(value);
  return value;
}
