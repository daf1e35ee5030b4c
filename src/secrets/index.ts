export { addressSecrets, shownArguments } from './in-address.js';
export { hidden, hideSecretsIn, hideTokensIn, looksRandom } from './in-text.js';
export { argumentSecrets, isSecret, namesTo, shownText, shownValue } from './in-values.js';
export { secretMask, type SecretMask } from './mask.js';
export { isSecretName, mayNameSecret } from './names.js';
