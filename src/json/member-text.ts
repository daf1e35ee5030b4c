import { JsonScanner, type Span } from './scanner.js';
import { parseJson } from './text.js';

export function doubledIn(names: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return names.find((name) => seen.size === seen.add(name).size);
}

export function memberText(text: string, path: readonly string[]): string | undefined {
  const json = new JsonScanner(text);
  let span: Span | undefined = json.root();
  for (const name of path) span = span && json.member(span, name);
  return span && json.slice(span);
}

/**
 * The text of an object with one member replaced, or left out, and the others to the character. A new member goes in front
 * of the others, the objects that lead to it included. Of several with one name the last counts.
 *
 * ```ts
 * withMember('{"a": 1.0, "b": {}}', ['b', 'c'], '2'); // => '{"a": 1.0, "b": {"c":2}}'
 * ```
 *
 * @param value the text of the new value; undefined leaves the member out
 */
export function withMember(text: string, path: readonly string[], value: string | undefined): string {
  const [name, ...rest] = path;
  if (name === undefined) return value ?? text;
  const json = new JsonScanner(text);
  const object = json.root();
  const members = [...json.members(object)];
  const hasName = ([key]: [name: Span, value: Span]) => parseJson(json.slice(key)) === name;
  const present = members.findLast(hasName);
  if (present && (value !== undefined || rest.length > 0)) {
    const [, span] = present;
    return text.slice(0, span.start) + withMember(json.slice(span), rest, value) + text.slice(span.end);
  }
  if (present) {
    const kept = members.filter((member) => !hasName(member)).map(([key, span]) => text.slice(key.start, span.end));
    return `${text.slice(0, object.start + 1)}${kept.join(', ')}${text.slice(object.end - 1)}`;
  }
  if (value === undefined || text[object.start] !== '{') return text;
  const added = `${JSON.stringify(name)}:${withMember(rest.length > 0 ? '{}' : value, rest, value)}`;
  return `${text.slice(0, object.start + 1)}${added}${members.length > 0 ? ',' : ''}${text.slice(object.start + 1)}`;
}
