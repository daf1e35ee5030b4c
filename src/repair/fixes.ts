import { canonicalText, grouped, isObject, type JsonObject, type JsonType, pointerToken } from '../json/index.js';
import { type CompiledSchema, type Refusal, Refusals, typesOfValues } from '../schema/index.js';
import { applyRepairs, isWithin, withHolders } from './apply.js';
import { candidatesFor, type Context, isBit } from './candidates/candidates.js';
import { misspelledNames } from './candidates/spelling.js';
import type { Fix } from './fix.js';
import { excludes, fixOf, isOpen, isUnion, joined, keyOf, mayBeMetWithin, repairKey } from './fix.js';
import { hintsOfSchema, type SchemaHints } from './hints.js';
import type { Repair, RepairedTool, RepairOptions } from './options.js';

export interface MendOptions {
  readonly chosen: ReadonlySet<keyof RepairOptions>;
  readonly tool: RepairedTool | undefined;
  readonly assertFormats: boolean;
  /** For all attempts together. When they are used up, nothing is repaired. */
  readonly steps: number;
}

export interface Malformed {
  readonly location: string;
  readonly refusals: readonly [Refusal, ...Refusal[]];
  readonly edits: readonly Repair[];
}

export interface Outcome {
  readonly fix: Fix | undefined;
  readonly fixes: readonly Fix[];
  readonly stuck: readonly Malformed[];
}

/** The declared names that an object's names mean, and the other way round. */
interface Names {
  readonly meant: ReadonlyMap<string, string>;
  readonly given: ReadonlyMap<string, string>;
}

/** Values within values that were repaired: a text that holds an object with a text of a number. */
export const maxChain = 4;

const maxStuck = 4;

/** Finds what mends each malformed argument: other notations in its place, the cheapest first. */
export class Fixes {
  readonly refusals: Refusals;
  readonly #options: MendOptions;
  readonly #hints: SchemaHints;
  readonly #consume = (steps: number) => this.refusals.consume(steps);
  readonly #outcomes = new Map<readonly Refusal[], Outcome>();
  readonly #placed = new Map<readonly Refusal[], ReadonlyMap<string, readonly Refusal[]>>();
  readonly #read = new Set<string>();
  readonly #names = new Map<object, Names>();

  constructor(compiled: CompiledSchema, options: MendOptions) {
    this.refusals = new Refusals(compiled, options);
    this.#hints = hintsOfSchema(this.refusals.root);
    this.#options = options;
  }

  /** What is refused, by what may mend it: a value in its place, members of an object each for itself. */
  malformed(refusals: readonly Refusal[]): Malformed[] {
    const found = new Map<
      string,
      { location: string; refusals: [Refusal, ...Refusal[]]; edits: Map<string, Repair> }
    >();
    const open = new Set(refusals.filter(isOpen).map(({ violation }) => violation.instanceLocation));
    for (const refusal of refusals) {
      const location = refusal.violation.instanceLocation;
      if (!this.refusals.consume(1)) break;
      if (open.size > 0 && withHolders(location).some((place) => open.has(place))) continue;
      const edit = this.#edit(refusal);
      const isOwn = isObject(refusal.value) && refusal.branches.length > 0;
      const key = edit ? `members ${location}` : isOwn ? `${found.size} ` : location;
      const edits = found.get(key)?.edits ?? new Map<string, Repair>();
      if (edit && !edits.has(repairKey(edit))) edits.set(repairKey(edit), edit);
      const malformed = found.get(key);
      if (malformed) malformed.refusals.push(refusal);
      else found.set(key, { location, refusals: [refusal], edits });
    }
    return [...found.values()].map((each) => ({ ...each, edits: [...each.edits.values()] }));
  }

  #edit({ value, expectation, path, node, violation }: Refusal): Repair | undefined {
    const { kind } = expectation;
    if ((kind !== 'missing' && kind !== 'unwanted' && kind !== 'name') || !isObject(value)) return undefined;
    const { property } = expectation;
    // Under a pattern, any name may be right.
    const isPatterned = isObject(node.schema) && isObject(node.schema['patternProperties']);
    if (!this.#options.chosen.has('names') || isPatterned) return undefined;
    const hints = this.#hintsAt(path);
    const { meant, given } = this.#namesOf(value, hints);
    const name = meant.has(property) ? property : given.get(property);
    if (name === undefined || hints.declares(name)) return undefined;
    const instanceLocation = `${violation.instanceLocation}/${pointerToken(name)}`;
    return { instanceLocation, kind: 'name', from: name, to: meant.get(name) };
  }

  #hintsAt(path: readonly (string | number)[]): SchemaHints {
    const hints = this.#hints.within(path);
    const place = path.map((key) => (typeof key === 'number' ? 0 : key)).join('/');
    this.refusals.consume(path.length + (this.#read.has(place) ? 0 : hints.weight));
    this.#read.add(place);
    return hints;
  }

  #namesOf(value: JsonObject, hints: SchemaHints): Names {
    const known = this.#names.get(value);
    if (known) return known;
    this.refusals.consume(Object.keys(value).length);
    const meant = misspelledNames(value, hints.properties, hints.names);
    const names = { meant, given: new Map([...meant].map(([name, to]) => [to, name])) };
    this.#names.set(value, names);
    return names;
  }

