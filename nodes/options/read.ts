import { type IExecuteFunctions, type ISupplyDataFunctions, NodeOperationError } from 'n8n-workflow';
import { isOutsideExecutions } from '../connection/execution.js';
import { isList, isObject, jsonText, type JsonObject, parseJson } from '../../src/json/index.js';
import type { SessionOptions } from '../connection/session.js';
import { textOfValue } from '../editor/gate.js';
import { groups } from './group.js';
import {
  answersFrom,
  type CallOptions,
  decline,
  defaultRepairs,
  type ToolSearchMode,
  type Elicit,
  type RepairChoice,
  type ToolOptions,
  type WhenChanged,
} from '../../src/internal.js';

export interface NodeOptions {
  /** How arguments and results are checked. */
  tool: ToolOptions;
  call: CallOptions;
  session: SessionOptions;
  /** Only the sub-node has it: whether the model is told about arguments that do not fit, or the node fails. */
  invalidArguments: 'tell' | 'fail';
  prefix: string;
  /** Only the sub-node has it: whether the model is shown a projection of each schema that its provider refuses. */
  providerSafe: boolean;
  /** Only the sub-node has these. */
  offer: OfferOptions;
  raw: boolean;
}

/** What the sub-node offers a model, and how it answers it. */
export interface OfferOptions {
  toolSearch: ToolSearchMode;
  always: readonly string[];
  /** What was approved, as the panel stores it; empty where tools may change. */
  approved: unknown;
  whenChanged: WhenChanged;
  /** By tool, then by argument, as they stand in the panel or came of expressions. */
  fixed: ReadonlyMap<string, ReadonlyMap<string, unknown>>;
  whenAway: 'fail' | 'goOn';
  maxResultLength: number;
  instructions: boolean;
}

/** What stands in the node's options, with the defaults of what was not touched. */
export function readOptions(context: IExecuteFunctions | ISupplyDataFunctions, itemIndex: number): NodeOptions {
  const options = ungrouped(context.getNodeParameter('options', itemIndex, {}));
  const idleTimeoutMs = milliseconds(options['idleTimeout']) ?? positive(options['timeout']) ?? 60_000;
  const maxDurationMs = milliseconds(options['maximumDuration']) ?? positive(options['totalLimit']);
  const signal = context.getExecutionCancelSignal();
  // Outside executions the node is a new one each time, and would never find its connection again.
  const keepAliveMs = isOutsideExecutions(context) ? 0 : (milliseconds(options['keepAlive']) ?? 0);
  return {
    tool: {
      repairs: repairs(options, context.getNode().typeVersion),
      assertFormats: options['assertFormats'] === true,
      whenUndetermined: options['whenUndetermined'] === 'allow' ? 'allow' : 'refuse',
      outputSchema:
        options['outputSchema'] === 'ignore' || options['outputSchema'] === 'fail' ? options['outputSchema'] : 'warn',
    },
    call: {
      idleTimeoutMs,
      ...(maxDurationMs !== undefined && { maxDurationMs }),
      ...(signal ? { signal } : {}),
      headers: headersIn(options['headers']),
      meta: jsonOption(context, 'Metadata', options['metadata'], itemIndex),
      elicit: answersTo(options['whenAsked'], () =>
        jsonOption(context, 'Fixed Answers', options['answers'], itemIndex),
      ),
    },
    session: { idleTimeoutMs, keepAliveMs },
    invalidArguments: options['invalidArguments'] === 'fail' ? 'fail' : 'tell',
    prefix: typeof options['prefix'] === 'string' ? options['prefix'] : '',
    providerSafe: options['providerSafe'] !== false,
    offer: offerOptions(options),
    raw: options['raw'] === true,
  };
}

/** Options as they were before they were grouped: the fields of every group beside the options that stand alone. */
export function ungrouped(options: unknown): Record<string, unknown> {
  if (!isObject(options)) return {};
  const fields = groups.map((name) => options[name]).map((option) => (isObject(option) ? option['values'] : undefined));
  return Object.assign({ ...options }, ...fields.filter(isObject)) as Record<string, unknown>; // of objects alone
}

