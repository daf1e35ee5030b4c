import { ConfigurationError } from '../json/index.js';
import { checkOptions, didYouMean, flag } from '../json/index.js';

/**
 * Which malformed arguments are repaired. A repair changes the notation of a value, never the value: the schema refused it
 * and accepts the repaired one, and no value leaves its own JSON type where the schema takes that type.
 */
export interface RepairOptions {
  /** A text that is a JSON integer (safe range), where an integer or a number is wanted: `"100"` -> 100. */
  integers: boolean;
  /** A text that is a JSON number, where a number is wanted: `"0.5"` -> 0.5. */
  numbers: boolean;
  /** The texts `true`, `True`, `TRUE` and the same of false, where a boolean is wanted. */
  booleans: boolean;
  /** 0 and 1 where a boolean is wanted. */
  bits: boolean;
  /**
   * An integer where only text is wanted: `25` -> `"25"`, but for versions, digits and codes; a boolean where its text is
   * an allowed value; a list or an object where its JSON is asked for.
   */
  strings: boolean;
  /** A fraction where only text is wanted: `1.5` -> `"1.5"`. Zeros at its end are lost: 3.10 is 3.1. */
  decimals: boolean;
  /** The one allowed value that is equal but for case, spaces, `_` and `-`: `"like new"` -> `"Like New"`. */
  enums: boolean;
  /** The one declared property that is equal but for case, spaces, `_` and `-`: `maxResults` -> `max_results`. */
  names: boolean;
  /** A text that holds a list or an object, as JSON or as Python writes it, also within a code fence. */
  json: boolean;
  /** Listed values or numbers with commas between, where a list of such is wanted: `"open,closed"`, `"1, 2"`. */
  split: boolean;
  /** `["tag"]` -> `"tag"`, where a single value is wanted; `{"0": "tag"}` -> `["tag"]`. */
  lists: boolean;
  /** A single value where a list of such values is wanted: `"tag"` -> `["tag"]`. */
  singletons: boolean;
  /**
   * Null for an optional property that refuses it is left out where it can clear nothing (docs/repairs.md). The texts
   * `null` and `None` where null is accepted.
   */
  nulls: boolean;
  /** Null for an optional property that refuses it, also where it might clear something; the texts `null` and `None`. */
  allNulls: boolean;
  /** An empty text for an optional property that refuses it is left out. It may have been meant to clear it. */
  blanks: boolean;
  /** Arguments within `arguments`, `input`, `parameters`, `properties` or `args`, also beside the tool's name. */
  wrappers: boolean;
}

/** How repairs are chosen: by one word; an object means the default with these changes. */
export type RepairChoice = RepairPreset | Partial<RepairOptions>;

/**
 * `safe`, the default: kinds that change the notation alone (docs/repairs.md has the table). `integers`: that kind alone.
 * `all`: every kind. `off`: none.
 */
export type RepairPreset = 'integers' | 'safe' | 'all' | 'off';

/** What repair may know of the tool that is called: what null means to it, and how calls are wrapped. */
export interface RepairedTool {
  readonly name: string;
  readonly description?: unknown;
  readonly annotations?: unknown;
}

/** Which of the {@link RepairOptions} made a repair. */
export type RepairKind = (typeof repairKindOf)[keyof RepairOptions];

/** One change made to the arguments, in the order in which the changes were made. */
export interface Repair {
  /** JSON Pointer (RFC 6901) into the arguments, as they were before this change. */
  readonly instanceLocation: string;
  readonly kind: RepairKind;
  /** The value as it came; the property's name as it came (kind `name`). */
  readonly from: unknown;
  /** What became of it; undefined where the property was left out (kinds `null` and `blank`). */
  readonly to: unknown;
}

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
} as const satisfies Record<keyof RepairOptions, string>;

/** All kinds, the cheapest first: those that assume least about what was meant. */
export const repairKinds: readonly RepairKind[] = [...new Set(Object.values(repairKindOf))];

const all = Object.keys(repairKindOf) as (keyof RepairOptions)[]; // by its type

/** What `all` adds to `safe`: docs/repairs.md says what they can lose. */
const unsafe: readonly (keyof RepairOptions)[] = ['bits', 'decimals', 'lists', 'singletons', 'allNulls', 'blanks'];

const presets: Readonly<Record<RepairPreset, Readonly<RepairOptions>>> = {
  off: optionsWith(() => false),
  integers: optionsWith((option) => option === 'integers'),
  safe: optionsWith((option) => !unsafe.includes(option)),
  all: optionsWith(() => true),
};

export const defaultRepairs: Readonly<RepairOptions> = presets.safe;

const flags = Object.fromEntries(all.map((name) => [name, flag]));

export function onlyRepairs(...options: readonly (keyof RepairOptions)[]): Readonly<RepairOptions> {
  return optionsWith((option) => options.includes(option));
}

/** @throws TypeError where the choice names no preset, or what is no option */
export function chosenRepairs(choice: RepairChoice = 'safe'): ReadonlySet<keyof RepairOptions> {
  if (typeof choice === 'string') {
    const names = Object.keys(presets);
    if (Object.hasOwn(presets, choice)) return new Set(all.filter((name) => presets[choice][name]));
    const hint = `Choose ${names.join(', ')} or an object.${didYouMean(choice, names)}`;
    throw new ConfigurationError(`"${choice as string}" is not a repair setting. ${hint}`);
  }
  checkOptions('repairs', choice, flags);
  return new Set(all.filter((name) => choice[name] ?? presets.safe[name]));
}

function optionsWith(isOn: (name: keyof RepairOptions) => boolean): Readonly<RepairOptions> {
  // Every key of the table is one of the options.
  return Object.freeze(Object.fromEntries(all.map((name) => [name, isOn(name)])) as unknown as RepairOptions);
}
