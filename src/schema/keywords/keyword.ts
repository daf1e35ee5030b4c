import { isObject, type JsonObject } from '../../json/index.js';
import type { Pattern } from '../patterns/pattern.js';
import type { Expectation } from '../violations/expectation.js';
import type { Branches } from '../violations/violation.js';
import type { EvaluatedParts } from './evaluated-parts.js';

/** The dialects of JSON Schema that are known, by the names of their drafts. */
export type Dialect = 'draft-04' | 'draft-06' | 'draft-07' | '2019-09' | '2020-12';

/**
 * A keyword: its compiled form and its evaluation. To add one, touch a file of keywords, the list of its dialect, and, if it
 * holds subschemas, the table in src/json.
 */
export interface Keyword<C = unknown> {
  readonly name: string;
  /** Evaluated after its siblings, because it depends on the parts that they evaluated. */
  readonly dependsOnSiblings?: true;
  /** The compiled form; undefined if there is nothing to check (a malformed value is reported first). */
  compile(value: unknown, at: CompileContext): C | undefined;
  evaluate(
    bound: BoundKeyword<C>,
    instance: unknown,
    context: EvaluationContext,
    evaluated: EvaluatedParts | undefined,
  ): Verdict;
  /**
   * The value expected in place of a rejected instance. Without it the keyword, or its subschemas, report by
   * themselves.
   */
  expected?(bound: BoundKeyword<C>, instance: unknown): Expectation;
  /** The schemas that it refers to; the scope lists the resources entered on the way there. */
  leadsTo?(bound: BoundKeyword<C>, scope: readonly Resource[]): readonly SchemaNode[];
  /** The schemas of the patterns that a member's name fits, or may fit. */
  matching?(bound: BoundKeyword<C>, name: string): readonly SchemaNode[];
}

export interface BoundKeyword<C = unknown> {
  readonly keyword: Keyword<C>;
  readonly value: C;
  readonly node: SchemaNode;
}

export interface SchemaNode {
  readonly schema: unknown;
  readonly resource: Resource;
  readonly keywords: readonly BoundKeyword[];
  /** The keyword's location, as a URI or a fragment: '#/$defs/user'. */
  readonly location: string;
  locationOf(keyword: string): string;
  /** The index in a list of schemas, or the name among an object's members. */
  readonly key?: string | number | undefined;
  /** The schema that one of its keywords holds, in a list or an object under a key. */
  child(schema: unknown, keyword: string, key?: string | number): SchemaNode;
}

/** A schema with an identity of its own: a document's root, or a subschema with an `$id` (2020-12 core, 4.3.5). */
export interface Resource {
  readonly dialect: { readonly name: Dialect; readonly keywords: ReadonlyMap<string, Keyword> };
  readonly root: SchemaNode;
  /** `$recursiveAnchor: true` is at its root (2019-09). */
  readonly recursive: boolean;
  dynamicAnchor(name: string): SchemaNode | undefined;
}

export interface Reference {
  readonly node: SchemaNode;
  readonly anchor?: string;
}

/** The view of the surrounding schema that a keyword is compiled with. */
export interface CompileContext {
  readonly node: SchemaNode;
  readonly schema: JsonObject;
  readonly keyword: string;
  child(value: unknown, key?: string | number): SchemaNode;
  schemaOf(value: unknown): SchemaNode | undefined;
  schemasOf(value: unknown): readonly SchemaNode[] | undefined;
  /** Reports the members that are no schemas, for keywords that compile their members when they are reached. */
  checkMembers(value: JsonObject): void;
  /** The value of another keyword in the same schema, if the dialect knows that keyword. */
  sibling(name: string): unknown;
  pattern(source: string): Pattern;
  resolve(reference: string): Reference | UndeterminedReason;
  /** True if somebody listens to reports; otherwise skip work that is done only for them. */
  readonly diagnosing: boolean;
  report(code: DiagnosticCode, message: string, severity?: Diagnostic['severity']): void;
  /** Reports a value that the keyword cannot have, and yields the undefined that ignores it. */
  malformed(expected: string): undefined;
}

export interface Format {
  accepts(text: string): boolean;
  /** Texts up to this length are checked at once, longer ones under the watchdog. */
  readonly quickLength: number;
}

