/**
 * The characters that a part of a pattern can match, as a bit set of the ASCII characters and one bit for all
 * others. It may claim too many, never too few: it is only used to show that two parts have none in common.
 */
export type CharSet = bigint;

const others = 1n << 128n;
export const anything: CharSet = (1n << 129n) - 1n;
export const nothing: CharSet = 0n;

export function char(code: number): CharSet {
  return code < 128 ? 1n << BigInt(code) : others;
}

export function range(from: number, to: number): CharSet {
  let set = to >= 128 ? others : nothing;
  for (let code = from; code <= Math.min(to, 127); code++) set |= char(code);
  return set;
}

/** Only of a set that is exact for ASCII; the other characters may be matched by both. */
export function complement(set: CharSet): CharSet {
  return (anything & ~set) | others;
}

export const digits = range(48, 57);
export const wordChars = digits | range(65, 90) | range(97, 122) | char(95);
export const spaces = range(9, 13) | char(32) | others;
export const anyButNewline = complement(char(10) | char(13));
