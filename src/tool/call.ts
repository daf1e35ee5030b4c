import { checkOptions, filtered, isOwnInstance, isSchema, ownClass, quote } from '../json/index.js';
import { rewrittenText, sentences, shortened, type JsonObject } from '../json/index.js';
import { argumentSecrets, secretMask } from '../secrets/index.js';
import { compileSchema, evaluate, violationLines } from '../schema/index.js';
import type { Repair } from '../repair/index.js';
import type { CallOptions, CatalogueTool, Note, Session, ToolResult } from '../mcp/index.js';
import { callOptions, isRequestFailure, McpError, unknownOutcome } from '../mcp/index.js';
import { acceptedArguments, refuseNonFinite, toolOptions, type ToolOptions } from './check.js';
import { FixedArgumentsError } from './fixed-arguments.js';
import { InvalidArgumentsError } from './invalid-arguments.js';

/** The outcome of a call. */
export interface ToolOutcome {
  /** The arguments that the server received. */
  readonly arguments: Record<string, unknown>;
  readonly repairs: readonly Repair[];
  /** Arguments that could not be checked but were let through, a result that is not as promised. */
  readonly warnings: readonly Note[];
  /** The server's result, which may report an error of the tool (`isError`). */
  readonly result: ToolResult;
}

/** Thrown if a result does not conform to the tool's own output schema; the result is attached. */
export class InvalidResultError extends Error {
  /** @internal */
  static readonly [ownClass] = 'InvalidResultError';
  override readonly name = 'InvalidResultError';
  readonly code = 'INVALID_RESULT';
  /** The tool's name at its server. */
  declare readonly tool: string;
  declare readonly title: string;
  declare readonly reasons: readonly string[];
  declare readonly result: ToolResult;

  /** @internal */
  static override readonly [Symbol.hasInstance] = isOwnInstance;

  constructor(tool: string, reasons: readonly string[], result: ToolResult) {
    const title = `The result of tool "${shortened(tool, 100)}" does not satisfy its output schema.`;
    super([title, ...reasons].join('\n'));
    Object.assign(this, { tool, title, reasons, result });
  }
}

/**
 * Calls a tool: repairs the arguments (in their text, too, if that is given), checks them against the input schema,
 * calls, and checks the structured result.
 *
 * ```ts
 * const { result, repairs } = await callTool(session, tool, { limit: '10' }, { idleTimeoutMs: 5000 });
 * console.log(resultText(result), repairs.map(describeRepair));
 * ```
 *
 * @param named the tool, or its name
 * @throws InvalidArgumentsError before anything is sent, if the call is refused
 * @throws InvalidResultError if `outputSchema` is `fail` and the result does not conform to the schema
 * @throws McpError if the call itself fails, or the server has no tool of this name
 * @throws TypeError if an option does not exist or is wrong
 */
export async function callTool(
  session: Pick<Session, 'callTool'> & Partial<Pick<Session, 'listTools'>>,
  named: CatalogueTool | string,
  args: unknown,
  options: ToolOptions & CallOptions = {},
): Promise<ToolOutcome> {
  checkOptions('callTool', options, ofBoth);
  const tool = typeof named === 'string' ? await toolNamed(named, session, options) : named;
  const { outputSchema = 'warn', argumentsText: text } = options;
  const checked = acceptedArguments(tool, args, options);
  if (text === undefined) refuseNonFinite(tool, checked.arguments);
  const hidden = { ...options.fixed, ...options.hidden };
  const isSentAsWritten = text === undefined || checked.arguments === args;
  const argumentsText = isSentAsWritten ? text : rewrittenText(text, checked.arguments);
  const ofCall = filtered(options as JsonObject, (name) => Object.hasOwn(callOptions, name)); // they were checked
  const result = await session.callTool(tool, checked.arguments, Object.assign(ofCall, { argumentsText, hidden }));
  const problems = outputSchema === 'ignore' ? [] : problemsWith(result, tool, options);
  if (problems.length > 0 && outputSchema === 'fail') throw new InvalidResultError(tool.name, problems, result);
  const { warnings: ofResult = [] } = result;
  const warnings = [...checked.warnings, ...ofResult, ...(problems.length === 0 ? [] : [outputNote(problems)])];
  return { arguments: checked.arguments, repairs: checked.repairs, warnings, result };
}

async function toolNamed(
  name: string,
  session: Partial<Pick<Session, 'listTools'>>,
  { signal, idleTimeoutMs }: CallOptions,
): Promise<CatalogueTool> {
  const catalogue = await session.listTools?.({ signal, idleTimeoutMs });
  const tool = catalogue?.find(name);
  if (!tool) throw new McpError(`The server has no tool ${quote(name)}.`, { code: 'UNKNOWN_TOOL' });
  return tool;
}

/** `callTool` for the tools that `mcp-verbatim types` wrote down: by name, with arguments that the compiler checks. */
export type TypedCallTool<Tools> = <Name extends keyof Tools & string>(
  session: Pick<Session, 'callTool' | 'listTools'>,
  tool: Name,
  args: Tools[Name],
  options?: ToolOptions & CallOptions,
) => Promise<ToolOutcome>;

const ofBoth = { ...toolOptions, ...callOptions };

/**
 * The problems of a structured result. An error's result need not conform (MCP, tools: Output Schema), and an
 * undetermined outcome is no problem.
 */
function problemsWith(
  result: ToolResult,
  tool: CatalogueTool,
  { assertFormats = false, fixed }: ToolOptions,
): string[] {
  if (result.isError || !isSchema(tool.outputSchema)) return [];
  if (result.structuredContent === undefined) return ['It has no structured content.'];
  const evaluation = evaluate(compileSchema(tool.outputSchema), result.structuredContent, { assertFormats });
  if (evaluation.outcome !== 'invalid') return [];
  // A server may repeat fixed arguments.
  return secretMask(argumentSecrets({}, fixed)).known(violationLines(evaluation.violations)) as string[]; // texts stay texts
}

function outputNote(problems: readonly string[]): Note {
  const title = 'The structured result does not satisfy the output schema of the tool.';
  return { code: 'output-schema', message: [title, ...problems].join('\n') };
}

/**
 * The text for a model about a failed call; undefined for an error that is not about the call. Hints are left out: they
 * advise the person who runs the program, and a model can raise no timeout.
 */
export function messageForModel(error: unknown): string | undefined {
  if (isRequestFailure(error)) return sentences(error.message, error.outcomeUnknown ? unknownOutcome : undefined);
  const kinds = [InvalidArgumentsError, InvalidResultError, FixedArgumentsError];
  return kinds.some((kind) => error instanceof kind) ? (error as Error).message : undefined;
}
