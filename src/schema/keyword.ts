import type { JsonObject, JsonType } from '../json/index.js';
import type { DiagnosticCode, Diagnostic } from './diagnostic.js';
import type { EvaluatedParts } from './evaluated.js';
import type { Pattern } from './patterns/pattern.js';
import type { Reference } from './reference.js';
import type { Run } from './run.js';
import type { SchemaNode } from './node.js';
import type { Verdict } from './verdict.js';

/**
 * A keyword: what its value compiles to, and what that says of an instance. Adding one touches its file and the
 * list of its dialect.
 */
export interface Keyword<C = unknown> {
  readonly name: string;
  /** Where subschemas stand in the value: the value itself (or each element of an array), or each member. */
  readonly subschemas?: 'value' | 'members';
  /** Evaluated after its siblings, because it depends on what they evaluated. */
  readonly dependsOnSiblings?: true;
  /** The compiled form; undefined where there is nothing to check (a malformed value is reported first). */
  compile(value: unknown, at: Position): C | undefined;
  evaluate(clause: Clause<C>, instance: unknown, run: Run, evaluated: EvaluatedParts | undefined): Verdict;
  /**
   * What an instance that this keyword refused should have been. A keyword without it reports by itself through
   * `run.report`, or leaves the report to its subschemas.
   */
  expected?(clause: Clause<C>, instance: unknown): Expectation;
}

/** A keyword where it stands in one schema. */
export interface Clause<C = unknown> {
  readonly keyword: Keyword<C>;
  readonly value: C;
  readonly node: SchemaNode;
}

/** What a keyword sees of the schema it stands in while it is compiled. */
export interface Position {
  readonly node: SchemaNode;
  readonly schema: JsonObject;
  readonly keyword: string;
  /** The schema within the keyword's value, at the place that the tokens name. */
  child(value: unknown, ...tokens: (string | number)[]): SchemaNode;
  /** The keyword's value as a schema; reported and undefined where it is none. */
  schemaOf(value: unknown): SchemaNode | undefined;
  /** The keyword's value as a list of schemas; reported and undefined where it is none. */
  schemasOf(value: unknown): readonly SchemaNode[] | undefined;
  /** Reports the members that are no schemas, for keywords that compile their members when they are reached. */
  checkMembers(value: JsonObject): void;
  /** The value of another keyword in the same schema, where the dialect knows that keyword. */
  sibling(name: string): unknown;
  pattern(source: string): Pattern;
  resolve(reference: string): Reference | undefined;
  /** Whether anybody listens to reports, so that finding something out only for them can be left. */
  readonly diagnosing: boolean;
  report(code: DiagnosticCode, message: string, severity?: Diagnostic['severity']): void;
  /** Reports a value that the keyword cannot have, and yields the undefined that ignores it. */
  malformed(expected: string): undefined;
}

export interface Expectation {
  /** Short phrase that completes "must be": 'integer or null', '>= 0'. */
  readonly expected: string;
  readonly expectedTypes?: readonly JsonType[];
  /** Completes the message where "must be <expected>" would not read well. */
  readonly problem?: string;
  /** The property that the keyword names, where the violation is about one. */
  readonly property?: string;
}

/**
 * Checks a keyword's definition against its own compiled type and forgets that type for the dialects' lists.
 */
export function defineKeyword<C>(keyword: Keyword<C>): Keyword {
  // A clause always pairs a keyword with the value that the same keyword compiled, so the forgotten type is right.
  return keyword;
}
