import { isObject, type JsonObject, type JsonType, typeOf } from '../../json/index.js';
import type { SchemaNode } from '../keywords/keyword.js';
import { type Alternative, type CandidateValue, isScalar } from './cheapest.js';
import type { Meaning } from './meaning.js';
import type { Slot } from './slot.js';

/** Where the refused value stands. */
export interface CoercionSite {
  /** The schema that refuses it. */
  readonly schema: JsonObject | boolean;
  readonly instanceLocation: string;
  readonly place: Place;
  /** What all schemas say of the values there. */
  meaning(): Meaning;
}

/**
 * Where a value stands: an `optional` member is one that the schema around declares and does not require, as the outermost
 * schema sees it.
 */
export type Place = 'root' | 'optional' | 'member' | 'element';

/** A value's place in the copy that is changed. */
export interface Spot<C extends CandidateValue> extends Slot {
  /** The last change of the value, or of what holds it. */
  basis: Change<C> | undefined;
  /** The members and items of the value to which schemas were applied. */
  parts: Map<string | number, Spot<C>> | undefined;
  /** Whether schemas that were applied to the value have decided: between branches, by a condition, which item is meant. */
  decides: boolean;
}

/** A schema's application to the value of a spot, by a keyword of another schema. */
export interface Site<C extends CandidateValue> {
  readonly spot: Spot<C>;
  readonly around: Site<C> | undefined;
  /** The schema that the keyword stands in, and the one that it applies. */
  readonly schema: unknown;
  outermost: SchemaNode | undefined;
  decides: boolean;
  /** Candidates within candidates that are being tried here. */
  chain: number;
}

/** An alternative, with what finds it anew in an object or array in which something else is changed by then. */
export interface Finding<C extends CandidateValue> extends Alternative<C> {
  readonly again: (value: unknown) => readonly C[];
}

export interface Change<C extends CandidateValue> extends Finding<C> {
  readonly spot: Spot<C>;
  readonly basis: Change<C> | undefined;
  /** What was put there: where it is an object or an array, a copy that may be changed further. */
  readonly after: unknown;
}

/** What is found again for a value; undefined where that is another value by now. */
export function candidateFor<C extends CandidateValue>(
  value: unknown,
  { from, candidate, again }: Finding<C>,
): C | undefined {
  if (isScalar(from)) return value === from ? candidate : undefined;
  const isSame = ({ to, presumption }: C) =>
    presumption === candidate.presumption && isScalar(to) === isScalar(candidate.to);
  return again(value).find(isSame);
}

export function siteAt<C extends CandidateValue>(spot: Spot<C>, around: Site<C> | undefined, schema: unknown): Site<C> {
  return { spot, around, schema, outermost: undefined, decides: false, chain: 0 };
}

/** The spot of a member or an item: the same one as before, as long as it stands in the same object or array. */
export function spotIn<C extends CandidateValue>(
  around: Spot<C> | undefined,
  holder: object,
  key: string | number,
): Spot<C> {
  const known = around?.parts?.get(key);
  if (known?.holder === holder) return known;
  // An object or an array: both are read and written by keys.
  return { holder: holder as Slot['holder'], key, basis: around?.basis, parts: undefined, decides: false };
}

export function placeOf(path: readonly (string | number)[], isOptional: boolean): Place {
  if (path.length === 0) return 'root';
  if (typeof path.at(-1) === 'number') return 'element';
  return isOptional ? 'optional' : 'member';
}

const types: readonly JsonType[] = ['integer', 'number', 'string', 'boolean', 'array', 'object', 'null'];

/**
 * The types of which a value is none, as far as a schema allows them: in another one, it may have nothing to say. An object is
 * no other value for that.
 */
export function otherTypes(value: unknown, schema: unknown): readonly unknown[] {
  const type = typeOf(value);
  const { type: allowed = type === 'object' ? [] : types } = isObject(schema) ? schema : {};
  return [allowed].flat().filter((each) => each !== type && (each !== 'number' || type !== 'integer'));
}
