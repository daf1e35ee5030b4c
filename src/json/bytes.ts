import JsSha from 'jssha/sha256';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function bytesOf(text: string): Uint8Array {
  return encoder.encode(text);
}

/** UTF-8 as a text, a mark of byte order included; what is none of it is shown by U+FFFD. */
export function textOfBytes(bytes: Uint8Array): string {
  // A TextDecoder of Node takes two bytes for each character, a Buffer one where that suffices.
  return bufferOf(bytes)?.toString() ?? decoder.decode(bytes);
}

/** The same bytes; not every runtime has Buffer. */
function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer | undefined {
  return typeof Buffer === 'undefined' ? undefined : Buffer.from(buffer, byteOffset, byteLength);
}

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function base64Of(bytes: Uint8Array): string {
  return btoa(binaryOf(bytes));
}

/** Base64 as bytes, in either alphabet; up to what is none of it. */
export function bytesOfBase64(text: string): Uint8Array {
  const [digits = ''] = /^[A-Za-z\d+/]*/.exec(text.replace(/\s/g, '').replaceAll('-', '+').replaceAll('_', '/')) ?? [];
  const whole = digits.length % 4 === 1 ? digits.slice(0, -1) : digits;
  return Uint8Array.from(atob(whole), (character) => character.charCodeAt(0));
}

/** One character for each byte, of the same number. */
export function binaryOf(bytes: Uint8Array): string {
  const buffer = bufferOf(bytes);
  if (buffer) return buffer.toString('latin1');
  // No more at once than a call may have arguments.
  const parts = Array.from({ length: Math.ceil(bytes.length / 4096) }, (_, part) =>
    String.fromCharCode(...bytes.subarray(part * 4096, (part + 1) * 4096)),
  );
  return parts.join('');
}

/** The digest of a text, at once: what the platforms have in common answers later. */
export function sha256(text: string): Uint8Array {
  return new JsSha('SHA-256', 'TEXT').update(text).getHash('UINT8ARRAY');
}
