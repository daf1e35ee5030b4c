import { isObject, lazy } from '../json/index.js';
import { type CompiledSchema, type Refusal, Refusals } from '../schema/index.js';
import { applyRepairs } from './apply.js';
import { mayClear } from './candidates/absence.js';
import { candidatesAt } from './candidates/candidates.js';
import { renamesIn } from './candidates/spelling.js';
import { hintsOfSchema, type SchemaHints } from './hints.js';
import type { Repair, RepairedTool, RepairOption } from './options.js';

export interface ContextOptions {
  readonly chosen: ReadonlySet<RepairOption>;
  readonly tool: RepairedTool | undefined;
  readonly assertFormats: boolean;
  /** For all attempts together. When they are used up, nothing is repaired. */
  readonly steps: number;
}

/** Arguments with repairs applied, and their remaining refusals. */
export interface Attempt {
  readonly value: unknown;
  readonly repairs: readonly Repair[];
  readonly refusals: readonly Refusal[];
  readonly isValid: boolean;
}

/** State of one call: its schema, the refusals, and the budget of all evaluations. */
export interface RepairContext {
  readonly refusals: Refusals;
  readonly consume: (steps: number) => boolean;
  /** Steps that looking for needless repairs, or for other readings, may take. */
  readonly share: number;
  /** The value with repairs made. The copies that this takes are charged. */
  readonly changed: (value: unknown, repairs: readonly Repair[], location?: string) => unknown;
  /** The arguments with repairs made, evaluated. */
  attempt(args: unknown, repairs: readonly Repair[]): Attempt;
  /** Other notations of a value that satisfy all its violations. */
  candidates(refusals: readonly [Refusal, ...Refusal[]]): readonly Repair[];
  /** The declared name that a member means which is refused, or that means a missing member. */
  renameFor(refusal: Refusal): Repair | undefined;
}

export function contextOf(
  compiled: CompiledSchema,
  { chosen, tool, assertFormats, steps }: ContextOptions,
): RepairContext {
  const refusals = new Refusals(compiled, { assertFormats, steps });
  const consume = (taken: number) => refusals.consume(taken);
  const changed: RepairContext['changed'] = (value, repairs, at) => applyRepairs(value, repairs, at, consume);
  const call = { tool, consume, mayClear: lazy(() => tool !== undefined && mayClear(tool)), jsonTexts: new Map() };
  const read = new Set<SchemaHints>();
  const renames = new Map<object, ReturnType<typeof renamesIn>>();
  const hintsAt = (path: readonly (string | number)[]) => {
    const hints = hintsOfSchema(refusals.root).within(path);
    consume(path.length + (read.has(hints) ? 0 : hints.weight()));
    read.add(hints);
    return hints;
  };
  return {
    refusals,
    consume,
    share: steps / 20,
    changed,
    attempt(args, repairs) {
      const value = changed(args, repairs);
      return { value, repairs, ...refusals.of(value) };
    },
    candidates: (all) => candidatesAt({ path: all[0].path, hints: hintsAt(all[0].path), ...call }, all, chosen),
    renameFor({ value, expectation, path, node, violation: { instanceLocation, property } }) {
      const isAboutName = /^(?:missing|unwanted|name)$/.test(expectation.kind);
      // Under a pattern, any name may be right.
      const isPatterned = isObject(node.schema) && isObject(node.schema['patternProperties']);
      if (!isAboutName || !isObject(value) || !chosen.has('names') || isPatterned) return undefined;
      const hints = hintsAt(path);
      const known = renames.get(value);
      if (!known) consume(Object.keys(value).length);
      const found = known ?? renamesIn(value, hints, instanceLocation);
      renames.set(value, found);
      return found.get(property);
    },
  };
}
