/** Which slips are repaired. Every kind obeys the same law: the schema refused the value and accepts the repaired one. */
export interface RepairOptions {
  /** A string that is exactly the decimal form of a safe integer: `"100"` -> 100. */
  integers: boolean;
  /** A string that is exactly a JSON number, where a number is wanted: `"0.5"` -> 0.5. */
  numbers: boolean;
  /** The strings `"true"` and `"false"`, nothing else. */
  booleans: boolean;
  /** Drops a property whose value is null where null is refused and the property is not required. */
  nulls: boolean;
  /** Wraps a lone value where an array of such values is wanted: `"tag"` -> `["tag"]`. */
  singletons: boolean;
  /** Parses a string that holds a JSON array or object where one is wanted. */
  json: boolean;
}

/** Integers only: the one slip that has a single meaning wherever it is found. */
export const defaultRepairs: RepairOptions = Object.freeze({
  integers: true,
  numbers: false,
  booleans: false,
  nulls: false,
  singletons: false,
  json: false,
});

/** Which of the {@link RepairOptions} made a repair. */
export type RepairKind = 'integer' | 'number' | 'boolean' | 'null' | 'singleton' | 'json';

/** One change made to the arguments, in the order in which the changes were made. */
export interface Repair {
  /** JSON Pointer (RFC 6901) into the arguments. */
  readonly instanceLocation: string;
  readonly kind: RepairKind;
  /** The value as it came. */
  readonly from: unknown;
  /** Undefined where the property was dropped (kind `null`). */
  readonly to: unknown;
}
