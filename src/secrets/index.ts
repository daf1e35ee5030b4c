/** What is likely to be a secret, and how it is kept out of everything that people, models and logs read. */
export { addressSecrets, cannotBeRun, headersSecrets, shownArguments, shownToAgree } from './address.js';
export { secretMask, type SecretMask } from './mask.js';
export { isNameOfSomeKey, isSecretName } from './names.js';
export { shownText, shownValue } from './shown.js';
export { hidden, hideSecretsIn } from './text.js';
export { isHarmless } from './tokens.js';
export { argumentSecrets, isSecret, namesTo } from './values.js';
