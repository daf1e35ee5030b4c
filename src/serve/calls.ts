import {
  checkArguments,
  describeRepair,
  FixedArgumentsError,
  InvalidArgumentsError,
  shortenedAnswers,
} from '../index.js';
import type { CatalogueTool, FixedArguments, Repair, ToolOptions } from '../index.js';
import {
  doubledIn,
  equals,
  isList,
  isObject,
  type JsonObject,
  jsonPointer,
  JsonText,
  jsonText,
  parseJson,
  pointerTokens,
  quote,
  shortened,
  valueAt,
  withMember,
} from '../json/index.js';
import { argumentSecrets, secretMask } from '../secrets/index.js';

/** A call as it goes on to the server, or the refusal that the model reads instead. */
type CheckedCall =
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
  const doubled = doubledName(paramsText);
  if (doubled !== undefined) {
    const refusal = `${quote(shortened(doubled, 100))} stands twice in this call, which servers read in different ways. The tool was not called. Write it once.`;
    return { refusal, remarks: [refusal] };
  }
  try {
    const { arguments: args, repairs, warnings } = checkArguments(tool, params['arguments'], options);
    const remarks = [...repairs.map(describeRepair), ...warnings.map(({ message }) => message)];
    const { fixed = {} } = options;
    if (repairs.length === 0 && Object.keys(fixed).length === 0) return { paramsText, params, remarks };
    const sent = isObject(params['arguments']) ? Object.keys(params['arguments']) : [];
    const gone = sent.filter((name) => !Object.hasOwn(args, name)).map((name) => [name, undefined] as const);
    const withFixed = [...Object.entries(fixed), ...gone].reduce(
      (text, [name, value]) => withMember(text, ['arguments', name], value === undefined ? undefined : jsonText(value)),
      paramsText,
    );
    return { paramsText: repairedText(withFixed, repairs, args), params: { ...params, arguments: args }, remarks };
  } catch (error) {
    if (error instanceof FixedArgumentsError) return { refusal: error.message, remarks: [error.message] };
    if (!(error instanceof InvalidArgumentsError)) throw error;
    return { refusal: error.message, remarks: [`refused: ${error.title}`, ...error.reasons] };
  }
}

/** A name that an object in a JSON text has twice. */
function doubledName(text: string): string | undefined {
  for (const { names = [] } of new JsonText(text).places()) {
    const doubled = doubledIn(names);
    if (doubled !== undefined) return doubled;
  }
  return undefined;
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

/** What a model reads where no server has answered, in the shape of a result. */
export function textResult(text: string, isError: boolean): string {
  return JSON.stringify({ content: [{ type: 'text', text }], ...(isError && { isError }) });
}

/** A result that reports a failure, without the fixed arguments that it repeats; every other to the character. */
export function resultWithout(fixed: FixedArguments | undefined, resultText: string): string {
  if (fixed === undefined) return resultText;
  const result = parseJson(resultText);
  if (!isObject(result) || result['isError'] !== true) return resultText;
  const told = secretMask(argumentSecrets({}, fixed)).known(result);
  return equals(told, result) ? resultText : jsonText(told);
}

/**
 * A result whose texts have so many characters at most, together. Structured content that is longer becomes a text, where
 * no text says the same: of an object there is no part that its schema would accept.
 */
export function shortenedResult(resultText: string, longest: number): string {
  if (resultText.length <= longest) return resultText;
  const result = parseJson(resultText);
  if (!isObject(result) || !isList(result['content'])) return resultText;
  const { content, structuredContent: structured } = result;
  const texts = content.map(textOf);
  const structuredText = structured === undefined ? '' : jsonText(structured);
  const isShort = texts.reduce((sum, text) => sum + text.length, 0) <= longest && structuredText.length <= longest;
  if (isShort) return resultText;
  const isSaid = texts.some((text) => equals(parseJson(text), structured));
  const short = shortenedAnswers([...texts, ...(isSaid || structured === undefined ? [] : [structuredText])], longest);
  const blocks = content.flatMap((block, index) => {
    const text = short[index] ?? '';
    if (texts[index] === '') return [block];
    return text === '' ? [] : [withText(block, text)];
  });
  const added = short
    .slice(texts.length)
    .filter(Boolean)
    .map((text) => ({ type: 'text', text }));
  const without = withMember(resultText, ['structuredContent'], undefined);
  return withMember(without, ['content'], jsonText([...blocks, ...added]));
}

/** The text of a block, or of the resource in it; empty where there is none. */
function textOf(block: unknown): string {
  if (!isObject(block)) return '';
  const { text } = isObject(block['resource']) ? block['resource'] : block;
  return typeof text === 'string' ? text : '';
}

function withText(block: unknown, text: string): unknown {
  if (!isObject(block)) return block;
  return isObject(block['resource']) ? { ...block, resource: { ...block['resource'], text } } : { ...block, text };
}
