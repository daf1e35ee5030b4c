/** Decodes UTF-8. Keeps a byte order mark; invalid bytes become U+FFFD. */
export function textOfBytes(bytes: Uint8Array): string {
  // Node's TextDecoder takes two bytes for each character; a Buffer takes one if that is enough.
  return sameBytes(bytes).toString();
}

/** One character for each byte, of the same number. */
export function binaryOf(bytes: Uint8Array): string {
  return sameBytes(bytes).toString('latin1');
}

function sameBytes({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
