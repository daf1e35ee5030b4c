import { argumentsFromText, doubledName, isNoText, isObject, parseJson, quote, shortened } from '../json/index.js';
import type { JsonObject } from '../json/index.js';

/** A model's text for the arguments of a call. */
export type WrittenArguments =
  | { readonly value: unknown; readonly text?: string }
  /** A clause that says why they cannot be read. */
  | { readonly problem: string };

/**
 * The arguments of a call, given as a value or as a model's text. An empty text means no arguments; a text that is not
 * JSON is read leniently (Python literals, trailing commas, code fences, encoded twice).
 */
export function writtenArguments(given: unknown): WrittenArguments {
  if (typeof given !== 'string') return { value: given };
  if (isNoText(given)) return { value: {} };
  const json = parseJson(given);
  const doubled = isObject(json) ? doubledName(given) : undefined;
  if (doubled !== undefined) return { problem: `duplicate key ${quote(shortened(doubled, 100))}.` };
  if (isObject(json)) return { value: json, text: given };
  const value: JsonObject | undefined = argumentsFromText(given);
  return value ? { value } : { problem: problemWith(given) };
}

/** Why a text is no JSON object. */
export function problemWith(args: string): string {
  if (args.trim() === '') return 'they are empty.';
  const problems: string[] = [];
  argumentsFromText(args, (problem) => problems.push(problem));
  if (problems[0] !== undefined) return `${problems[0]}.`;
  try {
    JSON.parse(args);
    return 'they are another JSON value.';
  } catch (error) {
    // The parser's message names the place, and quotes a few characters.
    return error instanceof Error ? `${error.message.slice(0, 200)}.` : 'they cannot be read.';
  }
}
