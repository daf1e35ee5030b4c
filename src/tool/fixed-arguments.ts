import { isOwnInstance, ownClass } from '../json/index.js';
import { equals, filtered, has, isList, isObject, pointerTokens, propertiesOf, readingsOf } from '../json/index.js';
import { type JsonObject, shortened } from '../json/index.js';
import type { EvaluateOptions, Expectation, Violation } from '../schema/index.js';
import { compileSchema, evaluate, summarizedViolations, withExpectation, withReceived } from '../schema/index.js';
import type { RepairChoice, RepairedArguments, RepairedTool } from '../repair/index.js';
import { repairArguments } from '../repair/index.js';

/** Arguments that are set in a configuration, by their names: the model does not see them and cannot set them. */
export type FixedArguments = Readonly<Record<string, unknown>>;

/**
 * A fixed argument that its tool does not take. No argument of the model's can mend that, so this is not an
 * `InvalidArgumentsError`. The value is not shown.
 */
export class FixedArgumentsError extends Error {
  /** @internal */
  static readonly [ownClass] = 'FixedArgumentsError';
  override readonly name = 'FixedArgumentsError';
  readonly code = 'INVALID_FIXED_ARGUMENTS';
  /** The tool's name at its server. */
  declare readonly tool: string;
  declare readonly names: readonly string[];

  /** @internal */
  static override readonly [Symbol.hasInstance] = isOwnInstance;

  /** @internal */
  constructor(tool: string, faults: ReadonlyMap<string, string>) {
    const lines = [...faults].map(([name, fault]) => `- ${shortened(name, 100)}: ${fault}`);
    const title = `Fixed arguments of tool "${shortened(tool, 100)}" do not fit its schema. It cannot be called.`;
    super([title, ...lines, 'They are set in the configuration; other arguments cannot change that.'].join('\n'));
    Object.assign(this, { tool, names: [...faults.keys()] });
  }
}

/** The schema for the model without the fixed arguments; the same object if it declares none of them. */
export function schemaWithout(schema: JsonObject, names: Iterable<string>): Record<string, unknown> {
  const cut = new Set<unknown>(names);
  const { properties, required } = schema;
  const declares = isObject(properties) && Object.keys(properties).some((name) => cut.has(name));
  const requires = isList(required) && required.some((name) => cut.has(name));
  if (!declares && !requires) return schema;
  return {
    ...schema,
    ...(declares && { properties: filtered(properties, (name) => !cut.has(name)) }),
    ...(requires && { required: required.filter((name) => !cut.has(name)) }),
  };
}

interface Declaring {
  readonly name: string;
  readonly inputSchema: JsonObject;
}

/** @throws FixedArgumentsError for undeclared names: the model would go on choosing the value */
export function refuseUndeclared({ name, inputSchema }: Declaring, names: readonly string[]): void {
  const declared = propertiesOf(inputSchema);
  const undeclared = names.filter((each) => !Object.hasOwn(declared, each));
  refuse(name, undeclared, 'is not among the properties of its schema.');
}

function refuse(tool: string, names: readonly string[], fault: string): void {
  if (names.length > 0) throw new FixedArgumentsError(tool, new Map(names.map((name) => [name, fault])));
}

/** Fixed arguments in the tool's types: 20 for a configuration's "20" if the tool takes an integer and no string. */
export function fixedForTool(tool: Declaring, values: FixedArguments): FixedArguments {
  refuseUndeclared(tool, Object.keys(values));
  const typed = Object.entries(values).map(([name, value]) => [name, fromText(tool.inputSchema, name, value)] as const);
  return Object.fromEntries(typed);
}

function fromText(inputSchema: JsonObject, name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const alone = { ...inputSchema, properties: { [name]: propertiesOf(inputSchema)[name] }, required: [] };
  const repaired = repairArguments(compileSchema(alone), { [name]: value }, 'integers,numbers,booleans,json').arguments;
  return isObject(repaired) && has(repaired, name) ? repaired[name] : value;
}

export interface FilledArguments extends RepairedArguments {
  /** The model's part of the arguments; the original value if that is not an object. */
  readonly own: unknown;
  readonly overridden: readonly string[];
}

/**
 * Repairs the model's arguments, adds the fixed ones, and validates all of them against the original schema. If only
 * the original shows what was meant (alternatives that ask for a fixed argument), it guides repairs as well, but never
 * of a fixed argument.
 *
 * @throws FixedArgumentsError if a fixed argument has no value
 */
