/** What one message of a client may hold over HTTP: reading and checking more would keep the other clients waiting. */
const limits = { values: 100_000, depth: 500 };
/** How many values a name in an object counts for: reading one takes as long. */
const valuesOfName = 5;

/** Why a message holds too much to be read, found without reading it; undefined where it does not. */
export function sizeProblem(text: string): string | undefined {
  if (text.length * valuesOfName <= limits.values) return undefined;
  let values = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    // Each value but the first of a list or object stands behind a comma, each name before a colon.
    switch (text[at]) {
      case '"':
        at = stringEnd(text, at);
        break;
      case ',':
        values++;
        break;
      case ':':
        values += valuesOfName;
        break;
      case '[':
      case '{':
        if (++depth > limits.depth) return `A message may be ${limits.depth} levels deep.`;
        break;
      case ']':
      case '}':
        depth--;
    }
    if (values > limits.values)
      return `A message may hold ${limits.values} values, a name counting as ${valuesOfName}. Send fewer at a time.`;
  }
  return undefined;
}

/** The index of the quotation mark that ends a string. */
function stringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text[at - 1 - escapes] === '\\') escapes++;
    if (escapes % 2 === 0) return at;
  }
  return text.length;
}
