/** What a {@link Diagnostic} is about. `more` stands for those beyond the number that is reported. */
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
 * What is wrong or odd in a schema. An `error` is something that does not do what its author meant (a malformed
 * keyword is ignored, a dangling reference leaves the value undetermined); a `note` is worth knowing.
 */
export interface Diagnostic {
  readonly severity: 'error' | 'note';
  readonly code: DiagnosticCode;
  /** Where in the schema, as a fragment: '#/properties/limit/minimum'. */
  readonly schemaLocation: string;
  readonly message: string;
}
