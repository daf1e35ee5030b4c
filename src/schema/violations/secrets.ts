/** Words that make a name one of a secret: as a word of its own in `snake_case`, `kebab-case` or `camelCase`. */
const secretWords: ReadonlySet<string> = new Set([
  ...['password', 'passwords', 'passwd', 'pwd', 'passphrase', 'passcode', 'pin', 'otp'],
  ...['secret', 'secrets', 'token', 'credential', 'credentials', 'authorization', 'auth', 'bearer', 'cookie'],
  ...['key', 'keys', 'apikey', 'apitoken', 'accesskey', 'secretkey', 'privatekey', 'jwt', 'signature'],
]);

/** Whether a property of this name is likely to hold a secret. `maxTokens` and `keyword` are not. */
export function isSecretName(name: string): boolean {
  return name
    .slice(0, 200)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z]+/)
    .some((word) => secretWords.has(word.toLowerCase()));
}

/** Whether a value at this place is likely to be a secret, or part of one. */
export function isSecretPath(path: readonly (string | number)[]): boolean {
  return path.some((step) => typeof step === 'string' && isSecretName(step));
}
