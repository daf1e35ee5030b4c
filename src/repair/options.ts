import { checkOptions, didYouMean, flag } from '../json/index.js';

/**
 * Which coercions are tried. Every kind obeys the same law: the schema refused the value and accepts the repaired one.
 */
export interface RepairOptions {
  /**
   * A text that is exactly the decimal form of a safe integer, where an integer or a number is wanted: `"100"` -> 100.
   */
  integers: boolean;
  /** A text that is exactly a JSON number, where a number is wanted: `"0.5"` -> 0.5. */
  numbers: boolean;
  /** The texts `true`, `True`, `TRUE` and the same of false. */
  booleans: boolean;
  /**
   * An integer or boolean where only text is accepted: `25` -> `"25"`; a list or an object where the schema asks for its
   * JSON.
   */
  strings: boolean;
  /**
   * A number with a fraction where only text is accepted: `1.5` -> `"1.5"`. The zeros at its end are lost: 3.10 is 3.1.
   */
  decimals: boolean;
  /** The one allowed value that is equal but for case, spaces, `_` and `-`: `"like new"` -> `"Like New"`. */
  enums: boolean;
  /** The one declared property that is equal but for case, spaces, `_` and `-`: `maxResults` -> `max_results`. */
  names: boolean;
  /** A text that holds a list or an object, as JSON or as Python writes it, also within a code fence. */
  json: boolean;
  /**
   * A list of one where a scalar is wanted: `["tag"]` -> `"tag"`; a list with its indexes for names: `{"0": "tag"}` ->
   * `["tag"]`.
   */
  lists: boolean;
  /** A single value where a list of such values is wanted: `"tag"` -> `["tag"]`. */
  singletons: boolean;
  /** Null, and the texts `null` and `None`: an optional property that refuses them is left out. */
  nulls: boolean;
  /** An empty text: an optional property that refuses it is left out. It may have been meant to clear something. */
  blanks: boolean;
  /** The one allowed value that stands in a longer text as its own words: `"last six months"` -> `"six_months"`. */
  words: boolean;
  /**
   * Arguments within `arguments`, `input`, `parameters`, `properties` or `args`, or by names that are paths: `a[0].b`.
   */
  wrappers: boolean;
}

/** How repairs are chosen: by one word, or kind by kind; an object means `integers` and the kinds that it names. */
export type RepairChoice = RepairPreset | Partial<RepairOptions>;

/**
 * `safe`, the default: every kind that made no call worse (docs/repairs.md has the table). `integers`: that kind alone.
 * `all`: every kind. `off`: none.
 */
export type RepairPreset = 'integers' | 'safe' | 'all' | 'off';

/** Which of the {@link RepairOptions} made a repair. */
export type RepairKind = (typeof kindOf)[keyof RepairOptions];

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

const kindOf = {
  integers: 'integer',
  numbers: 'number',
  booleans: 'boolean',
  strings: 'string',
  decimals: 'decimal',
  enums: 'enum',
  names: 'name',
  json: 'json',
  lists: 'list',
  singletons: 'singleton',
  nulls: 'null',
  blanks: 'blank',
  words: 'word',
  wrappers: 'wrapper',
} as const satisfies Record<keyof RepairOptions, string>;

/** All kinds, those first that presume least about what was meant. */
export const repairKinds: readonly RepairKind[] = Object.values(kindOf);

const all = Object.keys(kindOf) as (keyof RepairOptions)[]; // its own keys, by its type

/** The kinds that can make a call worse: docs/repairs.md says how. */
const unsafe: readonly (keyof RepairOptions)[] = ['decimals', 'singletons', 'blanks', 'words'];

const presets: Readonly<Record<RepairPreset, Readonly<RepairOptions>>> = {
  off: optionsWith(() => false),
  integers: optionsWith((kind) => kind === 'integers'),
  safe: optionsWith((kind) => !unsafe.includes(kind)),
  all: optionsWith(() => true),
};

const presetKinds: Readonly<Record<RepairPreset, ReadonlySet<RepairKind>>> = {
  off: kindsOf(presets.off),
  integers: kindsOf(presets.integers),
  safe: kindsOf(presets.safe),
  all: kindsOf(presets.all),
};

/** What is repaired where nothing is chosen. */
export const defaultRepairs: Readonly<RepairOptions> = presets.safe;

const flags = Object.fromEntries(all.map((name) => [name, flag]));

/**
 * The kinds that a choice names. An option given as undefined is one not given.
 *
 * @throws TypeError where it names no preset, or what is no kind
 */
export function chosenKinds(choice: RepairChoice = 'safe'): ReadonlySet<RepairKind> {
  if (typeof choice === 'string') return kindsOfPreset(choice);
  checkOptions('repairs', choice, flags);
  return kindsOf({ ...presets.integers, ...given(choice) });
}

function kindsOf(options: Readonly<RepairOptions>): ReadonlySet<RepairKind> {
  return new Set(all.filter((name) => options[name]).map((name) => kindOf[name]));
}

function kindsOfPreset(name: string): ReadonlySet<RepairKind> {
  if (Object.hasOwn(presets, name)) return presetKinds[name as RepairPreset]; // a key of it, as just checked
  const names = Object.keys(presets);
  throw new TypeError(
    `"${name}" is not a repair setting. Choose ${names.join(', ')} or an object.${didYouMean(name, names)}`,
  );
}

function given(choice: Partial<RepairOptions>): Partial<RepairOptions> {
  return Object.fromEntries(Object.entries(choice).filter(([, value]) => (value as unknown) !== undefined));
}

function optionsWith(isOn: (name: keyof RepairOptions) => boolean): Readonly<RepairOptions> {
  // Every key of the table is one of the options.
  return Object.freeze(Object.fromEntries(all.map((name) => [name, isOn(name)])) as unknown as RepairOptions);
}
