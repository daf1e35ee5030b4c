/**
 * Puts another id into a JSON-RPC message without touching any other byte of it: the recorded answers of real servers
 * have to come back exactly as they were.
 */
export function withId(line: string, id: unknown): string {
  const { start, end } = topLevelValue(line, 'id');
  return line.slice(0, start) + JSON.stringify(id) + line.slice(end);
}

/** Where the value of a key of the outermost object begins and ends. */
function topLevelValue(json: string, key: string): { start: number; end: number } {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const char = json[at];
    if (char === '"') {
      const end = endOfString(json, at);
      if (depth === 1 && json.slice(at, end) === `"${key}"` && json[skipSpace(json, end)] === ':') {
        const start = skipSpace(json, skipSpace(json, end) + 1);
        return { start, end: endOfScalar(json, start) };
      }
      at = end - 1;
    } else if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') depth--;
  }
  throw new Error(`The message has no top-level "${key}".`);
}

function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at + 1;
}

function endOfScalar(json: string, start: number): number {
  if (json[start] === '"') return endOfString(json, start);
  let at = start;
  while (!/[,}\s]/.test(json[at]!)) at++;
  return at;
}

function skipSpace(json: string, at: number): number {
  while (/\s/.test(json[at]!)) at++;
  return at;
}
