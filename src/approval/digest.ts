import { base64Of, JsonScanner, parseJson, sha256 } from '../json/index.js';

export function textDigest(text: string): string {
  return `sha256-${base64Of(sha256(text))}`;
}

/**
 * A digest of a tool's text on the wire, every field but the name, so that a renamed tool is recognised. Numbers count
 * as they are written, and both members of a duplicate key count. White space, the escapes of strings and the order of
 * members do not count: some servers change them at each start.
 */
export function toolDigest(text: string): string {
  return textDigest(ordered(text));
}

interface Level {
  readonly isObject: boolean;
  parts: [name: string, text: string][];
  name: string | undefined;
}

/** One pass, however deep the text nests. */
function ordered(text: string): string {
  const top: Level = { isObject: false, parts: [], name: undefined };
  const levels: Level[] = [top];
  for (const token of new JsonScanner(text).tokens()) {
    const level = levels.at(-1) ?? top;
    if (token === ',') continue;
    if (token === '{' || token === '[') {
      levels.push({ isObject: token === '{', parts: [], name: undefined });
    } else if (token === '}' || token === ']') {
      levels.pop();
      if (levels.length === 1) level.parts = level.parts.filter(([name]) => name !== '"name"');
      add(levels.at(-1) ?? top, closed(level));
    } else if (level.isObject && level.name === undefined) level.name = inOneForm(token);
    else add(level, inOneForm(token));
  }
  return top.parts.map(([, part]) => part).join();
}

function add(level: Level, text: string): void {
  level.parts.push([level.name ?? '', text]);
  level.name = undefined;
}

function closed({ isObject, parts }: Level): string {
  if (!isObject) return `[${parts.map(([, text]) => text).join()}]`;
  // Sorting is stable: of members with one name the last stays the last.
  parts.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  return `{${parts.map(([name, text]) => `${name}:${text}`).join()}}`;
}

function inOneForm(token: string): string {
  return token.includes('\\') ? JSON.stringify(parseJson(token)) : token;
}
