import { canonicalText, isObject, pointerToken } from '../json/index.js';
import { type CompiledSchema, type Refusal, Refusals, type SchemaNode } from '../schema/index.js';
import { applyRepairs, isWithin, placeAfter, withHolders } from './apply.js';
import { candidatesFor, costOf, type Site, wantsTypeOf } from './candidates/candidates.js';
import { misspelledNames } from './candidates/spelling.js';
import { hintsAt, typesOfValues, valuesOf } from './hints.js';
import type { Repair, RepairedTool, RepairOptions } from './options.js';

/** What repair is told beside the arguments. */
export interface MendOptions {
  readonly chosen: ReadonlySet<keyof RepairOptions>;
  readonly tool: RepairedTool | undefined;
  readonly assertFormats: boolean;
  /** What all attempts together may take. When it is spent, nothing is repaired. */
  readonly steps: number;
}

export interface Mended {
  readonly arguments: unknown;
  readonly repairs: readonly Repair[];
  /** Whether the schema accepts the arguments for certain. */
  readonly isValid: boolean;
  /** Scalars in the type that is wanted that were refused all the same, by location. */
  readonly refused: ReadonlyMap<string, unknown>;
}

/** Repairs that make one slip disappear. */
interface Fix {
  readonly repairs: readonly Repair[];
  readonly cost: number;
  /** Others cost as little and mean something else. */
  readonly isTied: boolean;
}

/** Something that is refused at one place: what one repair may mend. */
interface Slip {
  readonly location: string;
  readonly refusals: readonly [Refusal, ...Refusal[]];
  /** A change of the object's members, where that is what mends it. */
  readonly edit?: Repair;
}

/** What came of a list of refusals, all of which are to disappear. */
interface Outcome {
  readonly fix: Fix | undefined;
  /** Places of the first slips that nothing mends. */
  readonly stuck: readonly string[];
}

/** Values within values that were repaired: a text that holds an object with a text of a number. */
const maxChain = 4;

/** How often the whole is looked at again, because repairs brought up something else. */
const maxRounds = 8;

/** Slips without a repair that are remembered of one alternative. */
const maxStuck = 4;

/** Steps that finding out which repairs are needed may take. */
const needlessSteps = 400_000;

/**
 * Takes what a schema refuses, tries other notations at each place, those first that presume least, and keeps what
 * leaves less refused. Undefined where the steps are used up. The same arguments always come to the same.
 */
export function mend(compiled: CompiledSchema, args: unknown, options: MendOptions): Mended | undefined {
  const mending = new Mending(compiled, options);
  const mended = mending.mend(args);
  return mending.refusals.exhausted ? undefined : mended;
}

class Mending {
  readonly refusals: Refusals;
  readonly #options: MendOptions;
  readonly #root: SchemaNode;
  readonly #outcomes = new Map<readonly Refusal[], Outcome>();
  readonly #placed = new Map<readonly Refusal[], ReadonlyMap<string, readonly Refusal[]>>();
  readonly #refused = new Map<string, unknown>();

  constructor(compiled: CompiledSchema, options: MendOptions) {
    this.refusals = new Refusals(compiled, options);
    this.#root = this.refusals.root;
    this.#options = options;
  }

