import { checkArguments, describeRepair, InvalidArgumentsError } from '../index.js';
import type { CatalogueTool, Repair, ToolOptions } from '../index.js';
import {
  equals,
  isObject,
  jsonPointer,
  parseJson,
  pointerTokens,
  type JsonObject,
  valueAt,
  withMember,
} from '../json/index.js';

/** A call as it goes on to the server, or the refusal that the model reads instead. */
export type CheckedCall =
  | { readonly paramsText: string; readonly params: JsonObject; readonly remarks: readonly string[] }
  | { readonly refusal: string; readonly remarks: readonly string[] };

/**
 * Repairs and checks the arguments of `tools/call`. What needs no repair goes on to the character, and where something is
 * repaired, the rest of the arguments does.
 */
export function checkedCall(
  tool: CatalogueTool,
  { params, paramsText }: { params: JsonObject; paramsText: string },
  options: ToolOptions,
): CheckedCall {
  try {
    const { arguments: args, repairs, warnings } = checkArguments(tool, params['arguments'], options);
    const remarks = [...repairs.map(describeRepair), ...warnings.map(({ message }) => message)];
    if (repairs.length === 0) return { paramsText, params, remarks };
    return { paramsText: repairedText(paramsText, repairs, args), params: { ...params, arguments: args }, remarks };
  } catch (error) {
    if (!(error instanceof InvalidArgumentsError)) throw error;
    return { refusal: error.message, remarks: [`refused: ${error.title}`, ...error.reasons] };
  }
}

/** The params with the repaired values in place; the others keep their text, numbers beyond JavaScript's included. */
function repairedText(paramsText: string, repairs: readonly Repair[], args: JsonObject): string {
  const text = repairs.reduce((current, { instanceLocation, kind, to }) => {
    const path = pointerTokens(instanceLocation);
    // What is in a list, or renamed, is written anew with all the rest.
    if (kind === 'name' || !path.every((_, depth) => isObject(valueAt(args, jsonPointer(path.slice(0, depth))))))
      return current;
    return withMember(current, ['arguments', ...path], to === undefined ? undefined : JSON.stringify(to));
  }, paramsText);
  const said = parseJson(text);
  const isRepaired = isObject(said) && equals(said['arguments'], args);
  return isRepaired ? text : withMember(paramsText, ['arguments'], JSON.stringify(args));
}

/** What a model reads of a call that was not sent, in the shape of a result. */
export function refusalResult(message: string): string {
  return JSON.stringify({ content: [{ type: 'text', text: message }], isError: true });
}
