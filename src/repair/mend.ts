import { canonicalText, isObject, type JsonType, pointerToken, valueAt } from '../json/index.js';
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

/** The arguments with some repairs made. */
interface State {
  readonly value: unknown;
  readonly repairs: readonly Repair[];
  /** Whether the schema accepts them for certain. */
  readonly isValid: boolean;
}

export interface Mended extends State {
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

function fixOf(repairs: readonly Repair[], isTied = false): Fix {
  return { repairs, cost: repairs.reduce((sum, { kind, to }) => sum + costOf(kind, to), 0), isTied };
}

/** Something that is refused at one place: what one repair may mend. */
interface Slip {
  readonly location: string;
  readonly refusals: readonly [Refusal, ...Refusal[]];
  /** Changes of the object's members, where these are what mends it. */
  readonly edits: readonly Repair[];
}

/** What came of a list of refusals, all of which are to disappear. */
interface Outcome {
  /** The one that presumes least, and of one slip those that presume as little. */
  readonly fix: Fix | undefined;
  readonly fixes: readonly Fix[];
  /** The first slips that nothing mends. */
  readonly stuck: readonly Slip[];
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
  #given: unknown;
  /** What was refused of the arguments as they were given. */
  #first: readonly Refusal[] = [];
  readonly #names = new Map<object, ReadonlyMap<string, string>>();

  constructor(compiled: CompiledSchema, options: MendOptions) {
    this.refusals = new Refusals(compiled, options);
    this.#root = this.refusals.root;
    this.#options = options;
  }

