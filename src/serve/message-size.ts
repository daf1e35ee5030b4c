/**
 * What one message of a client may hold over HTTP, where reading it keeps the other clients waiting. Checking it costs
 * what the schema makes of it, up to the evaluation's own budget.
 */
export const maxMessageBytes = 8 * 1024 * 1024;
const maxDepth = 500;
const maxValues = 20_000;
/** What takes as long as so many values: a name in an object, and a backslash in a string. */
const valuesOf = { name: 5, escape: 0.05 };

/** Why a message holds too much to be read, found without reading it; undefined where it does not. */
export function sizeProblem(text: string): string | undefined {
  if (text.length * valuesOf.name <= maxValues) return undefined;
  let values = 0;
  let depth = 0;
  let tokens = outside;
  tokens.lastIndex = 0;
  for (let token = tokens.exec(text); token; token = tokens.exec(text)) {
    const [sign] = token;
    let next = token.index + 1;
    if (sign === '"') tokens = tokens === outside ? inString : outside;
    else if (sign === '\\') {
      values += valuesOf.escape;
      next++;
    } else if (sign === '[' || sign === '{') depth++;
    else if (sign === ']' || sign === '}') depth--;
    // Each value but the first of a list or object stands behind a comma, each name before a colon.
    else values += sign === ',' ? 1 : valuesOf.name;
    if (depth > maxDepth) return `A message may be ${maxDepth} levels deep.`;
    if (values > maxValues)
      return `A message may hold ${maxValues} values, a name counting as 5, and 20 escapes as one. Send fewer at a time.`;
    tokens.lastIndex = next;
  }
  return undefined;
}

const outside = /[",:[\]{}]/g;
const inString = /["\\]/g;
