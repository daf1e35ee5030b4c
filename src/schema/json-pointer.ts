/** One step of a JSON Pointer (RFC 6901, section 3). */
export function pointerToken(token: string | number): string {
  return typeof token === 'number' ? String(token) : token.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The JSON Pointer made of the given steps; none is the root, ''. */
export function jsonPointer(tokens: readonly (string | number)[]): string {
  return tokens.map((token) => `/${pointerToken(token)}`).join('');
}

/** The steps of a JSON Pointer, as names (RFC 6901, section 4). */
export function pointerTokens(pointer: string): string[] {
  return pointer.split('/').slice(1).map(tokenName);
}

/** The name that one step of a JSON Pointer stands for. */
export function tokenName(token: string): string {
  return token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token;
}
