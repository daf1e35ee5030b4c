import { isHeldNumber, isNumber, jsonPointer, parseJson } from '../../json/index.js';
import { compileSchema, evaluate, type Violation } from '../../schema/index.js';
import type { FormField } from './form.js';

/**
 * The JSON of each typed text. It is the text itself if the schema takes a string there. Otherwise, and for a list or
 * an object that the schema takes, it is the typed JSON, to the character. JSON that the schema rejects stays what it is
 * if no string is expected: `1.5` for an integer is not a string.
 */
export function typedJson(texts: ReadonlyMap<string, string>, inputSchema: unknown): Map<string, string> {
  const compiled = compileSchema(inputSchema);
  const asTexts = Object.fromEntries(texts);
  const refusedIn = (args: Record<string, unknown>): ReadonlyMap<string, Violation> => {
    const evaluation = evaluate(compiled, args);
    const violations = evaluation.outcome === 'invalid' ? evaluation.violations : [];
    return new Map(violations.map((each) => [each.instanceLocation.split('/', 2).join('/'), each]));
  };
  const refused = refusedIn(asTexts);
  const members = [...texts].map(([name, text]): [string, string] => {
    const place = jsonPointer([name]);
    const parsed = parseJson(text);
    const json = parsed === Infinity || parsed === -Infinity ? undefined : parsed; // JavaScript's reading of 1e400
    const isCandidate = typeof json === 'object' && json !== null ? true : json !== undefined && refused.has(place);
    const isTaken = isCandidate && !refusedIn({ ...asTexts, [name]: json }).has(place);
    const isJson = isTaken || (isCandidate && refused.get(place)?.expectedTypes?.includes('string') === false);
    return [name, isJson ? text.trim() : JSON.stringify(text)];
  });
  return new Map(members);
}

/**
 * The value that a line of text means to a field. A text that the field rejects stays as it is, for the validation.
 *
 * @param item for a list, written with commas or as JSON: the field that each of its items would be
 */
export function typedText(field: FormField, text: string, item?: FormField): unknown {
  const trimmed = text.trim();
  if (field.options) return (optionOf(field, trimmed) ?? { value: text }).value;
  switch (field.type) {
    case 'number':
      // An answer has no text of its own that could carry other numbers.
      return isNumber(trimmed) && isHeldNumber(trimmed) ? Number(trimmed) : text;
    case 'boolean':
      return /^(y|yes|true)$/i.test(trimmed) ? true : /^(n|no|false)$/i.test(trimmed) ? false : text;
    case 'array':
      if (trimmed.startsWith('[')) return parseJson(trimmed) ?? text;
      return trimmed.split(',').map((part) => (item ? typedText(item, part) : part.trim()));
    case 'object':
    case 'json':
      return parseJson(trimmed) ?? text;
    default:
      return text;
  }
}

/** The option that a form carries by its key, or somebody typed by its label: `1` and `"1"` are two of them. */
export function optionOf({ options = [] }: FormField, text: string) {
  return options.find(({ key }) => key === text) ?? options.find(({ label }) => label === text);
}
