import { canonicalText, grouped, isObject, type JsonType, pointerToken } from '../json/index.js';
import { isPhrase, type Refusal, summarizedViolations, typesOfValues } from '../schema/index.js';
import { isWithin, withHolders } from './apply.js';
import { isBit, wantsTypeOf } from './candidates/candidates.js';
import { type Fix, fixOf, mergeFixes, repairKey } from './fix.js';
import type { Repair } from './options.js';
import type { RepairContext } from './context.js';

/** Repaired values within repaired values: a text that holds an object with the text of a number. */
export const maxLevels = 4;

/** Problems without a fix that are listed for a branch: one of them rules it out. */
const maxStuck = 4;

/** What the schema as a whole, or one branch of a union, refuses: it accepts the value once all problems are fixed. */
export class Branch {
  readonly isOpen: boolean;
  readonly problems: readonly Problem[];
  #byLocation: ReadonlyMap<string, readonly Problem[]> | undefined;
  #solution: { readonly fixes: readonly Fix[]; readonly stuck: readonly Problem[] } | undefined;

  constructor(context: RepairContext, refusals: readonly Refusal[], level: number) {
    this.isOpen = refusals.some(isOpen);
    this.problems = problemsIn(context, refusals, level);
  }

  at(location: string): readonly Problem[] {
    return this.byLocation.get(location) ?? [];
  }