  /** What was repaired may bring up what can be repaired then: a name whose place was taken by what is left out. */
  mend(args: unknown): Mended {
    this.#given = args;
    let state: State = { value: args, repairs: [], isValid: false };
    for (let round = 0; round < maxChain; round++) {
      const next = this.#once(state.value);
      if (next.repairs.length === 0) break;
      state = { ...next, repairs: [...state.repairs, ...next.repairs] };
      if (state.isValid) break;
    }
    if (state.isValid) state = this.#withoutNeedless(args, state);
    if (state.isValid && this.#isOneOfSeveral(args, state)) state = { value: args, repairs: [], isValid: false };
    return { ...state, refused: this.#refused };
  }

  #once(args: unknown): State {
    const first = this.refusals.of(args);
    if (args === this.#given) this.#first = first.refusals;
    const known = new Set(first.refusals.map(keyOf));
    let units = this.#slips(first.refusals).map((slip) => this.#fixes(slip, 0));
    let later: Fix[] = [];
    for (let round = 0; round < maxRounds && !this.refusals.exhausted; round++) {
      const taken = units.map(cheapest);
      const { repairs } = joined([...taken.filter((fix) => fix !== undefined), ...later]);
      if (repairs.length === 0) break;
      const value = applyRepairs(args, repairs);
      const { refusals, isValid } = this.refusals.of(value);
      const fresh = refusals.filter((refusal) => !known.has(keyOf(refusal)));
      if (fresh.length === 0) return { value, isValid, repairs };
      const members = memberPlaces(fresh, repairs);
      let blamed = taken.map((fix) => isAt(fix, members));
      if (!blamed.includes(true)) {
        const more = this.#solve(fresh, 1).fix;
        if (more && !more.isTied) {
          later.push(more);
          continue;
        }
        // What these repairs brought up cannot be mended.
        const places = new Set(fresh.map(({ violation }) => violation.instanceLocation));
        blamed = taken.map((fix) => isAt(fix, places, true));
        if (!blamed.includes(true)) blamed.fill(true);
      }
      later = [];
      units = units.map((fixes, index) => (blamed[index] ? withoutCheapest(fixes) : fixes));
    }
    return { value: args, repairs: [], isValid: first.isValid };
  }

  /** What is refused, by what may mend it: a value in its place, members of an object each for itself. */
  #slips(refusals: readonly Refusal[]): Slip[] {
    const slips = new Map<string, { location: string; refusals: [Refusal, ...Refusal[]]; edits: Repair[] }>();
    const open = refusals.filter(isOpen).map(({ violation }) => violation.instanceLocation);
    for (const refusal of refusals) {
      const location = refusal.violation.instanceLocation;
      if (open.some((place) => isWithin(location, place))) continue;
      const edit = this.#edit(refusal);
      const isOwn = isObject(refusal.value) && refusal.branches.length > 0;
      const key = edit ? `members ${location}` : isOwn ? `${slips.size} ` : location;
      const slip = slips.get(key);
      if (slip) slip.refusals.push(refusal);
      else slips.set(key, { location, refusals: [refusal], edits: [] });
      // Two of the refusals may ask for one name.
      if (edit && !slip?.edits.some((each) => repairKey(each) === repairKey(edit))) slips.get(key)?.edits.push(edit);
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
      const meantBy = this.#names.get(value) ?? misspelledNames(value, properties, names);
      if (!this.#names.has(value)) this.refusals.consume(Object.keys(value).length);
      this.#names.set(value, meantBy);
      const given = meantBy.has(property) ? property : [...meantBy].find(([, meant]) => meant === property)?.[0];
      if (given !== undefined && !hintsAt(this.#root, path).declares(given)) {
        return { instanceLocation: at(given), kind: 'name', from: given, to: meantBy.get(given) };
      }
    }
    if (kind !== 'missing' || !chosen.has('consts') || !isObject(expectation.schema)) return undefined;
    const [only, ...others] = valuesOf(expectation.schema) ?? [];
    if (only === undefined || only === null || others.length > 0) return undefined;
    // What came there, and was left out, is not what it may have to be.
    if (valueAt(this.#given, at(property)) !== undefined) return undefined;
    return { instanceLocation: at(property), kind: 'const', from: undefined, to: only };
  }

  /** Everything that mends a slip, what presumes least first. */
  #fixes(slip: Slip, chain: number): readonly Fix[] {
    if (this.refusals.exhausted) return [];
    const found: Fix[] = [];
    const edited = slip.edits.length > 0 ? this.#follow(slip, slip.edits, chain) : undefined;
    if (edited) found.push(edited);
    for (const { repair, isUnsure } of slip.edits.length > 0 ? [] : this.#candidates(slip)) {
      const fix = this.#follow(slip, [repair], chain);
      if (fix) found.push(isUnsure ? { ...fix, isTied: true } : fix);
      // The reason behind a refused type is kept: `"-1"` is no integer of at least 0.
      else if (isScalar(repair.from) && isScalar(repair.to)) this.#refused.set(repair.instanceLocation, repair.to);
    }
    for (const refusal of slip.refusals) {
      if (refusal.expectation.kind === 'alternatives') found.push(...this.#byBranch(slip, refusal, chain));
    }
    return this.#withTies(
      slip,
      found.sort((left, right) => left.cost - right.cost),
    );
  }

  *#candidates({ location, refusals }: Slip): Generator<{ repair: Repair; isUnsure: boolean }> {
    const [{ path, value }] = refusals;
    const { chosen, tool } = this.#options;
    const hints = hintsAt(this.#root, path);
    const site: Site = { path, hints, tool };
    const seen = new Set<unknown>();
    for (const { expectation } of refusals) {
      if (!this.refusals.consume(1 + sizeOf(value))) return;
      for (const { kind, to, isUnsure } of candidatesFor(value, expectation, site, chosen)) {
        if (seen.has(to)) continue;
        seen.add(to);
        yield { repair: { instanceLocation: location, kind, from: value, to }, isUnsure };
      }
    }
  }

  /** What a slip takes in all where some repairs are made: they may bring up others, within what they made. */
  #follow(slip: Slip, first: readonly Repair[], chain: number): Fix | undefined {
    const { location, refusals } = slip;
    const [{ value }] = refusals;
    let fix = fixOf(first);
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
        const before = new Set(isWhole ? [] : refusal.again(value)?.map(keyOf));
        fresh.push(...found.filter((each) => own.has(keyOf(each)) || !before.has(keyOf(each))));
      }
      if (fresh.length === 0) return fix;
      if (fresh.some(isOpen)) return { ...fix, isTied: true };
      const more = chain < maxChain ? this.#solve(fresh, chain + 1).fix : undefined;
      // A number that was taken out of a list stays one.
      const isText = ({ kind, instanceLocation }: Repair) =>
        (kind === 'string' || kind === 'decimal') && instanceLocation === location;
      if (!more || more.repairs.some(isText)) return undefined;
      fix = fixOf([...fix.repairs, ...more.repairs], fix.isTied || more.isTied);
    }
    return undefined;
  }

  /** All of these refusals are to disappear. */
  #solve(refusals: readonly Refusal[], chain: number): Outcome {
    const known = this.#outcomes.get(refusals);
    if (known) return known;
    const found: (readonly [Fix, ...Fix[]])[] = [];
    const stuck: Slip[] = [];
    for (const slip of this.#slips(refusals)) {
      const [fix, ...others] = this.#fixes(slip, chain);
      if (fix) found.push([fix, ...others]);
      else if (stuck.push(slip) === maxStuck) break;
    }
    const [only, ...rest] = stuck.length === 0 ? found : [];
    const least = only?.filter(({ cost }) => cost === only[0].cost) ?? [];
    const fixes = rest.length > 0 ? [joined(found.map(([first]) => first))] : least;
    const outcome = { fix: fixes[0], fixes, stuck };
    this.#outcomes.set(refusals, outcome);
    return outcome;
  }

