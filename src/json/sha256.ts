import { bytesOf } from './bytes.js';

/** The digest of a text (FIPS 180-4), at once: what the platforms have in common answers later. */
export function sha256(text: string): Uint8Array {
  const message = padded(bytesOf(text));
  const hash = new Uint32Array(initial);
  const schedule = new Uint32Array(64);
  for (let at = 0; at < message.byteLength; at += 64) {
    for (let i = 0; i < 16; i++) schedule[i] = message.getUint32(at + 4 * i);
    extend(schedule);
    compress(hash, schedule);
  }
  const digest = new DataView(new ArrayBuffer(32));
  hash.forEach((word, i) => {
    digest.setUint32(4 * i, word);
  });
  return new Uint8Array(digest.buffer);
}

/** A one, zeros, and the length in bits, so that it ends with a block (5.1.1). */
function padded(bytes: Uint8Array): DataView {
  const whole = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  whole.set(bytes);
  whole[bytes.length] = 0x80;
  const view = new DataView(whole.buffer);
  view.setBigUint64(whole.length - 8, BigInt(bytes.length) * 8n);
  return view;
}

/** 6.2.2, 1. */
function extend(w: Uint32Array): void {
  for (let i = 16; i < 64; i++) {
    const [a, b] = [word(w, i - 15), word(w, i - 2)];
    const s0 = rotated(a, 7) ^ rotated(a, 18) ^ (a >>> 3);
    const s1 = rotated(b, 17) ^ rotated(b, 19) ^ (b >>> 10);
    w[i] = word(w, i - 16) + s0 + word(w, i - 7) + s1;
  }
}

/** 6.2.2, 2 to 4. */
function compress(hash: Uint32Array, w: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
  for (let i = 0; i < 64; i++) {
    const s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + word(constants, i) + word(w, i)) | 0;
    const s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, i) => {
    hash[i] = word(hash, i) + value;
  });
}

function rotated(value: number, bits: number): number {
  return (value >>> bits) | (value << (32 - bits));
}

function word(words: Uint32Array, at: number): number {
  return words[at] ?? 0;
}

/** The first 32 bits of the fractions of roots of the first primes (4.2.2, 5.3.3). */
const primes = Array.from({ length: 310 }, (_, n) => n + 2).filter((n) => !hasDivisor(n));
const constants = new Uint32Array(primes.map((prime) => fraction(Math.cbrt(prime))));
const initial = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

function hasDivisor(n: number): boolean {
  for (let divisor = 2; divisor * divisor <= n; divisor++) if (n % divisor === 0) return true;
  return false;
}

function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32);
}
