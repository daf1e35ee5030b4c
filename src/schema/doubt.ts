/**
 * Why an evaluation is undetermined: the part of the {@link Budget} that was used up, or a reference to something that
 * the schema does not contain.
 */
export type DoubtReason = 'steps' | 'depth' | 'pattern-time' | 'argument-size' | 'schema-size' | 'unresolved-reference';

/** Why a verdict could not be reached, and where. */
export interface Doubt {
  readonly reason: DoubtReason;
  readonly schemaLocation?: string;
  readonly instanceLocation?: string;
}

const explanations: Readonly<Record<DoubtReason, string>> = {
  steps: 'checking the arguments against the schema takes more steps than the budget allows',
  depth: 'the schema and the arguments nest, or the schema refers to itself, more deeply than the budget allows',
  'pattern-time': 'matching a pattern takes longer than the budget allows',
  'argument-size': 'the arguments are larger than the budget allows',
  'schema-size': 'the schema is larger than the budget allows',
  'unresolved-reference': 'the schema refers to something that it does not contain',
};

/** One sentence for people: what kept the verdict open, and where. */
export function explainDoubt(doubt: Doubt): string {
  const place = doubt.schemaLocation === undefined ? '' : ` (at ${shorten(doubt.schemaLocation)} of the schema)`;
  return `Undetermined: ${explanations[doubt.reason]}${place}.`;
}

function shorten(location: string): string {
  return location.length <= 200 ? location : `${location.slice(0, 99)}...${location.slice(-98)}`;
}