export function repairWithFixed(
  tool: RepairedTool & { readonly inputSchema: JsonObject },
  args: unknown,
  fixed: FixedArguments,
  choice: RepairChoice | undefined,
  options: EvaluateOptions,
): FilledArguments {
  const names = Object.keys(fixed);
  const empty = names.filter((name) => !has(fixed, name));
  refuse(tool.name, empty, 'has no value.');
  const { inputSchema } = tool;
  const declared = propertiesOf(inputSchema);
  const repairedBy = (schema: JsonObject, value: unknown) =>
    repairArguments(compileSchema(schema), value, choice, { ...options, tool });

  // Whatever the model sends for a fixed argument does no harm elsewhere.
  const anything = Object.fromEntries(names.map((name) => [name, true]));
  const rest = schemaWithout(inputSchema, names);
  const first = repairedBy({ ...rest, properties: { ...declared, ...anything } }, args);
  const sent = first.arguments;
  if (!isObject(sent)) return { ...first, own: sent, overridden: [] };

  // A server may treat two spellings as one name and take either value. So no lookalike of a fixed name goes through,
  // unless the schema declares it.
  const isFor = (fixedName: string, name: string) =>
    name === fixedName || (!Object.hasOwn(declared, name) && readingsOf(name).includes(readingsOf(fixedName)[0] ?? ''));
  const isTaken = (name: string) => names.some((each) => isFor(each, name));
  const taken = new Set(Object.keys(sent).filter(isTaken));
  const isOther = (name: string, each: string) => name !== each || !equals(sent[name], fixed[each]);
  const overridden = names.filter((each) => [...taken].some((name) => isFor(each, name) && isOther(name, each)));
  const own = filtered(sent, (name) => !taken.has(name));
  const whole = { ...own, ...fixed };

  const again = repairedBy(inputSchema, whole);
  const { arguments: filled, evaluation } = again;
  const isKept = isObject(filled) && names.every((name) => has(filled, name) && equals(filled[name], fixed[name]));
  if (isKept && evaluation.outcome !== 'invalid')
    return { ...again, repairs: [...first.repairs, ...again.repairs], own, overridden };
  const verdict = evaluate(compileSchema(inputSchema), whole, options);
  const filledAt = { arguments: whole, repairs: first.repairs, evaluation: verdict, own, overridden };
  const violations = verdict.outcome === 'invalid' ? summarizedViolations(verdict.violations) : [];
  if (violations.some((each) => has(fixed, argumentOf(each) ?? '')) || !isObject(args)) return filledAt;
  // The model reads of its arguments as it sent them.
  const ownSent = filtered(args, (name) => !isTaken(name));
  const asSent = { ...ownSent, ...fixed };
  const refused = repairedBy(inputSchema, asSent).evaluation;
  return refused.outcome === 'invalid'
    ? { ...filledAt, arguments: asSent, own: ownSent, evaluation: refused }
    : filledAt;
}

/** The argument that a violation is in, or that is missing or unwanted. */
function argumentOf({ instanceLocation, property }: Violation): string | undefined {
  return pointerTokens(instanceLocation)[0] ?? property;
}

/**
 * The violations of the model's own arguments, without a word about the fixed ones.
 *
 * @throws FixedArgumentsError if a fixed argument is at fault
 */
export function ownViolations(
  tool: string,
  violations: readonly Violation[],
  { whole, own, fixed }: { whole: unknown; own: unknown; fixed: FixedArguments },
): Violation[] {
  const faults = new Map<string, string>();
  const left: Violation[] = [];
  for (const violation of summarizedViolations(violations)) {
    const tokens = pointerTokens(violation.instanceLocation);
    const name = argumentOf(violation);
    if (name === undefined || !has(fixed, name)) left.push(about(violation, whole, own, fixed));
    else if (!faults.has(name)) faults.set(name, faultOf(violation, tokens.length));
  }
  if (faults.size > 0) throw new FixedArgumentsError(tool, faults);
  return left;
}

/** A violation of the whole, reduced to the model's part of the received and the allowed members. */
function about(violation: Violation, whole: unknown, own: unknown, fixed: FixedArguments): Violation {
  const { expectation, received } = violation;
  const isWhole = received.value === whole;
  const names = Object.keys(fixed);
  const shown = isWhole ? withoutFixed(expectation, names) : expectation;
  const bare = shown !== expectation || violation.branches ? withExpectation(violation, shown) : violation;
  return isWhole ? withReceived(bare, own) : bare;
}

/** The demands on all arguments together, as far as the model can meet them. */
function withoutFixed(demand: Expectation, names: readonly string[]): Expectation {
  if ((demand.kind === 'unwanted' || demand.kind === 'not') && isObject(demand.schema))
    return { ...demand, schema: schemaWithout(demand.schema, names) };
  if (demand.kind !== 'count') return demand;
  const { length } = names;
  return { ...demand, count: Math.max(0, demand.count - length), actual: demand.actual - length };
}

/**
 * @param depth 0 if the arguments as a whole are rejected, 1 if the fixed argument is, more if something within it is
 */
function faultOf({ expectation, expected }: Violation, depth: number): string {
  if (expectation.kind === 'unwanted') {
    return depth === 0
      ? 'is no argument of this tool.'
      : 'has a property that its schema does not allow; it is not shown.';
  }
  // The forbidden value is the fixed one.
  if (expectation.kind === 'not') return 'must be something else; its value is not shown.';
  return `${depth > 1 ? 'something in it ' : ''}must be ${shortened(expected, 200)}; its value is not shown.`;
}
