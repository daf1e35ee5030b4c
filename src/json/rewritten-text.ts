import { JsonScanner, type Span } from './scanner.js';
import { jsonText, parseJson } from './text.js';
import { has, isList, isObject, type JsonObject } from './value.js';

/** The JSON text of a value, with each part as `text` has it that says the same: numbers keep digits beyond 2^53. */
export function rewrittenText(text: string, value: unknown): string {
  const json = new JsonScanner(text);
  return textOf(json.root(), parseJson(text), value);

  function textOf(span: Span, before: unknown, after: unknown): string {
    if (isSame(before, after)) return json.slice(span);
    if (isObject(before) && isObject(after)) return objectText(span, before, after);
    if (!isList(before) || !isList(after) || before.length !== after.length) return jsonText(after);
    const items = [...json.items(span)];
    return replaced(
      span,
      items.map((item, index) => [item, textOf(item, before[index], after[index])]),
    );
  }

  function objectText(span: Span, before: JsonObject, after: JsonObject): string {
    const members = [...json.members(span)].map(([key, value]) => ({
      name: json.name(key),
      key,
      value,
    }));
    // The last of several members with one name counts.
    const last = new Map(members.map((member) => [member.name, member]));
    const kept = members.filter((member) => last.get(member.name) === member && Object.hasOwn(after, member.name));
    const values = kept.map(({ name, value }): [Span, string] => [value, textOf(value, before[name], after[name])]);
    const added = Object.entries(after).flatMap(([name, value]) =>
      last.has(name) ? [] : [`${JSON.stringify(name)}:${jsonText(value)}`],
    );
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

/** True if two JSON values are equal. Without recursion, since unrepaired values may nest without end. */
function isSame(before: unknown, after: unknown): boolean {
  const waiting = [[before, after]];
  for (let pair = waiting.pop(); pair; pair = waiting.pop()) {
    const [one, other] = pair;
    if (isList(one) && isList(other)) {
      if (one.length !== other.length) return false;
      for (const [index, item] of one.entries()) waiting.push([item, other[index]]);
    } else if (isObject(one) && isObject(other)) {
      const names = Object.keys(one);
      const isAsLarge = Object.values(other).filter((value) => value !== undefined).length === names.length;
      if (!isAsLarge || !names.every((name) => has(other, name))) return false;
      for (const name of names) waiting.push([one[name], other[name]]);
    } else if (one !== other) return false;
  }
  return true;
}
