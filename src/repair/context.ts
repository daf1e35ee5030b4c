import { isObject, lazy } from '../json/index.js';
import { type CompiledSchema, hintsOfSchema, type Refusal, Refusals, type SchemaHints } from '../schema/index.js';
import { applyRepairs } from './apply.js';
import { mayClear } from './candidates/absence.js';
import { candidatesAt } from './candidates/candidates.js';
import { renamesIn } from './candidates/spelling.js';
import type { Repair, RepairedTool, RepairOption } from './options.js';

export interface ContextOptions {
  readonly chosen: ReadonlySet<RepairOption>;
  readonly tool: RepairedTool | undefined;
  readonly assertFormats: boolean;
  /** For all attempts together. When they are used up, nothing is repaired. */
  readonly steps: number;
}

/** Arguments with repairs made, and what the schema refuses of them still. */
export interface Attempt {
  readonly value: unknown;
  readonly repairs: readonly Repair[];
  readonly refusals: readonly Refusal[];
  /** True if nothing is refused. The arguments may still not be valid: patterns that may take long are not matched. */
  readonly isSettled: boolean;
  readonly isValid: boolean;
}

/** The state of one call: its schema's evaluator, the budget of all evaluations, and the candidates. */
export interface RepairContext {
  readonly evaluator: Refusals;
  readonly consume: (steps: number) => boolean;
  /** Begins a search that may take a share of the steps: false is answered when it has taken them. */
  search(): () => boolean;
  /** The value with repairs made. The copies that this takes are charged. */
  readonly changed: (value: unknown, repairs: readonly Repair[], location?: string) => unknown;
  /** The arguments with repairs made, evaluated. */
  attempt(args: unknown, repairs: readonly Repair[]): Attempt;
  /** Other notations of a refused value, each of which may satisfy all its refusals. */
  candidates(refusals: readonly [Refusal, ...Refusal[]]): readonly Repair[];
  /** The declared name that a refused member means, or that is sent otherwise for a missing member. */
  renameFor(refusal: Refusal): Repair | undefined;
}

export function contextOf(
  compiled: CompiledSchema,
  { chosen, tool, assertFormats, steps }: ContextOptions,
): RepairContext {
  const evaluator = new Refusals(compiled, { assertFormats, steps });
  const consume = (taken: number) => evaluator.consume(taken);
  const changed: RepairContext['changed'] = (value, repairs, at) => applyRepairs(value, repairs, at, consume);
  const call = { tool, consume, mayClear: lazy(() => tool !== undefined && mayClear(tool)), jsonTexts: new Map() };
  const read = new Set<SchemaHints>();
  const renames = new Map<string, { readonly of: object; readonly found: ReturnType<typeof renamesIn> }>();
  const hintsAt = (path: readonly (string | number)[]) => {
    const hints = hintsOfSchema(evaluator.root).within(path);
    consume(path.length + (read.has(hints) ? 0 : hints.weight()));
    read.add(hints);
    return hints;
  };
  return {
    evaluator,
    consume,
    search() {
      // A search that used up all steps would take back what was repaired.
      const most = Math.min(evaluator.consumed, steps * 0.9) + steps / 20;
      return () => evaluator.consumed <= most;
    },
    changed,
    attempt: (args, repairs) => ({ repairs, ...evaluator.of(changed(args, repairs)) }),
    candidates: (all) => candidatesAt({ path: all[0].path, hints: hintsAt(all[0].path), ...call }, all, chosen),
    renameFor({ value, expectation, path, node, violation: { instanceLocation, property } }) {
      const isAboutName = /^(?:missing|unwanted|name)$/.test(expectation.kind);
      // Under a pattern, any name may be right.
      const isPatterned = isObject(node.schema) && isObject(node.schema['patternProperties']);
      if (!isAboutName || !isObject(value) || !chosen.has('names') || isPatterned) return undefined;
      const hints = hintsAt(path);
      // Each refusal of an object gets the same renames, which are made once.
      const known = renames.get(instanceLocation);
      if (known?.of === value) return known.found.get(property);
      consume(Object.keys(value).length);
      const found = renamesIn(value, hints, instanceLocation);
      renames.set(instanceLocation, { of: value, found });
      return found.get(property);
    },
  };
}
