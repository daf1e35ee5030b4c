import { equals, has, isList, isObject, pointerTokens, shortened, type JsonObject } from '../json/index.js';
import {
  compileSchema,
  evaluate,
  type EvaluateOptions,
  summarizedViolations,
  type Violation,
  withExpectation,
  withReceived,
} from '../schema/index.js';
import {
  onlyRepairs,
  repairArguments,
  type RepairChoice,
  type RepairedArguments,
  type RepairedTool,
} from '../repair/index.js';

/** Arguments that are set in a configuration, by their names: the model does not see them and cannot set them. */
export type FixedArguments = Readonly<Record<string, unknown>>;

/**
 * A fixed argument that its tool does not take. No argument of the model's can mend that, so this is not an
 * `InvalidArgumentsError`. The value is not shown.
 */
export class FixedArgumentsError extends Error {
  override readonly name = 'FixedArgumentsError';
  readonly code = 'INVALID_FIXED_ARGUMENTS';
  /** The tool's name at its server. */
  readonly tool: string;
  /** The fixed arguments that are wrong. */
  readonly names: readonly string[];

  /** @internal */
  constructor(tool: string, faults: ReadonlyMap<string, string>) {
    const lines = [...faults].map(([name, fault]) => `- ${shortened(name, 100)}: ${fault}`);
    const title = `Fixed arguments of tool "${shortened(tool, 100)}" do not fit its schema. It cannot be called.`;
    super([title, ...lines, 'They are set in the configuration; other arguments cannot change that.'].join('\n'));
    this.tool = tool;
    this.names = [...faults.keys()];
  }
}

/**
 * The schema for the model where some arguments are fixed: without these properties and their entries in
 * `required`, and with everything else as it stands. The very schema where it declares none of them.
 *
 * ```ts
 * const schema = { type: 'object', properties: { tenant: {}, query: {} }, required: ['tenant', 'query'] };
 * schemaWithout(schema, ['tenant']); // => { type: 'object', properties: { query: {} }, required: ['query'] }
 * ```
 */
export function schemaWithout(
  schema: Readonly<Record<string, unknown>>,
  names: Iterable<string>,
): Record<string, unknown> {
  const cut = new Set<unknown>(names);
  if (cut.size === 0) return schema;
  const { properties, required } = schema;
  const declares = isObject(properties) && Object.keys(properties).some((name) => cut.has(name));
  const requires = Array.isArray(required) && required.some((name) => cut.has(name));
  if (!declares && !requires) return schema;
  return {
    ...schema,
    ...(declares && { properties: without(properties, cut) }),
    ...(requires && { required: required.filter((name) => !cut.has(name)) }),
  };
}

/**
 * The fixed arguments of a tool, as people write them in a configuration, as the tool takes them: 20 for "20" where it
 * takes an integer. A text stays one where it is accepted, or where nothing else is.
 *
 * ```ts
 * const tool = { name: 'list', inputSchema: { properties: { limit: { type: 'integer' } } } };
 * fixedForTool(tool, { limit: '20' }); // => { limit: 20 }
 * ```
 *
 * @throws FixedArgumentsError where the tool does not declare an argument that is to be fixed
 */
export function fixedForTool(tool: Declaring, values: FixedArguments): FixedArguments {
  refuseUndeclared(tool, Object.keys(values));
  const typed = Object.entries(values).map(([name, value]): [string, unknown] => [
    name,
    typeof value === 'string' ? fixedFromText(tool.inputSchema, name, value) : value,
  ]);
  return Object.fromEntries(typed);
}

