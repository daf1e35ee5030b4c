/** The base of a document that nobody gave an address. */
export const unnamed = 'schema:///';

/** Resolves a URI reference (RFC 3986, section 5) and drops its fragment; undefined where it is none. */
export function absoluteUri(reference: string, base: string): string | undefined {
  try {
    const url = new URL(reference, base);
    url.hash = '';
    return url.href;
  } catch {
    return undefined;
  }
}