  get byLocation(): ReadonlyMap<string, readonly Problem[]> {
    return (this.#byLocation ??= grouped(this.problems, ({ location }) => location));
  }

  /** The cheapest ways to fix all problems: several where the only problem has several. */
  get fixes(): readonly Fix[] {
    return this.#solved.fixes;
  }

  /** Problems without any fix. */
  get stuck(): readonly Problem[] {
    return this.#solved.stuck;
  }

  get #solved() {
    if (this.#solution) return this.#solution;
    const cheapest: Fix[] = [];
    const stuck: Problem[] = [];
    for (const problem of this.problems) {
      const [fix] = problem.fixes;
      if (fix) cheapest.push(fix);
      else if (stuck.push(problem) === maxStuck) break;
    }
    const [only, ...others] = this.problems;
    const least = only?.fixes.filter(({ cost }) => cost === only.fixes[0]?.cost) ?? [];
    const fixes = stuck.length > 0 ? [] : others.length > 0 ? [mergeFixes(cheapest)] : least;
    return (this.#solution = { fixes, stuck });
  }
}

/** What is refused at one location, and what fixes it. */
export class Problem {
  readonly location: string;
  readonly refusals: [Refusal, ...Refusal[]];
  /** Other names for members of the object there; then nothing else is tried. */
  readonly renames = new Map<string, Repair>();
  readonly #context: RepairContext;
  readonly #level: number;
  readonly #branches = new Map<Refusal, readonly Branch[]>();
  #fixes: readonly Fix[] | undefined;

  constructor(context: RepairContext, refusal: Refusal, level: number) {
    this.location = refusal.violation.instanceLocation;
    this.refusals = [refusal];
    this.#context = context;
    this.#level = level;
  }

  get value(): unknown {
    return this.refusals[0].value;
  }

  branchesOf(union: Refusal): readonly Branch[] {
    const known = this.#branches.get(union);
    if (known) return known;
    const branches = union.branches.map((refusals) => new Branch(this.#context, refusals, this.#level));
    this.#branches.set(union, branches);
    return branches;
  }

  /** The cheapest first. */
  get fixes(): readonly Fix[] {
    return (this.#fixes ??= this.#context.exhausted ? [] : this.#findFixes());
  }

  #findFixes(): readonly Fix[] {
    const found: Fix[] = [];
    const add = (fix: Fix | undefined, isTied: boolean) => {
      if (fix) found.push(isTied ? { ...fix, isTied } : fix);
    };
    if (this.renames.size > 0) add(this.#complete([...this.renames.values()], this.#level), false);
    else {
      for (const { isUnsure, ...repair } of this.#context.candidates(this.location, this.refusals))
        add(this.#complete([repair], this.#level), isUnsure);
    }
    for (const refusal of this.refusals)
      if (refusal.expectation.kind === 'alternatives') this.#addByBranch(refusal, add);
    return this.#withTies(found.sort((left, right) => left.cost - right.cost));
  }

  /** Fixes of one branch, unless another branch may be meant. */
  #addByBranch(union: Refusal, add: (fix: Fix | undefined, isTied: boolean) => void): void {
    // If the refusals of a branch are unknown, it may be the intended one.
    if (isOpen(union) || union.branches.some(({ length }) => length === 0)) return;
    const branches = this.branchesOf(union);
    for (const branch of branches) {
      for (const { repairs, isTied } of branch.fixes) {
        if (!this.#context.consume(8 * branches.length)) return;
        const others = branches.filter((other) => other !== branch);
        if (!repairs.every((repair) => isLawful(repair, others))) continue;
        // If anything is refused still, this branch needs more than its fix.
        const fix = this.#complete(repairs, maxLevels);
        if (fix) add(fix, isTied || fix.isTied || repairs.some((repair) => isGuess(repair, others)));
      }
    }
  }

  /** What a text would be read as, and why that does not fit: `-1, which must be >= 0`. */
  get reading(): string | undefined {
    const isText = ({ violation }: Refusal) => violation.expectedTypes?.includes('string') !== false;
    if (typeof this.value !== 'string' || this.refusals.some(isText) || this.fixes.length > 0) return undefined;
    for (const { to } of this.#context.candidates(this.location, this.refusals)) {
      if (typeof to !== 'number' && typeof to !== 'boolean') continue;
      const refused = this.refusals.flatMap((refusal) => refusal.again(to) ?? []);
      const [found] = summarizedViolations(refused.map(({ violation }) => violation));
      const isSaid = this.refusals.some(({ violation }) => violation.expected === found?.expected);
      if (found && !isSaid && isPhrase(found.expectation)) return `${to}, which must be ${found.expected}`;
    }
    const branches = this.refusals.flatMap((refusal) => this.branchesOf(refusal));
    return branches.flatMap((branch) => branch.at(this.location)).find(({ reading }) => reading !== undefined)?.reading;
  }

  /** The repairs, with those that what they bring up takes; undefined where something stays refused. */
  #complete(repairs: readonly Repair[], level: number): Fix | undefined {
    const { location, value, refusals } = this;
    const isHere = ({ instanceLocation, kind }: Repair) => instanceLocation === location && kind !== 'name';
    let fix = fixOf(repairs);
    // Only the evaluation of the whole shows whether a value may be left out.
    if (repairs.some((each) => isHere(each) && each.to === undefined)) return fix;
    const isWhole = repairs.some(isHere);
    const own = new Set(refusals.map(keyOf));
    const nodes = new Map(refusals.map((refusal) => [refusal.node, refusal]));
    for (let round = 0; round < maxLevels; round++) {
      const changed = this.#context.changed(value, fix.repairs, location);
      if (changed === undefined) return fix;
      const fresh: Refusal[] = [];
      for (const refusal of nodes.values()) {
        const found = refusal.again(changed);
        if (!found) return undefined;
        // Other problems of an object are fixed by themselves.
        const others = new Set(isWhole || found.length === 0 ? [] : refusal.again(value)?.map(keyOf));
        fresh.push(...found.filter((each) => own.has(keyOf(each)) || !others.has(keyOf(each))));
      }
      if (fresh.length === 0) return fix;
      if (fresh.some(isOpen)) return { ...fix, isTied: true };
      const [more] = level < maxLevels ? new Branch(this.#context, fresh, level + 1).fixes : [];
      // A number that was taken out of a list does not become a text.
      if (!more || more.repairs.some((each) => isHere(each) && /string|decimal/.test(each.kind))) return undefined;
      fix = fixOf([...fix.repairs, ...more.repairs], fix.isTied || more.isTied);
    }
    return undefined;
  }

  /** Fixes of one cost that come to different values are ties. */
  #withTies(fixes: readonly Fix[]): readonly Fix[] {
    if (fixes.length < 2) return fixes;
    const texts = fixes.map(({ repairs }) => {
      const value = this.#context.changed(this.value, repairs, this.location);
      return value === undefined ? '' : canonicalText(value, this.#context.consume);
    });
    return fixes.map((fix, index) => {
      const isRival = (other: Fix, at: number) =>
        at !== index && other.cost === fix.cost && (other.isTied || texts[at] !== texts[index]);
      return fixes.some(isRival) ? { ...fix, isTied: true } : fix;
    });
  }
}

/** Refusals by what may fix them: another value, other names of members, or for each union of an object by itself. */
function problemsIn(context: RepairContext, refusals: readonly Refusal[], level: number): Problem[] {
  const problems: Problem[] = [];
  const ofValues = new Map<string, Problem>();
  const ofNames = new Map<string, Problem>();
  const open = new Set(refusals.filter(isOpen).map(({ violation }) => violation.instanceLocation));
  for (const refusal of refusals) {
    if (!context.consume(1)) break;
    const location = refusal.violation.instanceLocation;
    if (open.size > 0 && withHolders(location).some((place) => open.has(place))) continue;
    const rename = context.renameFor(refusal);
    const isOwn = !rename && isObject(refusal.value) && refusal.branches.length > 0;
    const known = rename ? ofNames : ofValues;
    let problem = isOwn ? undefined : known.get(location);
    if (problem) problem.refusals.push(refusal);
    else problems.push((problem = new Problem(context, refusal, level)));
    if (!isOwn) known.set(location, problem);
    if (rename) problem.renames.set(repairKey(rename), rename);
  }
  return problems;
}

export function isUnion({ expectation, branches }: Refusal): boolean {
  return expectation.kind === 'alternatives' && branches.length > 0;
}

/** Whether it is left open which value was meant: that of a condition beside `else`, or any item of a list. */
function isOpen({ expectation, branches }: Refusal): boolean {
  const { kind } = expectation;
  if (kind === 'alternatives') return branches.some((branch) => branch.some(isOpen));
  return kind === 'condition' || kind === 'contains';
}

export function keyOf({ violation }: Refusal): string {
  const { instanceLocation, schemaLocation, keyword, property = '' } = violation;
  return `${instanceLocation}\n${schemaLocation}\n${keyword}\n${property}`;
}

/** Whether a repair may lead into a branch: not while another branch takes the value's own type there. */
function isLawful(repair: Repair, others: readonly Branch[]): boolean {
  const { kind, instanceLocation } = repair;
  if (kind === 'name' || kind === 'wrapper') return true;
  // A member that is left out may be what tells the branches apart.
  if (repair.to === undefined && others.some((other) => refusesMember(other, instanceLocation))) return false;
  const isListed = (branch: Branch) =>
    branch.at(instanceLocation).some(({ refusals }) => refusals.some((each) => each.expectation.kind === 'values'));
  return !others.some((other) => takesOwnType(other, repair) && !(kind === 'enum' && isListed(other)));
}

/** Whether the branch refuses the value as it came, or a part of it, for something else than its type. */
/** Whether a branch refuses a member, for its value or for its name. */
function refusesMember(branch: Branch, location: string): boolean {
  const [, holder = ''] = withHolders(location);
  const isNamed = ({ violation: { property } }: Refusal) =>
    property !== undefined && `${holder}/${pointerToken(property)}` === location;
  return branch.at(location).length > 0 || branch.at(holder).some(({ refusals }) => refusals.some(isNamed));
}

function takesOwnType(branch: Branch, repair: Repair): boolean {
  if (branch.isOpen) return true;
  const { instanceLocation, from } = repair;
  let isRefused =
    typeof from === 'object' && [...branch.byLocation.keys()].some((place) => isWithin(place, instanceLocation));
  for (const place of withHolders(instanceLocation)) {
    for (const problem of branch.at(place)) {
      for (const refusal of problem.refusals) {
        if (excludes(refusal, place === instanceLocation ? from : refusal.value)) return false;
        if (isUnion(refusal) && !problem.branchesOf(refusal).some((each) => takesOwnType(each, repair))) return false;
        isRefused ||= mayBeMetWithin(refusal) || place === instanceLocation;
      }
    }
  }
  // A problem elsewhere that has no fix rules the branch out; one around the value may come from the value.
  const isElsewhere = ({ location, refusals: [first] }: Problem) =>
    !isWithin(location, instanceLocation) && !(mayBeMetWithin(first) && isWithin(instanceLocation, location));
  return isRefused && !branch.stuck.some(isElsewhere);
}

function excludes({ expectation }: Refusal, value: unknown): boolean {
  if (expectation.kind === 'types') return !wantsTypeOf(value, expectation.types);
  if (expectation.kind === 'values') return !wantsTypeOf(value, typesOfValues(expectation.values));
  return expectation.kind === 'nothing';
}

/** Whether another value of a member or an item may be all that the refusal asks for. */
function mayBeMetWithin(refusal: Refusal): boolean {
  const { kind } = refusal.expectation;
  return isUnion(refusal) || kind === 'exactly-one' || kind === 'not';
}

/** Whether another branch asks for a type that the value may be meant for as well. */
function isGuess(repair: Repair, others: readonly Branch[]): boolean {
  const types = otherTypesOf(repair);
  const isAmong = (wanted: readonly JsonType[]) => wanted.some((type) => types.includes(type));
  const wants = (branch: Branch): boolean =>
    branch.at(repair.instanceLocation).some((problem) =>
      problem.refusals.some((refusal) => {
        const { expectation } = refusal;
        if (expectation.kind === 'types') return isAmong(expectation.types);
        if (expectation.kind === 'values') return isAmong(typesOfValues(expectation.values));
        return problem.branchesOf(refusal).some(wants);
      }),
    );
  return types.length > 0 && others.some(wants);
}

/** The types that a repaired value may be meant for as well: 0 and 1 may be a boolean, and any text a list. */
function otherTypesOf({ kind, from }: Repair): readonly JsonType[] {
  const bit: readonly JsonType[] = isBit(from) ? ['boolean'] : [];
  if (kind === 'boolean' && isBit(from)) return ['string', 'array', 'object'];
  if (kind === 'string' || kind === 'decimal') return ['array', 'object', ...bit];
  return kind === 'singleton' && typeof from !== 'string' ? ['string', ...bit] : [];
}
