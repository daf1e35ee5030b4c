import type { Option } from '../json/index.js';
import { anObject, checkOptions, flag, isNoText, isObject, nonFiniteNumberIn, oneOf, quote } from '../json/index.js';
import { valueAt } from '../json/index.js';
import { compileSchema, type EvaluateOptions, notFinite } from '../schema/index.js';
import type { Repair, RepairChoice, RepairedArguments, RepairedTool } from '../repair/index.js';
import { repairArguments } from '../repair/index.js';
import type { CatalogueTool, Note } from '../mcp/index.js';
import { type FilledArguments, type FixedArguments, ownViolations, repairWithFixed } from './fixed-arguments.js';
import { InvalidArgumentsError } from './invalid-arguments.js';

/** How arguments and results are checked. */
export interface ToolOptions {
  /** Which malformed arguments are repaired before all are checked. Default: `safe`. */
  repairs?: RepairChoice | undefined;
  /** If true, a value that breaks its `format` is invalid. Default: false. */
  assertFormats?: boolean | undefined;
  /** The limits of a check; {@link Budget} has the defaults. Repairs may take four times its steps. */
  budget?: EvaluateOptions['budget'];
  /**
   * For arguments that cannot be checked (`evaluate` is undetermined): `refuse` throws an {@link InvalidArgumentsError},
   * `allow` sends them, with a warning. Default: `refuse`.
   */
  whenUndetermined?: 'refuse' | 'allow' | undefined;
  /**
   * For structured content that does not satisfy the output schema: `ignore` does nothing, `warn` adds a warning, `fail`
   * throws an {@link InvalidResultError}. Default: `warn`.
   */
  outputSchema?: 'ignore' | 'warn' | 'fail' | undefined;
  /**
   * Arguments that the model cannot set, by name. They replace the model's values for these names, and are checked with
   * all others. {@link modelTools} leaves them out of the schema (option `fixed`).
   */
  fixed?: FixedArguments | undefined;
}

/** A tool, as far as its arguments depend on it: what null means to it is read from its name, description and hints. */
export type CheckedTool = Pick<CatalogueTool, 'name' | 'inputSchema'> & RepairedTool;

/** Arguments that the input schema accepts, or that were let through. */
export interface CheckedArguments {
  /** The arguments to call the tool with; the given object itself if nothing was repaired. */
  readonly arguments: Record<string, unknown>;
  readonly repairs: readonly Repair[];
  /** Why arguments were let through unchecked, and which values of the model for fixed arguments were not used. */
  readonly warnings: readonly Note[];
}

export const toolOptions: Record<keyof ToolOptions, Option> = {
  assertFormats: flag,
  budget: anObject,
  fixed: anObject,
  outputSchema: oneOf('ignore', 'warn', 'fail'),
  repairs: { words: 'a repair setting', accepts: () => true },
  whenUndetermined: oneOf('refuse', 'allow'),
};

/**
 * Repairs arguments and checks them against the input schema as the server wrote it.
 *
 * ```ts
 * const tool = { name: 'search', inputSchema: { type: 'object', properties: { limit: { type: 'integer' } } } };
 * checkArguments(tool, { limit: '10' }).arguments; // => { limit: 10 }
 * ```
 *
 * @param args the arguments; none at all (undefined, null or an empty text) are the same as empty ones
 * @throws InvalidArgumentsError if the schema rejects them, or if the outcome is undetermined and `whenUndetermined` is
 *   `refuse`
 * @throws FixedArgumentsError if the schema rejects a fixed argument
 * @throws TypeError if an option is wrong
 */
export function checkArguments(tool: CheckedTool, args: unknown, options: ToolOptions = {}): CheckedArguments {
  checkOptions('checkArguments', options, toolOptions);
  return acceptedArguments(tool, args, options);
}

export function acceptedArguments(tool: CheckedTool, args: unknown, options: ToolOptions): CheckedArguments {
  const { fixed = {}, repairs: choice, budget, assertFormats = false } = options;
  const evaluateOptions: EvaluateOptions = { assertFormats, ...(budget && { budget }) };
  const hasFixed = Object.keys(fixed).length > 0;
  // Several models send an empty text to a tool that needs no arguments.
  const given = typeof args === 'string' && isNoText(args) ? {} : (args ?? {});
  const repaired: RepairedArguments & Partial<FilledArguments> = hasFixed
    ? repairWithFixed(tool, given, fixed, choice, evaluateOptions)
    : repairArguments(compileSchema(tool.inputSchema), given, choice, { tool, ...evaluateOptions });
  const { arguments: whole, repairs, evaluation, own = whole, overridden = [] } = repaired;
  const warnings = overridden.map(overriddenNote);
  if (evaluation.outcome === 'invalid') {
    if (!hasFixed) throw new InvalidArgumentsError(tool, evaluation);
    // The model sees neither the fixed arguments nor their shape.
    const violations = ownViolations(tool.name, evaluation.violations, { whole, own, fixed });
    throw new InvalidArgumentsError({ name: tool.name }, { ...evaluation, violations });
  }
  // Whatever a schema without `type` accepts, the protocol's arguments are an object (MCP, tools/call).
  if (!isObject(whole))
    return acceptedArguments({ name: tool.name, inputSchema: anyObject }, whole, { repairs: 'off' });
  if (evaluation.outcome === 'undetermined') {
    const { message, schemaLocation, instanceLocation = '' } = evaluation;
    if (options.whenUndetermined !== 'allow') {
      const value = valueAt(own, instanceLocation);
      throw new InvalidArgumentsError(tool, { outcome: 'undetermined', message, instanceLocation, value });
    }
    warnings.push(uncheckedNote(message, schemaLocation));
  }
  return { arguments: whole, repairs, warnings };
}

const anyObject = { type: 'object' };

/** @throws InvalidArgumentsError for a number that JSON cannot write: `1e400` is read as Infinity, and sent as null */
export function refuseNonFinite(tool: Pick<CatalogueTool, 'name'>, args: Record<string, unknown>): void {
  const instanceLocation = nonFiniteNumberIn(args);
  if (instanceLocation === undefined) return;
  const violations = [notFinite(instanceLocation, valueAt(args, instanceLocation))];
  throw new InvalidArgumentsError(tool, { outcome: 'invalid', truncated: false, violations });
}

function overriddenNote(name: string): Note {
  const message = `The argument ${quote(name)} is fixed: what the model sent for it was not used.`;
  return { code: 'argument-fixed', message };
}

function uncheckedNote(reason: string, schemaLocation: string | undefined): Note {
  const message = `The arguments were sent although they could not be checked. ${reason}`;
  return { code: 'arguments-undetermined', message, ...(schemaLocation !== undefined && { schemaLocation }) };
}
