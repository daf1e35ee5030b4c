// The versions of the official client suite that are run, the last one also with every scenario at the latest
// revision; and what stays red in them, and why. A scenario that is listed here and passes is an error, too.

const identityProvider =
  "exchanges an employer's identity token; belongs to the host's own credential, not to this client";
const proof =
  'proof of possession (an extension): the provider of the program under test holds no key; a provider with `dpop()` is handed on to the SDK';

export const legs = [
  {
    version: '0.1.16',
    expected: {
      'auth/cross-app-access-complete-flow': identityProvider,
      'auth/2025-03-26-oauth-metadata-backcompat':
        'the metadata names another issuer than the one it was fetched from, which RFC 8414 (3.3) has clients refuse; the 0.2 line of the suite has mended it',
    },
  },
  {
    version: '0.2.0-alpha.12',
    expected: {
      'auth/enterprise-managed-authorization': identityProvider,
      'auth/wif-jwt-bearer': identityProvider,
      'auth/dpop': proof,
      'auth/dpop-nonce': proof,
    },
  },
  {
    version: '0.2.0-alpha.12',
    revision: '2026-07-28',
    expected: {},
  },
  // What a revision requires, frozen when it was published.
  { version: '0.2.0-alpha.12', revision: '2025-11-25', required: true, expected: {} },
  { version: '0.2.0-alpha.12', revision: '2026-07-28', required: true, expected: {} },
];
