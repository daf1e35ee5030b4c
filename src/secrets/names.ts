import { wordsOf } from '../json/index.js';

/** Names of secrets, as their words: `DB_PASS` and `dbPass` are `db pass`. Keys, PINs and codes need a word in front. */
const secretNames = alternatives(`
  password|passwords|passwd|pwd|passphrase|passphrases|passwort|mnemonic|cvv|cvc|ssn|otp|totp|creds
  secret|secrets|token|credential|credentials|authorization|auth|authn|oauth|oauth2|proxyauth|httpauth|bearer|cookie|cookies|jwt|phpsessid
  ^(?:pass|pw|pin|sid|sig|signature)$
  (?:db|database|user|usr|username|login|smtp|imap|mail|email|ftp|sftp|ssh|http|basic|proxy|admin|root|mysql|pg|postgres|mongo|redis|mqtt|ldap|wifi|vpn|sudo|app|client|server|service|account|cert|keystore|my|new|old|current) (?:pass|pw)
  (?:card|sim|user|security|access|login|account|door|atm|debit|credit|my|new|old|current) pin
  (?:api|access|secret|private|sign|signing|signer|encryption|decryption|cipher|crypto|auth|authentication|authorization|master|root|admin|account|storage|shared|subscription|license|licence|pgp|gpg|rsa|aes|hmac|webhook|service|session|server|client|consumer|app|application|deploy|deployment|write|ingestion) keys?
  (?:api|access|refresh|auth|oauth|authentication|authorization|bearer|bot|csrf|xsrf|security|session|personal|device|push|registration|id|user|client|service|deploy|webhook|verification|reset|invite) tokens
  (?:pass|security|verification|recovery|backup|access|mfa|fa) codes?|one time code|(?:session|secret) id
  (?:card|cc) (?:number|num)|social security number|(?:seed|recovery) phrase
  (?:amz|goog|hub|webhook|request|hmac) signature
`);

/** Tokens of pages, of currencies and of progress. */
const harmlessTokens = alternatives(`
  (?:page|pagination|next|prev|previous|continuation|continue|sync|cursor|skip|delta|change|resume|start|end|stop) token
  (?:from|to|in|out|input|output|base|quote|buy|sell|source|target|destination|pay|payment|reward|native|erc|nft) token
  (?:max|min|total|num|special|pad|mask|progress|cancellation|cancel|design|color) token
`);

/** Words that describe a secret without revealing it: `tokenCount`, `passwordPolicy`, `auth_type`, `secretName`. */
const attributes = alternatives(`
  ids?|counts?|limits?|length|size|budget|usage|used|types?|kind|names?|methods?|mode|policy|policies|rules?|strength
  format|algorithm|alg|version|url|uri|endpoint|path|file|filename|field|label|selector|expiry|expires|expiration|ttl
  lifetime|age|at|days|scopes?|role|provider|plugin|required|enabled|disabled|optional|status|color|position|index
  symbol|decimals|supply|price|cost|amount|balance|address|in|out|a|b|pair|mint|env|variable|var|arn|region
`);

const secretName = new RegExp(String.raw`\b${secretNames}\b(?!.* ${attributes}\b)`, 'm');
const harmlessToken = new RegExp(String.raw`\b${harmlessTokens}\b`, 'g');

/** The seams between words that are run together: `PGPASSWORD`, `sessionid`. */
const seams =
  /(?<=\w)(?=(?:passwords?|passwd|passphrase|secrets?|tokens?|keys?|pass|pin|id|codes?|number|signature){1,3}\b)/g;

export function isSecretName(name: string): boolean {
  return secretName.test(readingsOf(name).replace(harmlessToken, ''));
}

/** True if the name may be a secret's. For the names of keys, the value decides. */
export function mayNameSecret(name: string): boolean {
  return isSecretName(name) || (/key|token/i.test(name) && /\b(?:keys?|tokens)\b/.test(readingsOf(name)));
}

/** A name's words, and on another line, with compound words separated. The end of a name decides its meaning. */
function readingsOf(name: string): string {
  const words = wordsOf(name.slice(-500), 500).filter((word) => !/^\d/.test(word));
  return `${words.join(' ')}\n${words.join(' ').replace(seams, ' ')}`;
}

function alternatives(table: string): string {
  return `(?:${table.trim().replace(/\s*\n\s*/g, '|')})`;
}
