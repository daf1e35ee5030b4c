import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { callTool, checkArguments, defaultRepairs, describeRepair, InvalidArgumentsError } from '../../internal.js';
import type {
  CatalogueTool,
  RepairChoice,
  RepairOptions,
  RepairPreset,
  Session,
  ToolOptions,
  ToolOutcome,
} from '../../internal.js';
import { jsonText, messageOf } from '../../json/index.js';
import type { CallGiven } from '../usage/call.js';
import { chosenServer } from '../servers/choose.js';
import { elicitFor, reportAsked } from '../elicitation/elicit.js';
import { exitCodes, UsageError } from '../exit.js';
import { readText } from '../files.js';
import { compactJson, printJson } from '../terminal/json.js';
import { folderFor, renderResult } from '../terminal/result.js';
import type { Context } from '../context.js';
import { withSession } from '../servers/sessions.js';
import { pairsOf, typedPairs } from '../schema/pairs.js';
import { cut, oneLine } from '../terminal/text.js';
import type { Terminal } from '../terminal/terminal.js';
import { toolOf } from './list.js';

/** Calls one tool: what was repaired goes to stderr, the result to stdout. */
export async function call(given: CallGiven, context: Context): Promise<number> {
  const server = await chosenServer(given, context);
  const repairs = wantedRepairs(given);
  const elicit = elicitFor(given, context);
  const [name = '', ...words] = given.words;
  const inputFor = await readInput(words, context);
  const folder = folderFor(given, context.cwd);
  const { terminal, signal } = context;
  const work = async (session: Session) => {
    const tool = await toolOf(session, name, context);
    const input = inputFor(tool);
    const repaired = isRepaired(tool, input, { repairs }, terminal);
    const outcome = await callTool(session, tool, input.value, {
      signal,
      repairs,
      onProgress: (progress) => terminal.status(progressLine(progress, terminal)),
      argumentsText: repaired ? undefined : input.text,
      idleTimeoutMs: given['idle-timeout'],
      maxDurationMs: given['max-duration'],
    }).finally(() => terminal.status(''));
    report(outcome, terminal);
    const { result } = outcome;
    reportAsked(result.asked ?? [], terminal);
    if (given.json) printJson(result.rawText ?? jsonText(result.raw), terminal);
    const isSaved = given.json || renderResult(result, terminal, folder);
    if (!isSaved) return exitCodes.usage;
    return result.isError ? exitCodes.problem : exitCodes.success;
  };
  return withSession(server, given, context, work, elicit);
}

/** Whether arguments have to be repaired; where they are not used as they were written, that is said. */
function isRepaired(tool: CatalogueTool, input: Input, options: ToolOptions, terminal: Terminal): boolean {
  const tellRewritten = (what: string) => {
    if (input.isRewritten) warn(`${what} ${jsonText(input.value)}`, terminal);
  };
  try {
    const isSo = checkArguments(tool, input.value, options).repairs.length > 0;
    if (isSo) tellRewritten('apart from the repairs, the arguments are sent as');
    return isSo;
  } catch (error) {
    if (error instanceof InvalidArgumentsError) tellRewritten('the arguments are checked as');
    throw error;
  }
}

const presets: readonly RepairPreset[] = ['integers', 'safe', 'all', 'off'];

/** One word for all kinds, or some kinds by name. */
export function wantedRepairs({ strict, repair }: Pick<CallGiven, 'strict' | 'repair'>): RepairChoice | undefined {
  if (strict && repair.length > 0)
    throw new UsageError('--strict repairs nothing, so it cannot be combined with --repair.');
  if (strict) return 'off';
  if (repair.length === 0) return undefined;
  const preset = presets.find((word) => repair.length === 1 && word === repair[0]);
  if (preset) return preset;
  const kinds = Object.keys(defaultRepairs) as (keyof RepairOptions)[]; // its own keys, by its type
  const unknown = repair.find((kind) => !Object.hasOwn(defaultRepairs, kind));
  if (unknown !== undefined) {
    throw new UsageError(
      `--repair does not know "${unknown}". It takes one of ${presets.join(', ')}, or some of ${kinds.join(', ')}.`,
    );
  }
  return Object.fromEntries(kinds.map((kind) => [kind, kind === 'integers' || repair.includes(kind)]));
}

interface Input {
  value: unknown;
  /** As it was written. */
  text: string;
  /** Whether the value, written down again, is another text: numbers beyond JavaScript's, names in another order. */
  isRewritten: boolean;
}

/**
 * The arguments: `name=value` typed by the tool's schema; or JSON as text, `@file`, or `-` for stdin.
 *
 * @throws UsageError where they are neither
 */
async function readInput(words: readonly string[], context: Context): Promise<(tool: CatalogueTool) => Input> {
  const [first = '{}', ...more] = words;
  const isJson = more.length === 0 && !/^[^{[@"=][^=]*=/.test(first);
  if (!isJson) {
    const pairs = pairsOf(words, 'The arguments are NAME=VALUE for each, or one JSON object, @FILE, or - for stdin.');
    return ({ inputSchema }) => inputOf(typedPairs(pairs, inputSchema));
  }
  const input = inputOf(await readJson(first, context));
  return () => input;
}

async function readJson(word: string, { stdin, cwd }: Context): Promise<string> {
  if (word === '-') return (await buffer(stdin)).toString('utf8');
  return word.startsWith('@') ? readText(resolve(cwd, word.slice(1))) : word;
}

function inputOf(text: string): Input {
  try {
    const value: unknown = JSON.parse(text);
    if (value === null) return { value: {}, text: '{}', isRewritten: false };
    return { value, text, isRewritten: compactJson(text) !== jsonText(value) };
  } catch (error) {
    throw new UsageError(`The arguments are not JSON: ${messageOf(error)}`);
  }
}

function report({ repairs, warnings }: ToolOutcome, terminal: Terminal): void {
  const { paint } = terminal;
  for (const repair of repairs) terminal.note(`${paint.green('repaired')} ${describeRepair(repair)}`);
  for (const { message } of warnings) warn(message, terminal);
}

function warn(message: string, { note, paint }: Terminal): void {
  note(`${paint.yellow('warning:')} ${message}`);
}

/** "[███████░░░] 70 % message", or a bare count where the server does not say how much there is. */
export function progressLine(
  { progress, total, message }: { progress: number; total?: number; message?: string },
  { paint, columns = 80 }: Terminal,
): string {
  const text = message === undefined ? '' : ` ${oneLine(message)}`;
  if (total === undefined || total <= 0) return cut(`${progress}${text}`, columns - 1);
  const share = Math.min(1, Math.max(0, progress / total));
  const filled = Math.round(share * barWidth);
  const percent = `${Math.round(share * 100)} %`.padStart(5);
  return `${paint.cyan('█'.repeat(filled))}${paint.dim('░'.repeat(barWidth - filled))} ${cut(`${percent}${text}`, columns - barWidth - 2)}`;
}

const barWidth = 24;
