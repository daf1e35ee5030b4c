/** Words that make a name one of a secret: as a word of its own in `snake_case`, `kebab-case` or `camelCase`. */
const secretWords = wordSet(`password passwords passwd pwd passphrase passphrases passcode passcodes pin otp
  secret secrets token credential credentials authorization auth bearer cookie cookies
  apikey apikeys apitoken apitokens accesskey accesskeys secretkey privatekey signingkey accesstoken refreshtoken
  jwt signature`);

/** What opens something: `api_key`, `privateKey`. Other keys are names of things (`issueKey`, `primary_key`). */
const secretKeys = wordSet(`api access secret private signing signer encryption decryption cipher crypto
  auth authentication authorization master root admin account storage shared subscription license licence
  ssh pgp gpg rsa aes hmac webhook service session server client consumer app application deploy deployment write
  ingestion`);

/** What lets somebody in: `access_tokens`. Other tokens are counted (`maxTokens`, `prompt_tokens`). */
const secretTokens = wordSet(`api access refresh auth oauth authentication authorization bearer bot csrf xsrf
  security session secret personal device push registration id user client service deploy jwt webhook verification
  reset invite`);

/** Names that are run together, as variables often are: `PGPASSWORD`, `DBPASSWORD`, `GITHUBTOKEN`; not `pagetoken`. */
const secretEnding = /.(password|passwd|passphrase|secret)$|^(?!page|next|pagination|continuation|sync).+token$/;

/** Tokens that only say where a list goes on. */
const cursorWords = wordSet('page pagination continuation sync');

/** One of these is in every name of a secret: most names are none, and told so by one look. */
const secretStems = /pass|pwd|pin|otp|secret|token|credential|auth|bearer|cookie|key|jwt|signature/i;

/** What is said about a secret without giving it away: `tokenCount`, `passwordPolicy`, `auth_type`, `secretName`. */
const attributeWords = wordSet(`count counts limit limits length size budget usage used type types kind name names
  method methods mode policy policies rule rules strength format algorithm alg version url uri endpoint path file
  filename expiry expires expiration ttl lifetime age scope scopes provider required enabled disabled optional
  status field label color position index symbol decimals supply price cost amount balance address`);

/**
 * Whether a property of this name is likely to hold a secret. `maxTokens`, `tokenCount`, `pageToken` and `issueKey` are
 * not.
 */
export function isSecretName(name: string): boolean {
  if (!secretStems.test(name)) return false;
  const words = wordsOf(name);
  const lastAttribute = words.findLastIndex((word) => attributeWords.has(word));
  return words.some((word, at) => at >= lastAttribute && opens(word, words[at - 1] ?? ''));
}

/** Whether a property of this name holds some key, of which its value must tell whether it is a secret. */
export function isNameOfSomeKey(name: string): boolean {
  return wordsOf(name).some((word) => isKey(word) || word === 'tokens');
}

function opens(word: string, before: string): boolean {
  if (isKey(word)) return secretKeys.has(before);
  if (word === 'tokens') return secretTokens.has(before);
  if (secretEnding.test(word)) return true;
  return secretWords.has(word) && !(word === 'token' && cursorWords.has(before));
}

function isKey(word: string): boolean {
  return word === 'key' || word === 'keys';
}

function wordsOf(name: string): string[] {
  return (name.match(/[A-Z]*[a-z]+|[A-Z]+/g) ?? []).map((word) => word.toLowerCase());
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/));
}
