import { compileSchema, evaluate } from '../internal.js';
import { jsonPointer, parseJson } from '../json/index.js';
import { UsageError } from './exit.js';

/** `name=value`, in words of their own. @throws UsageError where a word has no name, or two have the same */
export function pairsOf(words: readonly string[], instead: string): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>();
  for (const word of words) {
    const at = word.indexOf('=');
    if (at < 1) throw new UsageError(`"${word}" is not of the form NAME=VALUE. ${instead}`);
    const name = word.slice(0, at);
    if (pairs.has(name)) throw new UsageError(`"${name}" is given twice. ${instead}`);
    pairs.set(name, word.slice(at + 1));
  }
  return pairs;
}

/**
 * The pairs as one JSON object, typed by the schema: a value that the schema takes as a text is a text; one that it
 * takes as the JSON that it says is that, to the character. What it takes as neither stays the text that it is.
 */
export function typedPairs(pairs: ReadonlyMap<string, string>, inputSchema: unknown): string {
  const compiled = compileSchema(inputSchema);
  const texts = Object.fromEntries(pairs);
  const refusedIn = (args: Record<string, unknown>): ReadonlySet<string> => {
    const evaluation = evaluate(compiled, args);
    const violations = evaluation.outcome === 'invalid' ? evaluation.violations : [];
    return new Set(violations.map(({ instanceLocation }) => instanceLocation.split('/', 2).join('/')));
  };
  const refused = refusedIn(texts);
  const members = [...pairs].map(([name, text]) => {
    const place = jsonPointer([name]);
    const json = refused.has(place) ? parseJson(text) : undefined;
    const isJson = json !== undefined && !refusedIn({ ...texts, [name]: json }).has(place);
    return `${JSON.stringify(name)}:${isJson ? text.trim() : JSON.stringify(text)}`;
  });
  return `{${members.join(',')}}`;
}
