import JsSha from 'jssha/sha256';
import { binaryOf } from './byte-text.js';

const encoder = new TextEncoder();

export function bytesOf(text: string): Uint8Array {
  return encoder.encode(text);
}

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function base64Of(bytes: Uint8Array): string {
  return btoa(binaryOf(bytes));
}

/** Decodes Base64 in either alphabet, up to the first character that belongs to neither. */
export function bytesOfBase64(text: string): Uint8Array {
  const [digits = ''] = /^[A-Za-z\d+/]*/.exec(text.replace(/\s/g, '').replaceAll('-', '+').replaceAll('_', '/')) ?? [];
  const whole = digits.length % 4 === 1 ? digits.slice(0, -1) : digits;
  return Uint8Array.from(atob(whole), (character) => character.charCodeAt(0));
}

/** The digest of a text, computed at once: the digest functions that all platforms share are asynchronous. */
export function sha256(text: string): Uint8Array {
  return new JsSha('SHA-256', 'TEXT').update(text).getHash('UINT8ARRAY');
}
