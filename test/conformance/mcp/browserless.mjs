const redirectUrl = 'http://localhost:3000/callback';

/**
 * An OAuth provider whose user agrees to everything: where a browser would be opened, it follows the redirect itself.
 *
 * @param context credentials that are registered already, if the scenario gives any
 */
export function browserless({ client_id, client_secret } = {}) {
  let information = client_id && { client_id, client_secret, redirect_uris: [redirectUrl] };
  let tokens;
  let verifier;
  let response;
  return {
    redirectUrl,
    clientMetadata: {
      client_name: 'mcp-verbatim',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      application_type: 'native',
    },
    clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
    clientInformation: () => information,
    saveClientInformation: (fresh) => (information = fresh),
    tokens: () => tokens,
    saveTokens: (fresh) => (tokens = fresh),
    saveCodeVerifier: (fresh) => (verifier = fresh),
    codeVerifier: () => verifier,
    invalidateCredentials: (scope) => {
      if (scope === 'all' || scope === 'client') information = undefined;
      if (scope === 'all' || scope === 'tokens') tokens = undefined;
    },
    async redirectToAuthorization(url) {
      const { headers } = await fetch(url, { redirect: 'manual' });
      response = new URL(headers.get('location')).searchParams;
    },
    authorizationResponse: async () => response,
  };
}