/** The evaluation as a keyword sees it: the keyword applies subschemas, charges its steps and reports. */
export interface EvaluationContext {
  readonly assertFormats: boolean;
  /** True if every violation is needed; otherwise the first one ends the evaluation. */
  readonly collecting: boolean;
  /** The resources entered on the way here, outermost first: the dynamic scope (2020-12 core, 7.1). */
  readonly scope: readonly Resource[];
  /** Applies a schema to the current instance; `evaluated` collects members and items if a keyword needs them. */
  apply(node: SchemaNode, instance: unknown, evaluated?: EvaluatedParts): Verdict;
  applyAt(node: SchemaNode, instance: unknown, key: string | number): Verdict;
  follow(node: SchemaNode, instance: unknown, evaluated?: EvaluatedParts): Verdict;
  /** Applies a schema whose failure is not, or not yet, the failure of the whole: a branch. Collects no violations. */
  try(node: SchemaNode, instance: unknown, evaluated?: EvaluatedParts): Verdict;
  tryAt(node: SchemaNode, instance: unknown, key: string | number): Verdict;
  /** Runs a part that applies because of other values than the current one, or because other parts were valid. */
  conditionally<Result>(part: () => Result): Result;
  refusals(branches: readonly SchemaNode[], instance: unknown): Branches;
  /** Takes steps off the budget. Once it is used up, this ends the evaluation. */
  consume(steps: number): void;
  /** The verdict of all parts together; without violations to collect, the first that is refused ends it. */
  every<T>(parts: Iterable<T>, verdictOf: (part: T) => Verdict): Verdict;
  /** VALID if the pattern matches the text; undetermined if finding out exceeds the time limit. */
  matches(pattern: Pattern, text: string, node: SchemaNode, keyword: string): Verdict;
  /** VALID if the text has the format; undetermined as for a pattern, since most formats are patterns. */
  conforms(format: Format, text: string, node: SchemaNode): Verdict;
  undetermined(reason: UndeterminedReason, node: SchemaNode, keyword?: string): Verdict;
  /** Records that the current instance violates a keyword, and returns INVALID. */
  report(bound: BoundKeyword, instance: unknown, expectation: Expectation, branches?: () => Branches): Verdict;
}

/** The subject of a {@link Diagnostic}. `more` stands for the diagnostics beyond the number that is reported. */
export type DiagnosticCode =
  | 'unknown-dialect'
  | 'unresolved-reference'
  | 'unparsable-pattern'
  | 'risky-pattern'
  | 'malformed-schema'
  | 'malformed-keyword'
  | 'empty-enum'
  | 'unknown-keyword'
  | 'ignored-keyword'
  | 'unknown-format'
  | 'nullable'
  | 'legacy-keyword'
  | 'schema-too-large'
  | 'more';

/**
 * A defect or an oddity in a schema. An `error` does not do what its author meant (a malformed keyword is ignored, a
 * dangling reference leaves the value undetermined); a `note` is worth knowing.
 */
export interface Diagnostic {
  readonly severity: 'error' | 'note';
  readonly code: DiagnosticCode;
  /** The location in the schema, as a fragment: '#/properties/limit/minimum'. */
  readonly schemaLocation: string;
  readonly message: string;
}

/**
 * Verdicts in Kleene's three-valued logic. A used-up budget or a dangling reference makes a part *undetermined*, and
 * the whole only if that part decides. Ordered so that `and` is the maximum, `or` the minimum and `not` the mirror
 * image.
 */
export const VALID = 0;
export const UNDETERMINED = 1;
export const INVALID = 2;

export type Verdict = typeof VALID | typeof UNDETERMINED | typeof INVALID;

/** Why an evaluation is undetermined: a part of the budget was used up, or a reference leads nowhere. */
export type UndeterminedReason =
  'steps' | 'time' | 'depth' | 'pattern-time' | 'argument-size' | 'schema-size' | 'unresolved-reference';

export function and(left: Verdict, right: Verdict): Verdict {
  return left > right ? left : right;
}

export function or(left: Verdict, right: Verdict): Verdict {
  return left < right ? left : right;
}

export function not(verdict: Verdict): Verdict {
  return verdict === VALID ? INVALID : verdict === INVALID ? VALID : UNDETERMINED;
}

/** Hides the compiled type: a bound keyword always gets the value that the same keyword compiled. */
export function defineKeyword<C>(name: string, keyword: Omit<Keyword<C>, 'name'>): Keyword {
  return { name, ...keyword };
}

/** A keyword that decides nothing: others read it, or it holds schemas for them. */
export function silentKeyword(name: string, check: (value: unknown, at: CompileContext) => unknown = () => undefined) {
  return defineKeyword<never>(name, {
    compile(value, at) {
      check(value, at);
      return undefined;
    },
    evaluate: (bound) => bound.value,
  });
}

export function compileCount(value: unknown, at: CompileContext): number | undefined {
  return isCount(value) ? value : at.malformed('a non-negative integer');
}

export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

export function textSteps(text: string): number {
  return text.length >> 8;
}

/** Names beyond which an object is kept in another way, in which listing them takes a step each. */
const manyNames = 1_000;

export function everyMember(
  instance: unknown,
  context: EvaluationContext,
  verdictOf: (name: string, value: unknown) => Verdict,
): Verdict {
  if (!isObject(instance)) return VALID;
  return context.every(namesIn(instance, context), (name) => verdictOf(name, instance[name]));
}

/** The names of an object's members, those without a value left out; charged by their number. */
export function namesIn(instance: JsonObject, context: EvaluationContext): string[] {
  const names = Object.keys(instance);
  context.consume(names.length > manyNames ? names.length : names.length >> 4);
  return names.filter((name) => instance[name] !== undefined);
}
