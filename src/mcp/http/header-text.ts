/**
 * A text as the value of an HTTP header (2026-07-28, Streamable HTTP). One that is no plain header value travels as
 * Base64, marked; so does text that looks as if it were marked.
 */
export function headerText(text: string): string {
  const plain = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
  return plain ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}
