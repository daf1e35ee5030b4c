/** The package has no types of its own. */
declare module 'punycode/punycode.es6.js' {
  /** Labels in ASCII as they are shown (RFC 3492). */
  export function toUnicode(domain: string): string;
  export function toASCII(domain: string): string;
}
