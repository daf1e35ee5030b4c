import { briefJson, ConfigurationError, didYouMean, isList, quote } from '../json/index.js';
import type { SchemaHints } from '../schema/index.js';

/**
 * Selects the malformed arguments to repair: presets and kinds, as a list or as one string with commas. A minus removes
 * one: `'safe,-nulls'`. Words are read from left to right, beginning with nothing, or with `safe` if the first has a
 * minus. Presets: `safe`, the default, changes the notation alone; `all` is every kind; `off` is none.
 */
export type RepairChoice = Word | `${Word},${string}` | readonly Word[];

type Word = 'safe' | 'all' | 'off' | RepairOption | `-${RepairOption}`;

/** A kind of repair, as an option names it. [Repairs](repairs.md#kinds) describes each one. */
export type RepairOption = keyof typeof repairKindOf;

/** Facts about the called tool: what null means to it, and how calls are wrapped. */
export interface RepairedTool {
  readonly name: string;
  readonly description?: unknown;
  readonly annotations?: unknown;
}

/** The place of a refused value, and the facts about the call. */
export interface Place {
  readonly path: readonly (string | number)[];
  readonly hints: SchemaHints;
  readonly tool: RepairedTool | undefined;
  /** True if null may tell the tool to clear something. */
  readonly mayClear: () => boolean;
  readonly consume: (steps: number) => boolean;
  /** The JSON of lists and objects, kept because a hundred alternatives may need it. */
  readonly jsonTexts: Map<object, string | undefined>;
}

/** The kind of change that a repair made. */
export type RepairKind = (typeof repairKindOf)[RepairOption];

/** One change made to the arguments, in the order in which the changes were made. */
export interface Repair {
  /** JSON Pointer (RFC 6901) into the arguments, as they were before this change. */
  readonly instanceLocation: string;
  readonly kind: RepairKind;
  /** The received value; for kind `name`, the received name of the property. */
  readonly from: unknown;
  /** The new value; undefined if the property was left out (kinds `null` and `blank`). */
  readonly to: unknown;
}

/**
 * The options, and the kind that a report names. Their order is their cost: those that assume least come first. But
 * strings, decimals, lists and singletons cost the same.
 *
 * - integers, numbers: a string that is a JSON number, if a number is expected: `"100"` -> 100, `"0.5"` -> 0.5.
 * - booleans: the strings `true`, `True`, `TRUE` and the same of false; bits: 0 and 1. Both if a boolean is expected.
 * - strings: an integer, if only strings are accepted: `25` -> `"25"`, but for versions, digits and codes; a boolean
 *   whose text is an allowed value; a list or an object whose JSON is asked for.
 * - decimals: a fraction, if only strings are accepted: `1.5` -> `"1.5"`. Zeros at its end are lost: 3.10 is 3.1.
 * - enums: the one allowed value that is equal but for case, spaces, `_` and `-`: `"like new"` -> `"Like New"`.
 * - names: the one declared property that is equal in the same way: `maxResults` -> `max_results`.
 * - json: a string that holds a list or an object, as JSON or as Python writes it, also within a code fence; a string in
 *   quotes of its own: `"\"open\""` -> `"open"`.
 * - split: listed values or numbers with commas between, if a list of them is expected: `"open,closed"`, `"1, 2"`.
 * - lists: `["tag"]` -> `"tag"`, if a single value is expected; `{"0": "tag"}` -> `["tag"]`.
 * - singletons: a single value, if a list of such values is expected: `"tag"` -> `["tag"]`.
 * - nulls: null for an optional property that refuses it is left out if it can clear nothing (docs/repairs.md); the
 *   strings `null` and `None` become null if null is accepted. allNulls: also if null might clear something.
 * - blanks: an empty string for an optional property that refuses it is left out. It may have been meant to clear it.
 * - wrappers: arguments within `arguments`, `input`, `parameters`, `properties` or `args`, also beside the tool's name.
 */
export const repairKindOf = {
  integers: 'integer',
  numbers: 'number',
  booleans: 'boolean',
  bits: 'boolean',
  strings: 'string',
  decimals: 'decimal',
  enums: 'enum',
  names: 'name',
  json: 'json',
  split: 'split',
  lists: 'list',
  singletons: 'singleton',
  nulls: 'null',
  allNulls: 'null',
  blanks: 'blank',
  wrappers: 'wrapper',
} as const;

export const repairKinds: readonly RepairKind[] = [...new Set(Object.values(repairKindOf))];

export const repairOptions = Object.keys(repairKindOf) as RepairOption[]; // by its type

/** The kinds that `all` adds to `safe`: docs/repairs.md says what they can lose. */
const unsafe: readonly RepairOption[] = ['bits', 'decimals', 'lists', 'singletons', 'allNulls', 'blanks'];

const safe = repairOptions.filter((option) => !unsafe.includes(option));

const optionsOf = new Map<string, ReadonlySet<RepairOption>>([
  ['safe', new Set(safe)],
  ['all', new Set(repairOptions)],
  ...repairOptions.map((option) => [option, new Set([option])] as const),
]);

/**
 * Reads a {@link RepairChoice}, for every host.
 *
 * @throws ConfigurationError if a word is unknown
 */
export function chosenRepairs(choice: unknown = 'safe'): ReadonlySet<RepairOption> {
  const single = typeof choice === 'string' ? optionsOf.get(choice) : undefined;
  if (single) return single;
  const words = typeof choice === 'string' ? choice.split(',') : isList(choice) ? choice : [choice];
  const chosen = new Set<RepairOption>(/^ *-/.test(String(words[0])) ? safe : []);
  for (const given of words) {
    const trimmed = typeof given === 'string' ? given.trim() : '';
    const word = trimmed === 'off' ? '-all' : trimmed;
    const isMinus = word.startsWith('-');
    const options = optionsOf.get(isMinus ? word.slice(1) : word);
    if (!options) throw unknownWord(given);
    for (const option of options) chosen[isMinus ? 'delete' : 'add'](option);
  }
  return new Set(repairOptions.filter((option) => chosen.has(option)));
}

/** The check of an option that is read later. @throws ConfigurationError if a word is unknown */
export function checkRepairs(choice: unknown): asserts choice is RepairChoice | undefined {
  chosenRepairs(choice);
}

function unknownWord(given: unknown): ConfigurationError {
  const [word, shown] = typeof given === 'string' ? [given, quote(given)] : ['', briefJson(given, 60)];
  const known = ['off', ...optionsOf.keys()];
  const hint = `Choose from ${known.join(', ')}; a minus takes one away, as in safe,-nulls.`;
  return new ConfigurationError(`${shown} is no choice of repairs. ${hint}${didYouMean(word, known)}`);
}
