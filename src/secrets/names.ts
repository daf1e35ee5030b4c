import { wordsOf } from '../json/index.js';

/**
 * Names of secrets, as their words: `db|user pass` stands for `DB_PASS` and `userPass`, `^` and `$` for the ends of a
 * name. Keys, tokens, PINs and codes need a word in front: `issueKey`, `maxTokens` and `pinCode` are harmless.
 */
const secretNames = phrases(`
  password|passwords|passwd|pwd|passphrase|passphrases|passwort|mnemonic|cvv|cvc|ssn|otp|totp|creds
  secret|secrets|token|credential|credentials|authorization|auth|bearer|cookie|cookies|jwt|phpsessid
  ^ pass|pw|pin|sid|sig|signature $
  db|database|user|usr|username|login|smtp|imap|mail|email|ftp|sftp|ssh|http|basic|proxy|admin|root|mysql|pg|postgres|mongo|redis|mqtt|ldap|wifi|vpn|sudo|app|client|server|service|account|cert|keystore|my|new|old|current pass|pw
  card|sim|user|security|access|login|account|door|atm|debit|credit|my|new|old|current pin
  api|access|secret|private|sign|signing|signer|encryption|decryption|cipher|crypto|auth|authentication|authorization|master|root|admin|account|storage|shared|subscription|license|licence|pgp|gpg|rsa|aes|hmac|webhook|service|session|server|client|consumer|app|application|deploy|deployment|write|ingestion key|keys
  api|access|refresh|auth|oauth|authentication|authorization|bearer|bot|csrf|xsrf|security|session|personal|device|push|registration|id|user|client|service|deploy|webhook|verification|reset|invite tokens
  pass|security|verification|recovery|backup|access|mfa|fa code|codes
  one time code
  session|secret id
  card|cc number|num
  social security number
  seed|recovery phrase
  amz|goog|hub|webhook|request|hmac signature
`);

/** Tokens of pages, of currencies and of progress. */
const harmlessTokens = phrases(`
  page|pagination|next|prev|previous|continuation|continue|sync|cursor|skip|delta|change|resume|start|end|stop token
  from|to|in|out|input|output|base|quote|buy|sell|source|target|destination|pay|payment|reward|native|erc|nft token
  max|min|total|num|special|pad|mask|progress|cancellation|cancel|design|color token
`);

/** What describes a secret without giving it away: `tokenCount`, `passwordPolicy`, `auth_type`, `secretName`. */
const attributes = phrases(`
  id|ids|count|counts|limit|limits|length|size|budget|usage|used|type|types|kind|name|names|method|methods|mode|policy
  policies|rule|rules|strength|format|algorithm|alg|version|url|uri|endpoint|path|file|filename|field|label|selector
  expiry|expires|expiration|ttl|lifetime|age|at|days|scope|scopes|role|provider|plugin|required|enabled|disabled
  optional|status|color|position|index|symbol|decimals|supply|price|cost|amount|balance|address|in|out|a|b|pair|mint
  env|variable|var|arn|region
`);

/** The last words of the table: most names have none of them, which is quickly seen. */
const lastWords = new RegExp([...secretNames].map((phrase) => /\w+(?= ?\$?$)/.exec(phrase)?.[0]).join('|'), 'i');

/** What names that are run together end in: `PGPASSWORD`, `sessionid`. */
const runTogether = /^(.+?)(passwords?|passwd|passphrase|secrets?|tokens?|keys?|pass|pin|id|codes?|number|signature)$/;

/**
 * Whether a property of this name is likely to hold a secret. `maxTokens`, `tokenCount`, `pageToken` and `issueKey` are
 * not.
 */
export function isSecretName(name: string): boolean {
  if (!lastWords.test(name)) return false;
  const words = ['^', ...partsOf(name), '$'];
  const lastAttribute = words.findLastIndex((word) => attributes.has(word));
  return words.some((word, at) => {
    const two = `${words[at - 1] ?? ''} ${word}`;
    if (at < lastAttribute || harmlessTokens.has(two)) return false;
    return [word, two, `${words[at - 2] ?? ''} ${two}`].some((phrase) => secretNames.has(phrase));
  });
}

/** Whether a property of this name holds some key; whether that is a secret shows in its value. */
export function isNameOfSomeKey(name: string): boolean {
  return /key|token/i.test(name) && partsOf(name).some((word) => /^(?:keys?|tokens)$/.test(word));
}

/** Whether a property of this name holds a secret, or some key that may be one. */
export function mayNameSecret(name: string): boolean {
  return isSecretName(name) || isNameOfSomeKey(name);
}

function partsOf(name: string): string[] {
  return wordsOf(name, Infinity)
    .filter((word) => !/^\d/.test(word))
    .flatMap(separated);
}

function separated(word: string): string[] {
  if (word.length > 60 || secretNames.has(word) || secretNames.has(`^ ${word} $`)) return [word];
  const [, start, end] = runTogether.exec(word) ?? [];
  return start === undefined || end === undefined ? [word] : [...separated(start), end];
}

/** Each line of a table with all combinations of its alternatives; lines without a space are lists. */
function phrases(table: string): ReadonlySet<string> {
  const combined = (line: string) =>
    line
      .split(' ')
      .map((words) => words.split('|'))
      .reduce((starts, ends) => starts.flatMap((start) => ends.map((end) => `${start} ${end}`)));
  return new Set(
    table
      .trim()
      .split(/\s*\n\s*/)
      .flatMap(combined),
  );
}
