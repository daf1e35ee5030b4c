import type { JsonType } from '../../json/index.js';

/** What a keyword that refused an instance wanted of it. */
export interface Expectation {
  /** Short phrase that completes "must be": 'integer or null', '>= 0'. */
  readonly expected: string;
  readonly expectedTypes?: readonly JsonType[];
  /** Completes the message where "must be <expected>" would not read well. */
  readonly problem?: string;
  /** The property that the keyword names, where the violation is about one. */
  readonly property?: string;
}
