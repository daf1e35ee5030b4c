/** Decodes UTF-8. Keeps a byte order mark; invalid bytes become U+FFFD. */
export function textOfBytes(bytes: Uint8Array): string {
  // A TextDecoder of Node takes two bytes for each character, a Buffer one where that suffices.
  return sameBytes(bytes).toString();
}

/** One character for each byte, of the same number. */
export function binaryOf(bytes: Uint8Array): string {
  return sameBytes(bytes).toString('latin1');
}

function sameBytes({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