  mend(args: unknown): Mended {
    const first = this.refusals.of(args);
    const known = new Set(first.refusals.map(keyOf));
    const conditions = first.refusals.filter(isCondition);
    let units = this.#slips(first.refusals).map((slip) => this.#fixes(slip, 0, conditions));
    let later: Fix[] = [];
    let state: State = { value: args, isValid: first.isValid, repairs: [] };
    for (let round = 0; round < maxRounds && !this.refusals.exhausted; round++) {
      const taken = units.map(cheapest);
      const repairs = inOrder([...taken, ...later]);
      if (repairs.length === 0) return { arguments: args, repairs, isValid: first.isValid, refused: this.#refused };
      const value = applyRepairs(args, repairs);
      const { refusals, isValid } = this.refusals.of(value);
      const fresh = refusals.filter((refusal) => !isCondition(refusal) && !known.has(keyOf(refusal)));
      if (fresh.length === 0) {
        state = { value, isValid, repairs };
        break;
      }
      const blamed = taken.map((fix) => fix !== undefined && isToBlame(fix, fresh, repairs));
      if (!blamed.includes(true)) {
        const more = this.#solve(fresh, 1).fix;
        if (more && !more.isTied) {
          later.push(more);
          continue;
        }
        // What these repairs brought up cannot be mended.
        const places = fresh.map(({ violation }) => violation.instanceLocation);
        taken.forEach((fix, index) => {
          blamed[index] = fix?.repairs.some((each) => places.some((place) => isWithin(place, placeAfter(each)))) ?? false;
        });
        if (!blamed.includes(true)) blamed.fill(true);
      }
      later = [];
      units = units.map((fixes, index) => (blamed[index] ? withoutCheapest(fixes) : fixes));
    }
    const { repairs, value, isValid } = state.isValid ? this.#withoutNeedless(args, state) : state;
    return { arguments: value, repairs, isValid, refused: this.#refused };
  }

  /** What is refused, by what may mend it: a value in its place, members of an object each for itself. */
  #slips(refusals: readonly Refusal[]): Slip[] {
    const slips = new Map<string, { location: string; refusals: [Refusal, ...Refusal[]]; edit?: Repair }>();
    for (const refusal of refusals) {
      if (isCondition(refusal)) continue;
      const location = refusal.violation.instanceLocation;
      const edit = this.#edit(refusal);
      const isOwn = isObject(refusal.value) && refusal.branches.length > 0;
      const key = edit ? `${edit.kind} ${edit.instanceLocation}` : isOwn ? `${slips.size} ` : location;
      const slip = slips.get(key);
      if (slip) slip.refusals.push(refusal);
      else slips.set(key, { location, refusals: [refusal], ...(edit && { edit }) });
    }
    return [...slips.values()];
  }

  /** The change of an object's members that a refusal of one of them asks for. */
  #edit({ value, expectation, path, node, violation }: Refusal): Repair | undefined {
    const { kind } = expectation;
    if ((kind !== 'missing' && kind !== 'unwanted' && kind !== 'name') || !isObject(value)) return undefined;
    const { property } = expectation;
    const { chosen } = this.#options;
    const at = (name: string) => `${violation.instanceLocation}/${pointerToken(name)}`;
    // Under a pattern, any name may be right.
    if (chosen.has('names') && !(isObject(node.schema) && isObject(node.schema['patternProperties']))) {
      const { properties, names } = hintsAt(this.#root, path);
      this.refusals.spend(Object.keys(value).length);
      for (const [given, meant] of misspelledNames(value, properties, names)) {
        if (property !== given && property !== meant) continue;
        if (hintsAt(this.#root, path).declares(given)) continue;
        return { instanceLocation: at(given), kind: 'name', from: given, to: meant };
      }
    }
    if (kind !== 'missing' || !chosen.has('consts') || !isObject(expectation.schema)) return undefined;
    const [only, ...others] = valuesOf(expectation.schema) ?? [];
    if (only === undefined || only === null || others.length > 0) return undefined;
    return { instanceLocation: at(property), kind: 'const', from: undefined, to: only };
  }

  /** Everything that mends a slip, what presumes least first. */
  #fixes(slip: Slip, chain: number, conditions: readonly Refusal[]): readonly Fix[] {
    const found: Fix[] = [];
    for (const repairs of this.#candidates(slip)) {
      const fix = this.#follow(slip, repairs, chain);
      if (fix) found.push(fix);
      else this.#remember(repairs);
    }
    for (const refusal of slip.refusals) {
      if (refusal.expectation.kind === 'alternatives') found.push(...this.#byBranch(slip, refusal, chain));
      else if (refusal.expectation.kind === 'contains') found.push(...this.#byItems(slip, refusal, chain));
    }
    // Beside `if`, what `else` asks for is wanted only as long as the condition does not hold.
    const isOpen = ({ repairs }: Fix) =>
      repairs.some((each) => conditions.some(({ branches: [condition = []] }) => this.#allows(condition, each)));
    const fixes = found.filter((fix) => conditions.length === 0 || !isOpen(fix));
    fixes.sort((left, right) => left.cost - right.cost);
    return this.#withTies(slip, fixes);
  }

  *#candidates(slip: Slip): Generator<readonly Repair[]> {
    const { edit, location, refusals } = slip;
    const [{ path, value }] = refusals;
    if (edit) return yield [edit];
    const { chosen, tool } = this.#options;
    const hints = hintsAt(this.#root, path);
    const site: Site = { path, hints, tool };
    const seen = new Set<unknown>();
    for (const { expectation } of refusals) {
      if (!this.refusals.spend(1 + sizeOf(value))) return;
      for (const { kind, to } of candidatesFor(value, expectation, site, chosen)) {
        if (seen.has(to)) continue;
        seen.add(to);
        yield [{ instanceLocation: location, kind, from: value, to }];
      }
    }
  }

  /** What a slip takes in all where some repairs are made: they may bring up others, within what they made. */
  #follow(slip: Slip, first: readonly Repair[], chain: number): Fix | undefined {
    const { location, refusals } = slip;
    const [{ value }] = refusals;
    let fix: Fix = { repairs: first, cost: first.reduce((sum, { kind, to }) => sum + costOf(kind, to), 0), isTied: false };
    const isWhole = first.some(({ instanceLocation, kind }) => instanceLocation === location && kind !== 'name');
    const nodes = new Map(refusals.map((refusal) => [refusal.node, refusal]));
    const own = new Set(refusals.map(keyOf));
    for (let round = 0; round < maxChain; round++) {
      const changed = applyRepairs(value, fix.repairs, location);
      // Whether it may be left out, only the whole can tell.
      if (changed === undefined) return fix;
      const fresh: Refusal[] = [];
      for (const refusal of nodes.values()) {
        const found = refusal.again(changed);
        if (!found) return undefined;
        if (found.length === 0) continue;
        const before = isWhole ? nothing : new Set(refusal.again(value)?.map(keyOf));
        fresh.push(...found.filter((each) => own.has(keyOf(each)) || !before.has(keyOf(each))));
      }
      if (fresh.length === 0) return fix;
      const more = chain < maxChain ? this.#solve(fresh, chain + 1).fix : undefined;
      if (!more) return undefined;
      fix = joined([fix, more]);
    }
    return undefined;
  }

  /** All of these refusals are to disappear. */
  #solve(refusals: readonly Refusal[], chain: number): Outcome {
    const known = this.#outcomes.get(refusals);
    if (known) return known;
    const conditions = refusals.filter(isCondition);
    const fixes: Fix[] = [];
    const stuck: string[] = [];
    for (const slip of this.#slips(refusals)) {
      const fix = this.refusals.exhausted ? undefined : this.#fixes(slip, chain, conditions)[0];
      if (fix) fixes.push(fix);
      else if (stuck.push(slip.location) === maxStuck) break;
    }
    const isSolved = stuck.length === 0 && fixes.length > 0;
    const outcome = { fix: isSolved ? joined(fixes) : undefined, stuck };
    this.#outcomes.set(refusals, outcome);
    return outcome;
  }

  /** What mends one of several alternatives. None is led into while another is of the value's own type. */
  #byBranch(slip: Slip, { branches }: Refusal, chain: number): Fix[] {
    // What is not known of an alternative may be that it was meant.
    if (branches.some((branch) => branch.length === 0)) return [];
    return branches.flatMap((branch, index) => {
      const { fix } = this.#solve(branch, chain);
      if (!fix) return [];
      const others = branches.filter((_, other) => other !== index);
      if (fix.repairs.some((each, at) => isFirstThere(fix.repairs, at) && this.#isBarred(each, others))) return [];
      const followed = this.#follow(slip, fix.repairs, chain);
      if (!followed) return [];
      const isGuess = fix.repairs.some((each) => others.some((other) => this.#mayBeMore(each, other)));
      return [{ ...followed, isTied: followed.isTied || fix.isTied || isGuess }];
    });
  }

  /** A list that lacks an item: mended where just as many can be as it lacks. */
  #byItems(slip: Slip, { branches }: Refusal, chain: number): Fix[] {
    const items = branches.map((branch) => this.#solve(branch, chain).fix).filter((fix) => fix !== undefined);
    const all = branches.length < maxItems && items.length > 0 ? this.#follow(slip, joined(items).repairs, chain) : undefined;
    if (!all) return [];
    const isOneTooMany = items.some((each) => {
      const others = items.filter((other) => other !== each);
      return others.length > 0 && this.#follow(slip, joined(others).repairs, chain) !== undefined;
    });
    return [{ ...all, isTied: all.isTied || isOneTooMany || items.some(({ isTied }) => isTied) }];
  }

  /** Whether one of these alternatives takes values of the type that a repaired one came in. */
  #isBarred(repair: Repair, others: readonly (readonly Refusal[])[]): boolean {
    const { kind, instanceLocation } = repair;
    if (kind === 'name' || kind === 'const' || kind === 'wrapper') return false;
    const isListed = (refusals: readonly Refusal[]) =>
      this.#at(refusals).get(instanceLocation)?.some(({ expectation }) => expectation.kind === 'values') === true;
    return others.some((other) => this.#allows(other, repair) && !(kind === 'enum' && isListed(other)));
  }

  /** Whether these refusals leave room for another value of the type in which a repaired one came. */
  #allows(refusals: readonly Refusal[], { instanceLocation, from }: Repair): boolean {
    const at = this.#at(refusals);
    for (const place of withHolders(instanceLocation)) {
      for (const refusal of at.get(place) ?? []) {
        if (excludes(refusal, place === instanceLocation ? from : refusal.value)) return false;
        const { expectation, branches } = refusal;
        if (expectation.kind !== 'alternatives' || branches.length === 0) continue;
        if (branches.every((branch) => !this.#allows(branch, { instanceLocation, from } as Repair))) return false;
      }
    }
    // What is wrong elsewhere, and cannot be mended, rules it out.
    return !this.#solve(refusals, 0).stuck.some((place) => !isWithin(place, instanceLocation));
  }

  /** Whether a number that is read as text may as well be meant for a list or an object. */
  #mayBeMore({ kind, instanceLocation }: Repair, refusals: readonly Refusal[]): boolean {
    if (kind !== 'string' && kind !== 'decimal') return false;
    const wanted = this.#at(refusals).get(instanceLocation) ?? [];
    return wanted.some(
      ({ expectation }) =>
        expectation.kind === 'types' && expectation.types.some((type) => type === 'array' || type === 'object'),
    );
  }

  #at(refusals: readonly Refusal[]): ReadonlyMap<string, readonly Refusal[]> {
    const known = this.#placed.get(refusals);
    if (known) return known;
    const at = new Map<string, Refusal[]>();
    for (const refusal of refusals) {
      const { instanceLocation } = refusal.violation;
      const there = at.get(instanceLocation);
      if (there) there.push(refusal);
      else at.set(instanceLocation, [refusal]);
    }
    this.#placed.set(refusals, at);
    return at;
  }

  /** The reason behind a refused type is kept: `"-1"` is no integer of at least 0. */
  #remember([repair]: readonly Repair[]): void {
    if (!repair) return;
    const { kind, instanceLocation, from, to } = repair;
    if (kind !== 'name' && kind !== 'const' && isScalar(from) && isScalar(to)) this.#refused.set(instanceLocation, to);
  }

  /** Of several that cost as little, the first counts for all that come to the same. */
  #withTies({ location, refusals }: Slip, fixes: readonly Fix[]): readonly Fix[] {
    if (fixes.length < 2) return fixes;
    const textOf = ({ repairs }: Fix) => {
      const value = applyRepairs(refusals[0].value, repairs, location);
      return value === undefined ? '' : canonicalText(value, (steps) => this.refusals.spend(steps));
    };
    return fixes.map((fix, index) => {
      const isSame = (other: Fix, at: number) =>
        at === index || other.cost !== fix.cost || (!other.isTied && textOf(other) === textOf(fix));
      return fixes.every(isSame) ? fix : { ...fix, isTied: true };
    });
  }

  /**
   * Takes back every repair that valid arguments do not need: several made at once can satisfy a schema of which each
   * asks for less. Where either of two would do, it cannot be told which is meant. Of very many this is not looked into.
   */
  #withoutNeedless(args: unknown, state: State): State {
    const { repairs } = state;
    if (repairs.length < 2) return state;
    const attempt = (attempted: readonly Repair[]): State => {
      const value = applyRepairs(args, attempted);
      return { value, repairs: attempted, isValid: this.refusals.of(value).isValid };
    };
    const before = this.refusals.spent;
    attempt(repairs);
    if ((this.refusals.spent - before) * repairs.length > needlessSteps) return state;
    const needless = repairs.filter((repair) => attempt(without(repairs, [repair])).isValid);
    if (needless.length === 0) return state;
    const needed = attempt(without(repairs, needless));
    return needed.isValid ? this.#withoutNeedless(args, needed) : { value: args, repairs: [], isValid: false };
  }
}

interface State {
  readonly value: unknown;
  readonly repairs: readonly Repair[];
  readonly isValid: boolean;
}

const nothing: ReadonlySet<string> = new Set();

/** As many refused items as a list that lacks one tells of. */
const maxItems = 5;

function isCondition({ expectation }: Refusal): boolean {
  return expectation.kind === 'condition';
}

/** What makes a refusal the same one before and after a repair. */
function keyOf({ violation }: Refusal): string {
  const { instanceLocation, schemaLocation, keyword, property = '' } = violation;
  return `${instanceLocation}\n${schemaLocation}\n${keyword}\n${property}`;
}

/** The one fix that presumes least. */
function cheapest([first]: readonly Fix[]): Fix | undefined {
  return first?.isTied ? undefined : first;
}

function withoutCheapest(fixes: readonly Fix[]): readonly Fix[] {
  return cheapest(fixes) ? fixes.slice(1) : fixes;
}

/** All of them together; what two of them ask for is made once. */
function joined(fixes: readonly Fix[]): Fix {
  const [first] = fixes;
  if (first && fixes.length === 1) return first;
  const made = new Map<string, Repair>();
  for (const { repairs } of fixes) for (const repair of repairs) made.set(repairKey(repair), made.get(repairKey(repair)) ?? repair);
  const repairs = [...made.values()];
  const cost = repairs.reduce((sum, { kind, to }) => sum + costOf(kind, to), 0);
  return { repairs, cost, isTied: fixes.some(({ isTied }) => isTied) };
}

function repairKey({ instanceLocation, kind, to }: Repair): string {
  return `${kind} ${isScalar(to) ? JSON.stringify(to) : ''} ${instanceLocation}`;
}

/** The repairs in the order in which they can be made: names change last, so that places within are found. */
function inOrder(fixes: readonly (Fix | undefined)[]): Repair[] {
  const isName = (fix: Fix | undefined) => fix?.repairs[0]?.kind === 'name';
  const owner = new Map<string, Repair>();
  const taken: Fix[] = [];
  for (const fix of [...fixes.filter((each) => !isName(each)), ...fixes.filter(isName)]) {
    if (!fix) continue;
    // Of two that want something else of one place, the first is tried.
    const isFree = fix.repairs.every((each) => {
      const other = owner.get(each.instanceLocation);
      return !other || repairKey(other) === repairKey(each);
    });
    if (!isFree) continue;
    for (const each of fix.repairs) owner.set(each.instanceLocation, owner.get(each.instanceLocation) ?? each);
    taken.push(fix);
  }
  return taken.length === 0 ? [] : [...joined(taken).repairs];
}

/** Whether something new is refused that a fix may have brought up: at its places, or in what holds them. */
function isToBlame({ repairs }: Fix, fresh: readonly Refusal[], all: readonly Repair[]): boolean {
  const places = new Set(fresh.map((refusal) => blamedPlace(refusal, all)));
  return repairs.some((repair) =>
    [repair.instanceLocation, placeAfter(repair)].some((place) => withHolders(place).some((each) => places.has(each))),
  );
}

/** The member that is missing or unwanted, where that was repaired, or else what is refused. */
function blamedPlace({ violation }: Refusal, all: readonly Repair[]): string {
  const { instanceLocation, property } = violation;
  if (property === undefined) return instanceLocation;
  const member = `${instanceLocation}/${pointerToken(property)}`;
  return all.some((each) => each.instanceLocation === member || placeAfter(each) === member) ? member : instanceLocation;
}

/** Whether a repair is of a value that came, not of one that a repair made. */
function isFirstThere(repairs: readonly Repair[], index: number): boolean {
  const place = repairs[index]?.instanceLocation ?? '';
  return !repairs.slice(0, index).some((each) => isWithin(place, placeAfter(each)));
}

/** Whether a keyword refuses every value of a type. */
function excludes({ expectation }: Refusal, value: unknown): boolean {
  if (expectation.kind === 'types') return !wantsTypeOf(value, expectation.types);
  if (expectation.kind === 'values') return !wantsTypeOf(value, typesOfValues(expectation.values));
  return expectation.kind === 'nothing';
}

/** The others, without what was repaired within the results of these, or made of them. */
function without(repairs: readonly Repair[], dropped: readonly Repair[]): Repair[] {
  return repairs.filter(
    (repair, index) =>
      !dropped.some((each) => each === repair || (index > repairs.indexOf(each) && isMadeOf(repair, each))),
  );
}

function isMadeOf(repair: Repair, former: Repair): boolean {
  const { instanceLocation, kind } = repair;
  const place = placeAfter(former);
  return isWithin(instanceLocation, place) || (kind !== 'name' && isWithin(place, instanceLocation));
}

function isScalar(value: unknown): boolean {
  return value !== undefined && value !== null && typeof value !== 'object';
}

/** What looking at a value costs: a step for each member, or for 64 characters. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length >> 6;
  return isObject(value) ? Object.keys(value).length : 0;
}
