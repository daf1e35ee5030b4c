import { isObject, valueAt } from '../json/index.js';
import { compileSchema, evaluate, type EvaluateOptions, findContradiction } from '../schema/index.js';
import { repairArguments, type Repair, type RepairChoice } from '../repair/index.js';
import type { CatalogueTool, Note } from '../mcp/index.js';
import { InvalidArgumentsError, onlyContradiction, type Refusal } from './invalid-arguments.js';

/** How arguments and results are checked. */
export interface ToolOptions {
  /** Which slips are repaired before the arguments are checked. Default: integers only. */
  repairs?: RepairChoice;
  /** Whether `format` is asserted. By default it is an annotation, as in draft 2020-12. */
  assertFormats?: boolean;
  /** What happens where the schema cannot be decided upon (see `evaluate`): `allow` sends the call, with a warning. Default `refuse`. */
  whenUndetermined?: 'refuse' | 'allow';
  /**
   * What happens where no arguments can satisfy the schema, because it contradicts itself, and nothing else is wrong with
   * them: `allow` sends the call, with a warning. Default `refuse`.
   */
  whenUnsatisfiable?: 'refuse' | 'allow';
  /**
   * What happens where the structured result is not what the tool's output schema promises: nothing, a warning, or an
   * {@link InvalidResultError}. Default `warn`.
   */
  outputSchema?: 'ignore' | 'warn' | 'fail';
}

/** Arguments that the input schema accepts, or that were let through. */
export interface CheckedArguments {
  /** What to call the tool with; the very object given where nothing was repaired. */
  readonly arguments: Record<string, unknown>;
  readonly repairs: readonly Repair[];
  /** Why they could not be checked, or cannot fit, where they were let through all the same. */
  readonly warnings: readonly Note[];
}

/**
 * Repairs arguments and checks them against the input schema as the server wrote it.
 *
 * ```ts
 * const tool = { name: 'search', inputSchema: { type: 'object', properties: { limit: { type: 'integer' } } } };
 * checkArguments(tool, { limit: '10' }).arguments; // => { limit: 10 }
 * ```
 *
 * @param args the arguments; none at all (undefined or null) are the same as empty ones
 * @throws InvalidArgumentsError where the schema refuses them, or cannot be decided upon and `whenUndetermined` is
 *   `refuse`
 */
export function checkArguments(
  tool: Pick<CatalogueTool, 'name' | 'inputSchema'>,
  args: unknown,
  options: ToolOptions = {},
): CheckedArguments {
  const evaluateOptions: EvaluateOptions = { assertFormats: options.assertFormats === true };
  const compiled = compileSchema(tool.inputSchema);
  const {
    arguments: repaired,
    repairs,
    evaluation,
  } = repairArguments(compiled, args ?? {}, options.repairs, evaluateOptions);
  if (evaluation.outcome === 'invalid') {
    const contradiction = findContradiction(tool.inputSchema, compiled.dialect);
    const refusal: Refusal = { ...evaluation, ...(contradiction && { contradiction }) };
    if (options.whenUnsatisfiable !== 'allow' || !isObject(repaired) || !onlyContradiction(refusal)) {
      throw new InvalidArgumentsError(tool, refusal);
    }
    return { arguments: repaired, repairs, warnings: [unsatisfiableNote(contradiction?.message ?? '')] };
  }
  // Whatever a schema without `type` accepts, the protocol's arguments are an object (MCP, tools/call).
  if (!isObject(repaired)) throw new InvalidArgumentsError(tool, notAnObject(repaired));
  if (evaluation.outcome === 'valid') return { arguments: repaired, repairs, warnings: [] };
  const { message, schemaLocation, instanceLocation = '' } = evaluation;
  if (options.whenUndetermined === 'allow') {
    return { arguments: repaired, repairs, warnings: [uncheckedNote(message, schemaLocation)] };
  }
  const value = valueAt(repaired, instanceLocation);
  throw new InvalidArgumentsError(tool, { outcome: 'undetermined', message, instanceLocation, value });
}

function uncheckedNote(reason: string, schemaLocation: string | undefined): Note {
  const message = `The arguments were sent although they could not be checked. ${reason}`;
  return { code: 'arguments-undetermined', message, ...(schemaLocation !== undefined && { schemaLocation }) };
}

function unsatisfiableNote(reason: string): Note {
  return { code: 'arguments-unsatisfiable', message: `The arguments were sent although they cannot fit. ${reason}` };
}

function notAnObject(value: unknown): Refusal {
  const evaluation = evaluate(compileSchema(anyObject), value);
  return {
    outcome: 'invalid',
    truncated: false,
    violations: evaluation.outcome === 'invalid' ? evaluation.violations : [],
  };
}

const anyObject = { type: 'object' };
