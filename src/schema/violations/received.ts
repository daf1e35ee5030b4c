import type { JsonType, WorkBudget } from '../../json/index.js';

/** The value that a violation is about. */
export interface Received {
  readonly type: JsonType;
  /** The value itself, for programs; not to be shown where it may be a secret. */
  readonly value: unknown;
  /** The value as JSON for people: truncated, and hidden where it is likely to be a secret. */
  readonly text: string;
}

/** What the texts of all violations of one evaluation share. */
export interface SharedTexts {
  /** The budget of explaining; the clock stands still between one text that is read and the next. */
  readonly budget: WorkBudget;
  /** Those of objects: one may be refused in many ways, and listing its names takes time. */
  known?: Map<unknown, string>;
  /** What is evaluated, where it is known: names of secrets stand beside these, too. */
  readonly instance?: unknown;
  /** More is wrong than was found: what is counted is at least as much. */
  isPart: boolean;
}
