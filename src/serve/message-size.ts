/** What one message of a client may hold over HTTP, where reading it keeps the other clients waiting. */
export const maxMessageBytes = 8 * 1024 * 1024;
const maxDepth = 500;
const maxValues = 20_000;
/** What takes as long as so many values: a name in an object, and a backslash in a string. */
const valuesOf = { name: 5, escape: 0.05 };

/**
 * What checking the arguments of one call may cost over HTTP, for the same reason: about a tenth of a second. A call that
 * needs more goes to the server unchecked.
 */
export const checkingBudget = { steps: 10_000, violations: 25 };

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

/** From so many characters on, reading or checking a message takes long enough to be noticed. */
const longMessage = 64 * 1024;

/** Of all clients of the process, as they share its event loop. */
let last: Promise<void> = Promise.resolve();

/**
 * Resolves at once for a short message. Everything else gets a turn of the event loop of its own, so that short messages
 * of other clients come in between.
 */
export async function ownTurn(length = longMessage): Promise<void> {
  if (length < longMessage) return;
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
  await last;
}