  /** What mends one of several alternatives. None is led into while another is of the value's own type. */
  #byBranch(slip: Slip, refusal: Refusal, chain: number): Fix[] {
    const { branches } = refusal;
    // What is not known of an alternative may be that it was meant.
    if (isOpen(refusal) || branches.some((branch) => branch.length === 0)) return [];
    const options = branches.flatMap((branch, index) =>
      this.#solve(branch, chain).fixes.map((fix) => ({ fix, index })),
    );
    return options.flatMap(({ fix, index }) => {
      // Each is compared with all others.
      if (!this.refusals.consume(8 * branches.length)) return [];
      if (fix.repairs.some(({ kind }) => kind === 'const') && !this.#knowsAll(refusal, index)) return [];
      const others = branches.filter((_, other) => other !== index);
      if (fix.repairs.some((each) => this.#isBarred(each, others))) return [];
      // What still is refused then, was not all that this alternative asks for.
      const followed = this.#follow(slip, fix.repairs, maxChain);
      if (!followed) return [];
      const isGuess = fix.repairs.some((each) => others.some((other) => this.#mayBeMore(each, other)));
      return [{ ...followed, isTied: followed.isTied || fix.isTied || isGuess }];
    });
  }

  /** Whether the members that were given speak for one alternative: no other one declares what this one does not. */
  #knowsAll({ expectation, value }: Refusal, index: number): boolean {
    if (expectation.kind !== 'alternatives' || !isObject(value)) return false;
    const schemas = expectation.schemas as readonly SchemaNode[]; // those of the keyword, as it was compiled
    const declared = schemas.map((schema) => hintsAt(schema, []).properties);
    const own = declared[index];
    return Object.keys(value).every((name) => own?.has(name) === true || !declared.some((each) => each.has(name)));
  }

  /** Whether one of these alternatives takes values of the type that a repaired one came in. */
  #isBarred(repair: Repair, others: readonly (readonly Refusal[])[]): boolean {
    const { kind, instanceLocation } = repair;
    if (kind === 'name' || kind === 'const' || kind === 'wrapper') return false;
    const isListed = (refusals: readonly Refusal[]) =>
      this.#at(refusals)
        .get(instanceLocation)
        ?.some(({ expectation }) => expectation.kind === 'values') === true;
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
    const isElsewhere = ({ location, refusals: [first] }: Slip) =>
      !isWithin(location, instanceLocation) && !(mayBeMetWithin(first) && isWithin(instanceLocation, location));
    return isRefused && !this.#solve(refusals, 0).stuck.some(isElsewhere);
  }

  /** Whether what is read as text may as well be meant for a list or an object, or the other way round. */
  #mayBeMore({ kind, instanceLocation, from }: Repair, refusals: readonly Refusal[]): boolean {
    const isText = kind === 'string' || kind === 'decimal';
    if (!isText && (kind !== 'singleton' || typeof from === 'string')) return false;
    const others: readonly JsonType[] = isText ? ['array', 'object'] : ['string'];
    const wants = ({ expectation, branches }: Refusal): boolean =>
      expectation.kind === 'types'
        ? expectation.types.some((type) => others.includes(type))
        : branches.some((branch) => this.#at(branch).get(instanceLocation)?.some(wants));
    return this.#at(refusals).get(instanceLocation)?.some(wants) ?? false;
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

  /** Of several that cost as little, the first counts for all that come to the same. */
  #withTies({ location, refusals }: Slip, fixes: readonly Fix[]): readonly Fix[] {
    if (fixes.length < 2) return fixes;
    const textOf = ({ repairs }: Fix) => {
      const value = applyRepairs(refusals[0].value, repairs, location);
      return value === undefined ? '' : canonicalText(value, (steps) => this.refusals.consume(steps));
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

  /**
   * Whether other repairs, of values that alternatives refuse, presume as little and come to something else. Several
   * unions about the same values may each have one way, and all of them together another. Of many repairs this is not
   * looked into.
   */
  #isOneOfSeveral(args: unknown, { repairs, value }: State): boolean {
    if (repairs.length > others.repairs || !this.#first.some(({ branches }) => branches.length > 0)) return false;
    const sites = [...this.#refusedWithin(this.#first)].map(([location, [first, ...more]]) => {
      const slip: Slip = { location, refusals: [first, ...more], edits: [] };
      return [...this.#candidates(slip)].map(({ repair }) => repair);
    });
    const textOf = (each: unknown) => canonicalText(each, (steps) => this.refusals.consume(steps));
    const own = textOf(value);
    const keys = new Set(repairs.map(repairKey));
    const most = this.refusals.spent + needlessSteps;
    let left = others.sets;
    const isFound = (count: number, at: number, made: readonly Repair[], cost: number): boolean => {
      if (count === 0) {
        if (made.every((each) => keys.has(repairKey(each))) || left-- <= 0 || this.refusals.spent > most) return false;
        const other = applyRepairs(args, made);
        return this.refusals.of(other).isValid && textOf(other) !== own;
      }
      return sites.slice(at).some((site, index) =>
        site.some((repair) => {
          const rest = cost - costOf(repair.kind, repair.to);
          return rest >= 0 && isFound(count - 1, at + index + 1, [...made, repair], rest);
        }),
      );
    };
    return repairs.some((_, index) => isFound(index + 1, 0, [], fixOf(repairs).cost));
  }

  /** What is refused, by its place, with what alternatives refuse within it. */
  #refusedWithin(refusals: readonly Refusal[], found = new Map<string, [Refusal, ...Refusal[]]>()) {
    for (const refusal of refusals) {
      if (found.size > others.sets || !this.refusals.consume(1)) break;
      const { instanceLocation } = refusal.violation;
      const there = found.get(instanceLocation);
      if (there) there.push(refusal);
      else found.set(instanceLocation, [refusal]);
      for (const branch of refusal.branches) this.#refusedWithin(branch, found);
    }
    return found;
  }
}

/** Sets of repairs that are tried beside the one that was found, and repairs in one of them. */
const others = { sets: 60, repairs: 3 };

function isUnion({ expectation, branches }: Refusal): boolean {
  return expectation.kind === 'alternatives' && branches.length > 0;
}

/** Whether another value of a part may be all that it takes. */
function mayBeMetWithin(refusal: Refusal): boolean {
  const { kind } = refusal.expectation;
  return isUnion(refusal) || kind === 'exactly-one' || kind === 'not';
}

/** Whether what is refused leaves open which value was meant: the condition beside `else`, or any of a list's items. */
function isOpen({ expectation, branches }: Refusal): boolean {
  const { kind } = expectation;
  if (kind === 'alternatives') return branches.some((branch) => branch.some(isOpen));
  return kind === 'condition' || kind === 'contains';
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

/**
 * All of them together, in an order in which they can be made: names change last, so that places within are found. What
 * two of them ask for is made once; of two that ask for something else at one place, the first is taken.
 */
function joined(fixes: readonly Fix[]): Fix {
  const [only] = fixes;
  if (only && fixes.length === 1) return only;
  const isName = ({ repairs: [first] }: Fix) => first?.kind === 'name';
  const made = new Map<string, string>();
  const repairs: Repair[] = [];
  for (const fix of [...fixes.filter((each) => !isName(each)), ...fixes.filter(isName)]) {
    const isMade = (each: Repair) => isScalar(each.to) && made.get(each.instanceLocation) === repairKey(each);
    const added = fix.repairs.filter((each) => !isMade(each));
    if (added.some(({ instanceLocation }) => made.has(instanceLocation))) continue;
    for (const each of added) made.set(each.instanceLocation, repairKey(each));
    repairs.push(...added);
  }
  return fixOf(
    repairs,
    fixes.some(({ isTied }) => isTied),
  );
}

function repairKey({ instanceLocation, kind, to }: Repair): string {
  return `${kind} ${isScalar(to) ? JSON.stringify(to) : ''} ${instanceLocation}`;
}

/** The members that are missing or unwanted now because they were repaired. */
function memberPlaces(fresh: readonly Refusal[], repairs: readonly Repair[]): ReadonlySet<string> {
  const repaired = new Set(repairs.flatMap((each) => [each.instanceLocation, placeAfter(each)]));
  const members = fresh.flatMap(({ violation: { instanceLocation, property } }) =>
    property === undefined ? [] : [`${instanceLocation}/${pointerToken(property)}`],
  );
  return new Set(members.filter((each) => repaired.has(each)));
}

/** Whether a fix repairs something at some places, or within; or around them. */
function isAt(fix: Fix | undefined, places: ReadonlySet<string>, orAround = false): boolean {
  if (!fix || places.size === 0) return false;
  const repaired = fix.repairs.flatMap((repair) => [repair.instanceLocation, placeAfter(repair)]);
  const isAround = (location: string) => orAround && [...places].some((place) => isWithin(place, location));
  return repaired.some((location) => withHolders(location).some((place) => places.has(place)) || isAround(location));
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
