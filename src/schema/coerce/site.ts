import { isList, isObject, isSchema, type JsonObject, jsonPointer, type JsonType, typeOf } from '../../json/index.js';
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
 * Where a value stands: an `optional` member is one that the schema around declares and does not require, as the
 * outermost schema sees it.
 */
export type Place = 'root' | 'optional' | 'member' | 'element';

/** A value's place in the copy that is changed. */
export interface Spot<C extends CandidateValue> extends Slot {
  /** The last change of the value, or of what holds it. */
  basis: Change<C> | undefined;
  /** The members and items of the value to which schemas were applied. */
  parts: Map<string | number, Spot<C>> | undefined;
  /**
   * Whether schemas that were applied to the value have decided: between branches, by a condition, which item is meant.
   */
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

/** What is told of a place only as far as somebody asks: of most values, the schema alone says what they may mean. */
export class RefusedSite implements CoercionSite {
  readonly schema: JsonObject | boolean;
  readonly #path: readonly (string | number)[];
  readonly #holder: unknown;
  readonly #isOutermost: boolean;
  readonly #whole: Meaning;

  /**
   * @param holder the schema that the keyword stands in
   * @param isOutermost whether that keyword applies the schema that refuses the value
   * @param whole what is said of the whole instance
   */
  constructor(
    schema: unknown,
    path: readonly (string | number)[],
    holder: unknown,
    isOutermost: boolean,
    whole: Meaning,
  ) {
    this.schema = isSchema(schema) ? schema : true;
    this.#path = path;
    this.#holder = holder;
    this.#isOutermost = isOutermost;
    this.#whole = whole;
  }

  get instanceLocation(): string {
    return jsonPointer(this.#path);
  }

  get place(): Place {
    const path = this.#path;
    const key = path[path.length - 1];
    if (key === undefined) return 'root';
    if (typeof key === 'number') return 'element';
    const { properties, required } = isObject(this.#holder) ? this.#holder : {};
    const isDeclared = this.#isOutermost && isObject(properties) && Object.hasOwn(properties, key);
    return isDeclared && !(isList(required) && required.includes(key)) ? 'optional' : 'member';
  }

  meaning(): Meaning {
    return this.#path.reduce((meaning, key) => meaning.at(key), this.#whole);
  }
}

const types: readonly JsonType[] = ['integer', 'number', 'string', 'boolean', 'array', 'object', 'null'];

/**
 * The types of which a value is none, as far as a schema allows them: in another one, it may have nothing to say. An
 * object is no other value for that.
 */
export function otherTypes(value: unknown, schema: unknown): readonly unknown[] {
  const type = typeOf(value);
  const { type: allowed = type === 'object' ? [] : types } = isObject(schema) ? schema : {};
  return [allowed].flat().filter((each) => each !== type && (each !== 'number' || type !== 'integer'));
}
