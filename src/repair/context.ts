import { isObject, type JsonObject, pointerToken } from '../json/index.js';
import { type CompiledSchema, type Refusal, Refusals } from '../schema/index.js';
import { applyRepairs } from './apply.js';
import { type Candidate, candidatesFor } from './candidates/candidates.js';
import { misspelledNames } from './candidates/spelling.js';
import { hintsOfSchema, type SchemaHints } from './hints.js';
import type { Repair, RepairedTool, RepairOption } from './options.js';

interface Rename {
  readonly from: string;
  readonly to: string;
}

export interface ContextOptions {
  readonly chosen: ReadonlySet<RepairOption>;
  readonly tool: RepairedTool | undefined;
  readonly assertFormats: boolean;
  /** For all attempts together. When they are used up, nothing is repaired. */
  readonly steps: number;
}

/** What is known of one call: its schema, what it refuses, and what all attempts have taken. */
export class RepairContext {
  readonly refusals: Refusals;
  readonly consume = (steps: number) => this.refusals.consume(steps);
  readonly #options: ContextOptions;
  readonly #hints: SchemaHints;
  readonly #jsonTexts = new Map<object, string | undefined>();
  readonly #read = new Set<string>();
  readonly #renames = new Map<object, ReadonlyMap<string, Rename>>();

  constructor(compiled: CompiledSchema, options: ContextOptions) {
    this.refusals = new Refusals(compiled, options);
    this.#hints = hintsOfSchema(this.refusals.root);
    this.#options = options;
  }

  get exhausted(): boolean {
    return this.refusals.exhausted;
  }

  /** At most a fifth of all steps. */
  share(steps: number): number {
    return Math.min(steps, this.#options.steps / 5);
  }

  /** The value with repairs made. The copies that this takes are charged. */
  changed(value: unknown, repairs: readonly Repair[], location = ''): unknown {
    return applyRepairs(value, repairs, location, this.consume);
  }

  /** Other notations of a refused value. */
  *candidates(
    location: string,
    refusals: readonly [Refusal, ...Refusal[]],
  ): Generator<Repair & Pick<Candidate, 'isUnsure'>> {
    const [{ path, value }] = refusals;
    const { chosen, tool } = this.#options;
    const context = { path, hints: this.#hintsAt(path), tool, consume: this.consume, jsonTexts: this.#jsonTexts };
    const seen = new Set<unknown>();
    const size = sizeOf(value);
    for (const [index, { expectation }] of refusals.entries()) {
      if (!this.consume(1 + size)) return;
      // An envelope is read once, whatever it is refused for.
      for (const { kind, to, isUnsure } of candidatesFor(value, expectation, context, chosen, index === 0)) {
        if (seen.has(to)) continue;
        seen.add(to);
        yield { instanceLocation: location, kind, from: value, to, isUnsure };
      }
    }
  }

  /** The declared name that a member means which is refused, or that means a missing member. */
  renameFor({ value, expectation, path, node, violation }: Refusal): Repair | undefined {
    const { kind } = expectation;
    if ((kind !== 'missing' && kind !== 'unwanted' && kind !== 'name') || !isObject(value)) return undefined;
    // Under a pattern, any name may be right.
    const isPatterned = isObject(node.schema) && isObject(node.schema['patternProperties']);
    if (!this.#options.chosen.has('names') || isPatterned) return undefined;
    const hints = this.#hintsAt(path);
    const rename = this.#renamesIn(value, hints).get(expectation.property);
    if (!rename || hints.declares(rename.from)) return undefined;
    return { instanceLocation: `${violation.instanceLocation}/${pointerToken(rename.from)}`, kind: 'name', ...rename };
  }

  /** By the declared names as well as by those that came. */
  #renamesIn(value: JsonObject, hints: SchemaHints): ReadonlyMap<string, Rename> {
    const known = this.#renames.get(value);
    if (known) return known;
    this.consume(Object.keys(value).length);
    const found = [...misspelledNames(value, hints.properties, hints.names)].map(([from, to]) => ({ from, to }));
    const renames = new Map([
      ...found.map((each) => [each.to, each] as const),
      ...found.map((each) => [each.from, each] as const),
    ]);
    this.#renames.set(value, renames);
    return renames;
  }

  #hintsAt(path: readonly (string | number)[]): SchemaHints {
    const hints = this.#hints.within(path);
    const place = path.map((key) => (typeof key === 'number' ? 0 : key)).join('/');
    this.consume(path.length + (this.#read.has(place) ? 0 : hints.weight));
    this.#read.add(place);
    return hints;
  }
}

/** What looking at a value costs: a step for each member, or for 16 characters or items. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length >> 4;
  return isObject(value) ? Object.keys(value).length : 0;
}
