import { base64Of, bytesOf, textOfBytes } from '../../json/index.js';

export function isHeaderValue(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}

/** A user name and password in a URL as the header that they are sent in. */
export function basicOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  const pair = `${decoded(username)}:${decoded(password)}`;
  return `Basic ${base64Of(bytesOf(pair))}`;
}

/** A part of a URL as it is meant. People write a percent sign as it is, too. */
function decoded(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (bytes) =>
    textOfBytes(Uint8Array.from(bytes.slice(1).split('%'), (byte) => Number.parseInt(byte, 16))),
  );
}
