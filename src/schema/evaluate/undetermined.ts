import { visibleLine } from '../../json/index.js';
import type { UndeterminedReason } from '../keywords/verdict.js';

/** Why a verdict could not be reached, and where. */
export interface Undetermined {
  readonly reason: UndeterminedReason;
  readonly schemaLocation?: string;
  readonly instanceLocation?: string;
}

const explanations: Readonly<Record<UndeterminedReason, string>> = {
  steps: 'Checking the arguments against the schema takes more steps than the budget allows',
  time: 'Checking the arguments against the schema takes longer than the budget allows',
  depth: 'The schema and the arguments nest, or the schema refers to itself, more deeply than the budget allows',
  'pattern-time': 'Matching a pattern takes longer than the budget allows',
  'argument-size': 'The arguments are larger than the budget allows',
  'schema-size': 'The schema is larger than the budget allows',
  'unresolved-reference': 'The schema refers to something that it does not contain',
};

/** One sentence for people: what kept the verdict open, and where. */
export function explainUndetermined({ reason, schemaLocation }: Undetermined): string {
  const place = schemaLocation === undefined ? '' : ` (at ${visibleLine(middleCut(schemaLocation))} of the schema)`;
  return `${explanations[reason]}${place}.`;
}

function middleCut(location: string): string {
  return location.length <= 200 ? location : `${location.slice(0, 99)}...${location.slice(-98)}`;
}
