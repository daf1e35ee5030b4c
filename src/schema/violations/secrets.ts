/** Words that make a name one of a secret: as a word of its own in `snake_case`, `kebab-case` or `camelCase`. */
const secretWords: ReadonlySet<string> = new Set([
  ...['password', 'passwords', 'passwd', 'pwd', 'passphrase', 'passcode', 'pin', 'otp'],
  ...['secret', 'secrets', 'token', 'credential', 'credentials', 'authorization', 'auth', 'bearer', 'cookie'],
  ...['apikey', 'apikeys', 'apitoken', 'accesskey', 'secretkey', 'privatekey', 'signingkey', 'jwt', 'signature'],
]);

/** What opens something: `api_key`, `privateKey`. Other keys are names of things (`issueKey`, `primary_key`). */
const secretKeys: ReadonlySet<string> = new Set([
  ...['api', 'access', 'secret', 'private', 'signing', 'signer', 'encryption', 'decryption', 'cipher', 'crypto'],
  ...[
    'auth',
    'authentication',
    'authorization',
    'master',
    'root',
    'admin',
    'account',
    'storage',
    'shared',
    'subscription',
  ],
  ...[
    'license',
    'licence',
    'ssh',
    'pgp',
    'gpg',
    'rsa',
    'aes',
    'hmac',
    'webhook',
    'service',
    'session',
    'server',
    'client',
  ],
  ...['consumer', 'app', 'application', 'deploy', 'deployment', 'write', 'ingestion'],
]);

/** Tokens that only say where a list goes on. */
const cursorWords: ReadonlySet<string> = new Set(['page', 'pagination', 'continuation', 'sync']);

/** Whether a property of this name is likely to hold a secret. `maxTokens`, `pageToken` and `issueKey` are not. */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  return words.some((word, at) => {
    const before = words[at - 1] ?? '';
    if (isKey(word)) return secretKeys.has(before);
    return secretWords.has(word) && !(word === 'token' && cursorWords.has(before));
  });
}

/**
 * Whether a value is likely to be a secret, or part of one: by the names on the way to it, by its own shape, or because
 * it looks random under the name of some key.
 */
export function isSecret(path: readonly (string | number)[], value: unknown): boolean {
  const names = path.filter((step) => typeof step === 'string');
  if (names.some(isSecretName)) return true;
  if (typeof value !== 'string') return false;
  return secretShape.test(value) || (looksRandom(value) && wordsOf(names.at(-1) ?? '').some(isKey));
}

function wordsOf(name: string): string[] {
  const spaced = name.slice(0, 200).replace(/([a-z0-9])([A-Z])/g, '$1 $2');
  return spaced.split(/[^A-Za-z]+/).map((word) => word.toLowerCase());
}

function isKey(word: string): boolean {
  return word === 'key' || word === 'keys';
}

/** Tokens of well-known services, JSON Web Tokens, private keys in PEM, values of an `Authorization` header. */
const secretShape =
  /^(?:sk|rk)[-_][\w-]{16}|^gh[a-z]_\w{20}|^github_pat_|^glpat-|^xox[a-z]-|^A[KS]IA[0-9A-Z]{16}$|^AIza[\w-]{30}|^ya29\.|^eyJ[\w-]{8,}\.[\w-]+\.|^-----BEGIN [A-Z ]*PRIVATE KEY|^(?:Bearer|Basic) \S{8}/i;

/** Long, in one piece, of letters and digits both. */
function looksRandom(text: string): boolean {
  return /^[\w+/=.-]{20,}$/.test(text) && /\d/.test(text) && /[A-Za-z]/.test(text);
}
