import type { JsonType, WorkBudget } from '../../json/index.js';
import type { Reading } from '../reading.js';
import type { Expectation } from './expectation.js';

/** The value that a violation is about. */
export interface Received {
  readonly type: JsonType;
  /** The value itself, for programs. Do not show it: it may be a secret. */
  readonly value: unknown;
  /** The value as JSON for people: truncated, and hidden if it is likely to be a secret. */
  readonly text: string;
}

/** The information about other violations that texts need. */
export interface Said {
  readonly instanceLocation: string;
  readonly expectation: Expectation;
  readonly property?: string | undefined;
}

/** The places of the arguments that declare a property, by its name. A place in a list or a map has `*` for the key. */
export type DeclaredPlaces = ReadonlyMap<string, ReadonlySet<string>>;

/** State shared by the texts of all violations of one evaluation. */
export interface SharedTexts {
  /** The budget for explanations; the clock stands still between two texts that are read. */
  readonly budget: WorkBudget;
  /** Texts of objects, made once: an object may have many violations, and listing its names takes time. */
  known?: Map<unknown, string>;
  /** The evaluated arguments, if they are known: names of secrets stand beside these, too. */
  readonly instance?: unknown;
  /** The violations of the same arguments that repairs settled. */
  unsaid?: readonly Said[];
  /** The places at which the schema declares properties; undefined if it is too large to tell. */
  places?(): DeclaredPlaces | undefined;
  /** The violations of other arguments, summarized; undefined if the budget is used up. */
  again?(instance: unknown): readonly Said[] | undefined;
  /** The readings of texts, and why they do not fit, by location. */
  readings?: ReadonlyMap<string, string | undefined>;
  /** True if there are more violations than were found: counts are lower bounds. */
  isPart: boolean;
}

export interface Context extends Reading {
  readonly received: Received;
  readonly instanceLocation: string;
  readonly schema: unknown;
  readonly texts: SharedTexts;
  /** If true, values similar to the received one come first. */
  readonly nearFirst?: boolean;
}
