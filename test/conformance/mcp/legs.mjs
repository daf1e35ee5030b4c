// The versions of the official client suite that are run, with the failures that are expected and their reasons. The
// last version also runs every scenario at the latest revision. A listed scenario that passes is an error, too. `meets`
// is a revision whose required scenarios, frozen at its publication, all run here.

export const legs = [
  {
    version: '0.1.16',
    expected: {
      'auth/2025-03-26-oauth-metadata-backcompat':
        'the metadata names another issuer than the one it was fetched from, which RFC 8414 (3.3) has clients refuse; the 0.2 line of the suite has mended it',
    },
  },
  {
    version: '0.2.0-alpha.12',
    meets: '2025-11-25',
    expected: {},
  },
  {
    version: '0.2.0-alpha.12',
    revision: '2026-07-28',
    meets: '2026-07-28',
    expected: {},
  },
];
