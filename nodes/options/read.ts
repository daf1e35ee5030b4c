import type { Elicit, RepairChoice } from '../../src/internal.js';
import { answersFrom, checkRepairs, decline } from '../../src/internal.js';
import { grouped, isObject, type JsonObject } from '../../src/json/index.js';
import { textOfValue } from '../editor/gate.js';
import { isOutsideExecutions, type RunContext } from '../host/execution.js';
import * as agent from './agent.js';
import { namedValues, rows, textOf } from '../text.js';
import * as call from './description.js';
import { choiceOr, isOn, millisecondsIn, namesIn, numberIn, objectIn, textIn, valuesIn } from '../values.js';

export type NodeOptions = ReturnType<typeof readOptions>;

/** @throws Error if an option has a value that it does not know */
export function readOptions(context: RunContext, itemIndex: number) {
  const options = optionsOf(context.getNodeParameter('options', itemIndex, {}));
  const limits = valuesIn(options, call.timeLimits);
  const checks = valuesIn(options, call.checks());
  const along = valuesIn(options, call.sendAlong);
  const idleTimeoutMs = millisecondsIn(limits, call.idleTimeout) ?? 60_000;
  const maxDurationMs = millisecondsIn(limits, call.maximumDuration);
  const signal = context.getExecutionCancelSignal();
  // Outside executions the node is a new one each time, and would never find its connection again.
  const keepAliveMs = isOutsideExecutions(context) ? 0 : (millisecondsIn(options, call.keepConnection) ?? 0);
  return {
    tool: {
      repairs: repairsIn(valuesIn(options, call.repairs)),
      assertFormats: isOn(checks, call.checkFormats, false),
      whenUndetermined: choiceOr(checks, call.uncheckableArguments),
      outputSchema: choiceOr(checks, call.checkResults),
    },
    call: {
      idleTimeoutMs,
      ...(maxDurationMs !== undefined && { maxDurationMs }),
      ...(signal && { signal }),
      headers: namedValues(along['headers']),
      meta: objectIn(along, call.metadata),
      elicit: answersTo(valuesIn(options, call.whenServerAsks)),
    },
    session: { idleTimeoutMs, keepAliveMs },
    raw: isOn(options, call.rawResult, false),
    exposed: exposedOptions(options, checks),
  };
}

export function optionsOf(parameter: unknown): JsonObject {
  return isObject(parameter) ? parameter : {};
}

function exposedOptions(options: JsonObject, checks: JsonObject) {
  const search = valuesIn(options, agent.toolSearch);
  const approval = valuesIn(options, agent.approvedTools);
  const step = valuesIn(options, agent.step);
  return {
    prefix: textIn(options, agent.toolNamePrefix),
    providerSafe: isOn(options, agent.adaptSchemas, true),
    toolSearch: choiceOr(search, agent.mode, agent.toolSearch.name in options ? agent.mode.default : 'off'),
    always: namesIn(agent.alwaysExpose, search[agent.alwaysExpose.name] ?? []),
    /** As the panel stores it; undefined if tools need no approval. */
    approved: approvedIn(options),
    whenChanged: choiceOr(approval, agent.ifChanged),
    fixed: fixedArguments(options[agent.fixedArguments.name]),
    goesOn: choiceOr(options, agent.ifUnreachable, 'fail') === 'goOn',
    failsOnInvalid: choiceOr(checks, agent.invalidArguments) === 'fail',
    maxResultLength: numberIn(options, agent.maxResultLength) ?? Infinity,
    step: agent.step.name in options && {
      name: textOfValue(textIn(step, agent.oneTool)),
      json: objectIn(step, agent.stepArguments),
    },
    instructions: isOn(options, agent.showInstructions, false),
  };
}

/** The value of "Approved": '' if nothing was approved yet, undefined if the option was not added. */
export function approvedIn(options: JsonObject): unknown {
  if (!(agent.approvedTools.name in options)) return undefined;
  return { approved: '' as unknown, ...valuesIn(options, agent.approvedTools) }.approved;
}

/** An expression without a value must not leave the argument to the model: no tool is called "undefined". */
function fixedArguments(collection: unknown): Record<string, JsonObject> {
  const given = rows(collection).filter(({ tool, argument }) => tool !== '' || argument !== '');
  const byTool = grouped(given, ({ tool }) => textOfValue(textOf(tool)));
  const valuesOf = (fixed: readonly JsonObject[]) =>
    Object.fromEntries(fixed.map(({ argument, value }) => [textOf(argument).trim(), value]));
  return Object.fromEntries([...byTool].map(([tool, fixed]) => [tool, valuesOf(fixed)]));
}

function answersTo(values: JsonObject): Elicit {
  const answer = choiceOr(values, call.answer);
  if (answer === 'decline') return decline;
  return answersFrom(answer === 'fixed' ? objectIn(values, call.fixedAnswers) : {});
}

function repairsIn(values: JsonObject): RepairChoice | undefined {
  const repair = choiceOr(values, call.repair);
  if (repair !== 'choose') return repair;
  const { kinds = '' }: JsonObject = { kinds: call.kinds.default, ...values };
  checkRepairs(kinds);
  return kinds;
}
