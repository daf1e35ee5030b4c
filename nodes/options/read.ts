import type { Elicit, RepairChoice, ToolSearchMode } from '../../src/internal.js';
import { answersFrom, decline, defaultRepairs } from '../../src/internal.js';
import { isList, isObject, type JsonObject, parseJson } from '../../src/json/index.js';
import { isOutsideExecutions, type RunContext } from '../host/execution.js';
import { textOfValue } from '../editor/gate.js';
import { SetupError } from '../errors.js';
import { groups } from '../fields.js';
import { namedValues, rows, textOf } from '../text.js';

export type NodeOptions = ReturnType<typeof readOptions>;

/**
 * Saved names never change, so some are older than what is shown (`discovery`: tool search, `pinned`: always exposed).
 * Before version 1.2, `timeout` and `totalLimit` (milliseconds) stood for `idleTimeout` and `maximumDuration` (seconds).
 */
export function readOptions(context: RunContext, itemIndex: number) {
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
      whenUndetermined: oneOf(options['whenUndetermined'], ['refuse', 'allow']),
      outputSchema: oneOf(options['outputSchema'], ['warn', 'ignore', 'fail']),
    },
    call: {
      idleTimeoutMs,
      ...(maxDurationMs !== undefined && { maxDurationMs }),
      ...(signal && { signal }),
      headers: namedValues(options['headers']),
      meta: jsonOption('Metadata', options['metadata']),
      elicit: answersTo(options),
    },
    session: { idleTimeoutMs, keepAliveMs },
    raw: options['raw'] === true,
    exposed: exposedOptions(options),
  };
}

/** Options as they were before they were grouped: the fields of every group beside the options that stand alone. */
export function ungrouped(options: unknown): JsonObject {
  if (!isObject(options)) return {};
  const fields = groups.map((name) => options[name]).map((option) => (isObject(option) ? option['values'] : undefined));
  return Object.assign({ ...options }, ...fields.filter(isObject)) as JsonObject; // of objects alone
}

export type ExposedOptions = ReturnType<typeof exposedOptions>;

function exposedOptions(options: JsonObject) {
  const { discovery, pinned, prefix } = options;
  const toolSearch: ToolSearchMode = discovery === 'on-demand' ? 'on' : discovery === 'auto' ? 'auto' : 'off';
  return {
    prefix: typeof prefix === 'string' ? prefix : '',
    providerSafe: options['providerSafe'] !== false,
    toolSearch,
    always: isList(pinned) ? pinned.filter((name) => typeof name === 'string').map(textOfValue) : [],
    /** As the panel stores it; '' where tools may change. */
    approved: 'approved' in options ? options['approved'] : '',
    whenChanged: oneOf(options['whenChanged'], ['skip', 'warn', 'fail']),
    fixed: fixedArguments(options['fixedArguments']),
    goesOn: options['whenAway'] === 'goOn',
    failsOnInvalid: options['invalidArguments'] === 'fail',
    maxResultLength: positive(options['longestAnswer']) ?? Infinity,
    instructions: options['instructions'] === true,
  };
}

function fixedArguments(collection: unknown): ReadonlyMap<string, ReadonlyMap<string, unknown>> {
  const fixed = new Map<string, Map<string, unknown>>();
  for (const { tool, argument, value } of rows(collection)) {
    if (tool === '' && argument === '') continue;
    // An expression without a value must not leave to the model what was to be fixed: there is no tool "undefined".
    const name = textOfValue(textOf(tool));
    fixed.set(name, (fixed.get(name) ?? new Map<string, unknown>()).set(textOf(argument).trim(), value));
  }
  return fixed;
}

function oneOf<const Choice extends string>(value: unknown, choices: readonly [Choice, ...Choice[]]): Choice {
  return choices.find((choice) => choice === value) ?? choices[0];
}

function milliseconds(seconds: unknown): number | undefined {
  const number = positive(seconds);
  return number && number * 1000;
}

/** A number that was typed, or what an expression gave, which is text where it was sent to a webhook. */
function positive(value: unknown): number | undefined {
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && number > 0 ? number : undefined;
}

function answersTo({ whenAsked, answers }: JsonObject): Elicit {
  if (whenAsked === 'defaults') return answersFrom({});
  return whenAsked === 'fixed' ? answersFrom(jsonOption('Fixed Answers', answers)) : decline;
}

function jsonOption(name: string, value: unknown): JsonObject {
  if (value === undefined || value === '') return {};
  const parsed = typeof value === 'string' ? parseJson(value) : value;
  if (isObject(parsed)) return parsed;
  throw new SetupError(`The option "${name}" is no JSON object`, 'Give one property per value, such as { "a": 1 }.');
}

function repairs(options: JsonObject, version: number): RepairChoice {
  const { repair } = options;
  if (repair === 'integers' || repair === 'safe' || repair === 'all' || repair === 'off') return repair;
  if (version > 1 && repair !== 'choose') return 'safe';
  const chosen = chosenRepairs(options, version);
  return Object.fromEntries(Object.keys(defaultRepairs).map((kind) => [kind, chosen.includes(kind)]));
}

/** Before version 1.2 there were two options. In version 1, two of the kinds included another one. */
function chosenRepairs({ kinds, integers, repairs }: JsonObject, version: number): unknown[] {
  if (version >= 1.2) return isList(kinds) ? [...kinds] : [];
  const chosen = [...(isList(repairs) ? repairs : []), ...(integers === false ? [] : ['integers'])];
  const included = version > 1 ? [] : chosen.map((kind) => ({ strings: 'decimals', nulls: 'blanks' })[String(kind)]);
  return [...chosen, ...included];
}
