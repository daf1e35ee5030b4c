import type { JsonType } from '../../json/index.js';

/**
 * The demand of a keyword that rejected an instance, as data; `Violation.expected` says it in English. Making one costs
 * nothing: texts are made only for the violations that are shown.
 */
export type Expectation =
  | { readonly kind: 'types'; readonly types: readonly JsonType[] }
  /** One of the values of an `enum` or `const`. */
  | { readonly kind: 'values'; readonly values: readonly unknown[] }
  | { readonly kind: 'bound'; readonly sign: '>=' | '>' | '<=' | '<'; readonly limit: number }
  | { readonly kind: 'finite' }
  | { readonly kind: 'multiple'; readonly of: number }
  | ({ readonly kind: 'length' } & Amount)
  /** A number of items or properties, and how many there are. */
  | ({ readonly kind: 'count'; readonly noun: 'item' | 'property'; readonly actual: number } & Amount)
  | { readonly kind: 'pattern'; readonly source: string; readonly format?: string }
  | { readonly kind: 'format'; readonly name: string }
  /** A property that must be there, always or beside another one; with its schema if that is known. */
  | { readonly kind: 'missing'; readonly property: string; readonly beside?: string; readonly schema?: unknown }
  /** Two sets of properties, one of which must be there. */
  | {
      readonly kind: 'missing-one';
      readonly sets: readonly (readonly { readonly property: string; readonly schema?: unknown }[])[];
    }
  /** A property that must not be there, and the schema that declares those that may. */
  | { readonly kind: 'unwanted'; readonly property: string; readonly schema: unknown }
  | { readonly kind: 'name'; readonly property: string; readonly wanted: Expectation | undefined }
  | { readonly kind: 'unique'; readonly equal: readonly [number, number] }
  | ({ readonly kind: 'contains'; readonly schema: unknown } & Amount)
  | { readonly kind: 'not'; readonly schema: unknown }
  | ({ readonly kind: 'alternatives' } & Choice)
  | ({ readonly kind: 'exactly-one'; readonly matching: readonly number[] } & Choice)
  | { readonly kind: 'any'; readonly of: readonly Expectation[] }
  /** The demands of `if`, or else of `else`. */
  | { readonly kind: 'condition' }
  /** The schema `false`. */
  | { readonly kind: 'nothing' }
  /** The budget was enough to reject the value, but not to find out why. */
  | { readonly kind: 'unexplained' };

/** A property and its schema, if that is known. */
export type Property = Extract<Expectation, { kind: 'missing-one' }>['sets'][number][number];

interface Amount {
  readonly bound: 'at least' | 'at most';
  readonly count: number;
}

interface Choice {
  readonly schemas: readonly { readonly schema: unknown }[];
}
