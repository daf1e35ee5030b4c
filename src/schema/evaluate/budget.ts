import { option } from '../../json/index.js';

/** The limits of one evaluation. Reaching one makes the outcome *undetermined*, never valid or invalid. */
export interface Budget {
  /** Schemas applied, plus the members, items and elements looked at. Default 500,000. */
  readonly steps: number;
  /** Schemas applied within one another, through nesting of the arguments as well as through `$ref`. Default 400. */
  readonly depth: number;
  /**
   * Violations collected, and as many in each branch of a combinator. More are cut; the verdict stays the same. Default
   * 100.
   */
  readonly violations: number;
  /** Milliseconds of wall-clock time, for everything. Default 500. */
  readonly ms: number;
  /** Milliseconds of the total that regular expressions may take if some are risky. Default 100. */
  readonly patternMs: number;
  /** Size of the arguments: values plus the characters of strings and names. Default 20,000,000. */
  readonly argumentSize: number;
}

/** Real calls need a few hundred steps and ten levels; the depth leaves most of Node's default stack to the host. */
export const defaultBudget: Budget = {
  steps: 500_000,
  depth: 400,
  violations: 100,
  ms: 500,
  patternMs: 100,
  argumentSize: 20_000_000,
};

export function completeBudget(budget: { readonly [limit in keyof Budget]?: number | undefined } | undefined): Budget {
  const given = Object.entries(budget ?? {}).filter(([, limit]) => limit !== undefined);
  return { ...defaultBudget, ...Object.fromEntries(given) };
}

const limit = option('a number of at least 0', (value) => typeof value === 'number' && value >= 0);

export const budgetOptions = Object.fromEntries(Object.keys(defaultBudget).map((name) => [name, limit]));
