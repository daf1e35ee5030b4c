import { equals } from './canonical.js';
import { JsonScanner, type Span } from './scanner.js';
import { jsonText, parseJson } from './text.js';
import { isList, isObject, type JsonObject } from './value.js';

/** The JSON text of a value, with each part as `text` has it that says the same: numbers keep digits beyond 2^53. */
export function rewrittenText(text: string, value: unknown): string {
  const json = new JsonScanner(text);
  return textOf(json.root(), parseJson(text), value);

  function textOf(span: Span, before: unknown, after: unknown): string {
    if (equals(before, after)) return json.slice(span);
    if (isObject(before) && isObject(after)) return objectText(span, before, after);
    if (!isList(before) || !isList(after) || before.length !== after.length) return jsonText(after);
    const items = Array.from(json.items(span), (item, index): [Span, string] => {
      return [item, textOf(item, before[index], after[index])];
    });
    return replaced(span, items);
  }

  function objectText(span: Span, before: JsonObject, after: JsonObject): string {
    const members = [...json.members(span)].map(([key, value]) => ({ name: json.name(key), key, value }));
    // The last of several members with one name counts.
    const last = new Map(members.map((member) => [member.name, member]));
    const kept = members.filter((member) => last.get(member.name) === member && Object.hasOwn(after, member.name));
    const values = kept.map(({ name, value }): [Span, string] => [value, textOf(value, before[name], after[name])]);
    const others = Object.entries(after).filter(([name]) => !last.has(name));
    const added = others.map(([name, value]) => `${JSON.stringify(name)}:${jsonText(value)}`);
    if (added.length === 0 && kept.length === members.length) return replaced(span, values);
    const texts = values.map(([value, now], at) => text.slice(kept[at]?.key.start, value.start) + now);
    return `{${[...added, ...texts].join(', ')}}`;
  }

  function replaced(span: Span, parts: readonly (readonly [Span, string])[]): string {
    let at = span.start;
    const texts = parts.map(([part, now]) => {
      const between = text.slice(at, part.start);
      at = part.end;
      return between + now;
    });
    return texts.join('') + text.slice(at, span.end);
  }
}
