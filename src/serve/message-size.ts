/**
 * What one message of a client may hold: reading more keeps the others waiting. A name takes as long as five values, and
 * 100,000 values, or 16,000 members of objects, less than 200 ms.
 */
const most = { values: 100_000, depth: 500 };
const valuesOfName = 5;

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const opening = [0x5b, 0x7b];
const closing = [0x5d, 0x7d];

/** Why a message is too much to be read, seen before it is; undefined where it is not. */
export function tooMuch(text: string): string | undefined {
  // Each value but the first of a list or object stands behind a comma, each name before a colon.
  if (text.length * valuesOfName <= most.values) return undefined;
  let values = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = stringEnd(text, at);
    else if (code === comma) values++;
    else if (code === colon) values += valuesOfName;
    else if (opening.includes(code)) {
      if (++depth > most.depth) return `A message may be ${most.depth} levels deep.`;
    } else if (closing.includes(code)) depth--;
    if (values > most.values)
      return `A message may hold ${most.values} values, a name counting as ${valuesOfName}. Send fewer at a time.`;
  }
  return undefined;
}

/** Where the quotation mark is that ends a string. */
function stringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === backslash) escapes++;
    if (escapes % 2 === 0) return at;
  }
  return text.length;
}