function offerOptions(options: Record<string, unknown>): OfferOptions {
  const { discovery, pinned, longestAnswer, approved, whenChanged } = options;
  const fixed = new Map<string, Map<string, unknown>>();
  for (const { tool, argument, value } of rows(options.fixedArguments)) {
    if (tool === '' && argument === '') continue;
    // An expression that names nothing must not leave to the model what was to be fixed: there is no such tool.
    const [ofTool, name] = [textOfValue(textOf(tool)), textOf(argument).trim()];
    fixed.set(ofTool, (fixed.get(ofTool) ?? new Map<string, unknown>()).set(name, value));
  }
  return {
    toolSearch: discovery === 'auto' ? 'auto' : discovery === 'on-demand' ? 'on' : 'off',
    always: isList(pinned) ? pinned.filter((name) => typeof name === 'string').map(textOfValue) : [],
    approved: 'approved' in options ? approved : '',
    whenChanged: whenChanged === 'warn' || whenChanged === 'fail' ? whenChanged : 'skip',
    fixed,
    whenAway: options.whenAway === 'goOn' ? 'goOn' : 'fail',
    maxResultLength: positive(longestAnswer) ?? Infinity,
    instructions: options.instructions === true,
  };
}

/** The rows of a fixedCollection: `{ values: [{...}, ...] }`. */
function rows(collection: unknown): readonly JsonObject[] {
  const values = isObject(collection) ? collection['values'] : undefined;
  return isList(values) ? values.filter(isObject) : [];
}

function milliseconds(seconds: unknown): number | undefined {
  const number = positive(seconds);
  return number === undefined ? undefined : number * 1000;
}

/** A number that was typed, or what an expression gave, which is text where it was sent to a webhook. */
function positive(value: unknown): number | undefined {
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && number > 0 ? number : undefined;
}

/** Without those for which an expression has nothing. */
function headersIn(collection: unknown): Record<string, string> {
  const given = rows(collection).filter(({ value }) => value !== undefined && value !== null);
  return Object.fromEntries(given.map(({ name, value }) => [String(name).trim(), textOf(value)]));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : jsonText(value);
}

function answersTo(whenAsked: unknown, fixed: () => Record<string, unknown>): Elicit {
  if (whenAsked === 'defaults') return answersFrom({});
  return whenAsked === 'fixed' ? answersFrom(fixed()) : decline;
}

/** JSON that was typed, or the object that an expression gave. */
function jsonOption(
  context: IExecuteFunctions | ISupplyDataFunctions,
  name: string,
  value: unknown,
  itemIndex: number,
): Record<string, unknown> {
  if (value === undefined || value === '') return {};
  const parsed = typeof value === 'string' ? parseJson(value) : value;
  if (isObject(parsed)) return parsed;
  throw new NodeOperationError(context.getNode(), `The option "${name}" is no JSON object`, { itemIndex });
}

function repairs(options: Record<string, unknown>, version: number): RepairChoice {
  const { repair } = options;
  if (repair === 'integers' || repair === 'safe' || repair === 'all' || repair === 'off') return repair;
  if (version > 1 && repair !== 'choose') return 'safe';
  const isChosen = version < 1.2 ? chosenOneByOne(options, version) : among(options['kinds']);
  return Object.fromEntries(Object.keys(defaultRepairs).map((kind) => [kind, isChosen(kind)]));
}

function among(kinds: unknown): (kind: string | undefined) => boolean {
  return (kind) => isList(kinds) && kinds.includes(kind);
}

/** Workflows of the first version may have no `repair`: what they chose counts, and meant two kinds more. */
function chosenOneByOne({ integers, repairs }: Record<string, unknown>, version: number): (kind: string) => boolean {
  const isAmong = among(repairs);
  return (kind) => {
    if (kind === 'integers') return integers !== false;
    return isAmong(kind) || (version === 1 && isAmong(formerly[kind]));
  };
}

const formerly: Readonly<Record<string, string>> = { decimals: 'strings', blanks: 'nulls' };