interface Declaring {
  readonly name: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/**
 * Checks that a tool declares the arguments that are to be fixed.
 *
 * @throws FixedArgumentsError where a tool does not declare an argument that is to be fixed: the model would go on
 *   choosing the one that was meant
 */
export function refuseUndeclared(
  { name: tool, inputSchema: { properties } }: Declaring,
  names: readonly string[],
): void {
  const undeclared = names.filter((name) => !isObject(properties) || !Object.hasOwn(properties, name));
  if (undeclared.length === 0) return;
  throw new FixedArgumentsError(
    tool,
    new Map(undeclared.map((name) => [name, 'is not among the properties of its schema.'])),
  );
}

function fixedFromText(inputSchema: Declaring['inputSchema'], name: string, text: string): unknown {
  const { properties = {}, required } = inputSchema;
  const needed = isList(required) ? required.filter((each) => typeof each === 'string') : [];
  const others = [...Object.keys(isObject(properties) ? properties : {}), ...needed];
  const alone = schemaWithout(
    inputSchema,
    others.filter((other) => other !== name),
  );
  const kinds = onlyRepairs('integers', 'numbers', 'booleans', 'json');
  const repaired = repairArguments(compileSchema(alone), { [name]: text }, kinds).arguments;
  return isObject(repaired) && has(repaired, name) ? repaired[name] : text;
}

/**
 * The schema in which these arguments may be anything, or absent: what the model sends for them does no harm elsewhere.
 */
function schemaWithAny(schema: JsonObject, names: readonly string[]): JsonObject {
  const rest = schemaWithout(schema, names);
  const any = Object.fromEntries(names.map((name) => [name, true]));
  return { ...rest, properties: { ...(isObject(rest['properties']) && rest['properties']), ...any } };
}

/** The model's arguments, repaired and filled up with the fixed ones. */
export interface FilledArguments extends RepairedArguments {
  /** The model's part of them; the very value that came where it is no object. */
  readonly own: unknown;
  /** Fixed arguments for which the model sent values of its own. */
  readonly overridden: readonly string[];
}

/**
 * Repairs the model's arguments, whatever it sent for the fixed ones, puts the fixed ones in, and has the original
 * decide about all of them together. Where only the original shows what was meant (alternatives that ask for a fixed
 * argument), it repairs as well, but never a fixed argument.
 *
 * @throws FixedArgumentsError where a fixed argument has no value
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
  if (empty.length > 0) throw new FixedArgumentsError(tool.name, new Map(empty.map((name) => [name, 'has no value.'])));
  const repaired = repairArguments(compileSchema(schemaWithAny(tool.inputSchema, names)), args, choice, {
    ...options,
    tool,
  });
  if (!isObject(repaired.arguments)) return { ...repaired, own: repaired.arguments, overridden: [] };
  const sent = repaired.arguments;
  const taken = new Map(names.flatMap((name) => sentFor(name, sent, tool.inputSchema).map((each) => [each, name])));
  const own = without(sent, new Set(taken.keys()));
  const whole = { ...own, ...fixed };
  const overridden = names.filter((name) =>
    [...taken].some(([each, of]) => of === name && (each !== name || !holds(sent, name, fixed[name]))),
  );
  const compiled = compileSchema(tool.inputSchema);
  const again = repairArguments(compiled, whole, choice, { ...options, tool });
  const isKept = isObject(again.arguments) && names.every((name) => holds(again.arguments, name, fixed[name]));
  if (isKept && again.evaluation.outcome !== 'invalid') {
    return { ...again, repairs: [...repaired.repairs, ...again.repairs], own, overridden };
  }
  return {
    arguments: whole,
    repairs: repaired.repairs,
    evaluation: evaluate(compiled, whole, options),
    own,
    overridden,
  };
}

/**
 * Under which names the model has sent something for a fixed argument. Servers read names regardless of case, or of the
 * signs between words, and of two that are the same to them take either: so nothing else that is alike goes through, but
 * what the schema declares.
 */
function sentFor(fixed: string, sent: JsonObject, { properties }: JsonObject): string[] {
  const declared = isObject(properties) ? properties : {};
  const same = (name: string) => name === fixed || (!Object.hasOwn(declared, name) && folded(name) === folded(fixed));
  return Object.keys(sent).filter(same);
}

function folded(name: string): string {
  return name
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .replace(/[\s_-]/g, '');
}

function holds(object: unknown, name: string, value: unknown): boolean {
  return isObject(object) && has(object, name) && equals(object[name], value);
}

function without(object: JsonObject, names: ReadonlySet<unknown>): JsonObject {
  // A property may be called __proto__.
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.has(name)));
}

/**
 * What is wrong with the model's own arguments, without a word about the fixed ones.
 *
 * @param whole the arguments with the fixed ones among them, as they were evaluated
 * @param own the model's own part of them
 * @throws FixedArgumentsError where a fixed argument is what is wrong
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
    const name = tokens[0] ?? violation.property;
    if (name === undefined || !has(fixed, name)) left.push(about(violation, whole, own, fixed));
    else if (!faults.has(name)) faults.set(name, faultOf(violation, tokens.length));
  }
  if (faults.size > 0) throw new FixedArgumentsError(tool, faults);
  return left;
}

/**
 * A violation of the arguments as a whole shows what came, which is the model's part, and of what may come that alone.
 */
function about(violation: Violation, whole: unknown, own: unknown, fixed: FixedArguments): Violation {
  const { expectation, received } = violation;
  const isWhole = received.value === whole;
  const declares =
    isWhole && (expectation.kind === 'unwanted' || expectation.kind === 'not') && isObject(expectation.schema);
  const shown = declares
    ? { ...expectation, schema: schemaWithout(expectation.schema, Object.keys(fixed)) }
    : expectation;
  const bare = declares || violation.branches ? withExpectation(violation, shown) : violation;
  return isWhole ? withReceived(bare, own) : bare;
}

/** @param depth 0 where the arguments as a whole are refused, 1 where the fixed one is, more where something in it is */
function faultOf({ expectation, expected }: Violation, depth: number): string {
  if (expectation.kind === 'unwanted') {
    return depth === 0
      ? 'is no argument of this tool.'
      : 'has a property that its schema does not allow; it is not shown.';
  }
  // What is forbidden is what it is.
  if (expectation.kind === 'not') return 'must be something else; its value is not shown.';
  return `${depth > 1 ? 'something in it ' : ''}must be ${shortened(expected, 200)}; its value is not shown.`;
}