  fixes(malformed: Malformed, chain: number): readonly Fix[] {
    if (this.refusals.exhausted) return [];
    const found: Fix[] = [];
    const edited = malformed.edits.length > 0 ? this.#follow(malformed, malformed.edits, chain) : undefined;
    if (edited) found.push(edited);
    for (const { repair, isUnsure } of malformed.edits.length > 0 ? [] : this.candidates(malformed)) {
      const fix = this.#follow(malformed, [repair], chain);
      if (fix) found.push(isUnsure ? { ...fix, isTied: true } : fix);
    }
    for (const refusal of malformed.refusals) {
      if (refusal.expectation.kind === 'alternatives') found.push(...this.#byBranch(malformed, refusal, chain));
    }
    found.sort((left, right) => left.cost - right.cost);
    return this.#withTies(malformed, found);
  }

  *candidates({ location, refusals }: Malformed): Generator<{ repair: Repair; isUnsure: boolean }> {
    const [{ path, value }] = refusals;
    const { chosen, tool } = this.#options;
    const hints = this.#hintsAt(path);
    const context: Context = { path, hints, tool, consume: this.#consume };
    const seen = new Set<unknown>();
    const size = sizeOf(value);
    for (const [index, { expectation }] of refusals.entries()) {
      if (!this.refusals.consume(1 + size)) return;
      // Whatever it is refused for, an envelope holds the same, and to read it takes time.
      for (const { kind, to, isUnsure } of candidatesFor(value, expectation, context, chosen, index === 0)) {
        if (seen.has(to)) continue;
        seen.add(to);
        yield { repair: { instanceLocation: location, kind, from: value, to }, isUnsure };
      }
    }
  }

  /** All repairs that a malformed argument takes where some are made: they may bring up others, within what they made. */
  #follow(malformed: Malformed, first: readonly Repair[], chain: number): Fix | undefined {
    const { location, refusals } = malformed;
    const [{ value }] = refusals;
    let fix = fixOf(first);
    // Only the evaluation of the whole shows whether it may be left out.
    if (first.some(({ instanceLocation, to }) => instanceLocation === location && to === undefined)) return fix;
    const isWhole = first.some(({ instanceLocation, kind }) => instanceLocation === location && kind !== 'name');
    const nodes = new Map(refusals.map((refusal) => [refusal.node, refusal]));
    const own = new Set(refusals.map(keyOf));
    for (let round = 0; round < maxChain; round++) {
      const changed = this.changed(value, fix.repairs, location);
      if (changed === undefined) return fix;
      const fresh: Refusal[] = [];
      for (const refusal of nodes.values()) {
        const found = refusal.again(changed);
        if (!found) return undefined;
        if (found.length === 0) continue;
        const before = new Set(isWhole ? [] : refusal.again(value)?.map(keyOf));
        fresh.push(...found.filter((each) => own.has(keyOf(each)) || !before.has(keyOf(each))));
      }
      if (fresh.length === 0) return fix;
      if (fresh.some(isOpen)) return { ...fix, isTied: true };
      const more = chain < maxChain ? this.solve(fresh, chain + 1).fix : undefined;
      // A number that was taken out of a list stays one.
      const isText = ({ kind, instanceLocation }: Repair) =>
        (kind === 'string' || kind === 'decimal') && instanceLocation === location;
      if (!more || more.repairs.some(isText)) return undefined;
      fix = fixOf([...fix.repairs, ...more.repairs], fix.isTied || more.isTied);
    }
    return undefined;
  }

  /** The value with repairs made. The copies that this takes are charged. */
  changed(value: unknown, repairs: readonly Repair[], location = ''): unknown {
    return applyRepairs(value, repairs, location, this.#consume);
  }

  solve(refusals: readonly Refusal[], chain: number): Outcome {
    const known = this.#outcomes.get(refusals);
    if (known) return known;
    const found: (readonly [Fix, ...Fix[]])[] = [];
    const stuck: Malformed[] = [];
    for (const malformed of this.malformed(refusals)) {
      const [fix, ...others] = this.fixes(malformed, chain);
      if (fix) found.push([fix, ...others]);
      else if (stuck.push(malformed) === maxStuck) break;
    }
    const [only, ...rest] = stuck.length === 0 ? found : [];
    const least = only?.filter(({ cost }) => cost === only[0].cost) ?? [];
    const fixes = rest.length > 0 ? [joined(found.map(([first]) => first))] : least;
    const outcome = { fix: fixes[0], fixes, stuck };
    this.#outcomes.set(refusals, outcome);
    return outcome;
  }

  /** What mends one of several alternatives. None is led into while another is of the value's own type. */
  #byBranch(malformed: Malformed, refusal: Refusal, chain: number): Fix[] {
    const { branches } = refusal;
    // What is not known of an alternative may be that it was meant.
    if (isOpen(refusal) || branches.some((branch) => branch.length === 0)) return [];
    const options = branches.flatMap((branch, index) => this.solve(branch, chain).fixes.map((fix) => ({ fix, index })));
    return options.flatMap(({ fix, index }) => {
      if (!this.refusals.consume(8 * branches.length)) return [];
      const others = branches.filter((_, other) => other !== index);
      if (fix.repairs.some((each) => this.#isBarred(each, others))) return [];
      // What still is refused then, was not all that this alternative asks for.
      const followed = this.#follow(malformed, fix.repairs, maxChain);
      if (!followed) return [];
      const isGuess = fix.repairs.some((each) => others.some((other) => this.#mayBeMore(each, other)));
      return [{ ...followed, isTied: followed.isTied || fix.isTied || isGuess }];
    });
  }

  #isBarred(repair: Repair, others: readonly (readonly Refusal[])[]): boolean {
    const { kind, instanceLocation } = repair;
    if (kind === 'name' || kind === 'wrapper') return false;
    const isListed = (refusals: readonly Refusal[]) =>
      (this.#at(refusals).get(instanceLocation) ?? []).some(({ expectation }) => expectation.kind === 'values');
    return others.some((other) => this.#allows(other, repair) && !(kind === 'enum' && isListed(other)));
  }

  /** Whether these refusals are of another value, or a part of it, of the type in which a repaired one came. */
  #allows(refusals: readonly Refusal[], repair: Pick<Repair, 'instanceLocation' | 'from'>): boolean {
    const { instanceLocation, from } = repair;
    if (refusals.some(isOpen)) return true;
    const at = this.#at(refusals);
    let isRefused = typeof from === 'object' && [...at.keys()].some((place) => isWithin(place, instanceLocation));
    for (const place of withHolders(instanceLocation)) {
      for (const refusal of at.get(place) ?? []) {
        if (excludes(refusal, place === instanceLocation ? from : refusal.value)) return false;
        if (isUnion(refusal) && refusal.branches.every((branch) => !this.#allows(branch, repair))) return false;
        isRefused ||= mayBeMetWithin(refusal) || place === instanceLocation;
      }
    }
    // What is wrong elsewhere, and cannot be mended, rules it out; what is wrong around it may be so because of it.
    const isElsewhere = ({ location, refusals: [first] }: Malformed) =>
      !isWithin(location, instanceLocation) && !(mayBeMetWithin(first) && isWithin(instanceLocation, location));
    return isRefused && !this.solve(refusals, 0).stuck.some(isElsewhere);
  }

  /** Whether a value may as well be meant for another of the types that the alternative takes in its place. */
  #mayBeMore(repair: Repair, refusals: readonly Refusal[]): boolean {
    const { instanceLocation } = repair;
    const others = otherTypesOf(repair);
    if (others.length === 0) return false;
    const wantsOther = (types: readonly JsonType[]) => types.some((type) => others.includes(type));
    const wants = ({ expectation, branches }: Refusal): boolean => {
      if (expectation.kind === 'types') return wantsOther(expectation.types);
      if (expectation.kind === 'values') return wantsOther(typesOfValues(expectation.values));
      return branches.some((branch) => this.#at(branch).get(instanceLocation)?.some(wants));
    };
    return this.#at(refusals).get(instanceLocation)?.some(wants) ?? false;
  }

  #at(refusals: readonly Refusal[]): ReadonlyMap<string, readonly Refusal[]> {
    const known = this.#placed.get(refusals);
    if (known) return known;
    const at = grouped(refusals, ({ violation }) => violation.instanceLocation);
    this.#placed.set(refusals, at);
    return at;
  }

  #withTies({ location, refusals }: Malformed, fixes: readonly Fix[]): readonly Fix[] {
    if (fixes.length < 2) return fixes;
    const textOf = ({ repairs }: Fix) => {
      const value = this.changed(refusals[0].value, repairs, location);
      return value === undefined ? '' : canonicalText(value, (steps) => this.refusals.consume(steps));
    };
    return fixes.map((fix, index) => {
      const isSame = (other: Fix, at: number) =>
        at === index || other.cost !== fix.cost || (!other.isTied && textOf(other) === textOf(fix));
      return fixes.every(isSame) ? fix : { ...fix, isTied: true };
    });
  }
}

/** The types that the value of a repair may be meant for as well: 0 and 1 may be a boolean, and any text a list. */
function otherTypesOf({ kind, from }: Repair): readonly JsonType[] {
  if (kind === 'boolean' && isBit(from)) return ['string', 'array', 'object'];
  const bit: readonly JsonType[] = isBit(from) ? ['boolean'] : [];
  if (kind === 'string' || kind === 'decimal') return ['array', 'object', ...bit];
  return kind === 'singleton' && typeof from !== 'string' ? ['string', ...bit] : [];
}

/** What looking at a value costs: a step for each member, or for 64 characters. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length >> 4;
  return isObject(value) ? Object.keys(value).length : 0;
}
