import type { OAuthProvider } from '../address.js';
import { loadSdk } from './authorization.js';

/** How a program proves who it is to an authorization server. */
export interface ClientCredentials {
  clientId: string;
  /** A shared secret, sent as HTTP Basic to the token endpoint; or a private key that signs an assertion (RFC 7523). */
  secret:
    string | { /** In PEM. */ privateKey: string; /** Of JSON Web Algorithms, such as `ES256`. */ algorithm: string };
  /** The scopes to ask for, separated by spaces, where the server does not name any. */
  scope?: string;
  /**
   * The issuer that these credentials are for, such as `https://auth.example.com`. The MCP server names the authorization
   * server that is asked for tokens; one that is not this issuer gets nothing.
   */
  issuer: string;
}

/**
 * Authorization of a program by itself, without a user (OAuth 2 client credentials; the MCP extension of that name):
 * an `authProvider` for {@link connect}. The token endpoint is found by the server's metadata, and a token is asked
 * for anew when the server refuses the old one.
 *
 * ```ts
 * const authProvider = clientCredentials({ clientId: 'robot', secret, issuer: 'https://auth.example.com' });
 * await using session = await connect({ url, authProvider });
 * ```
 *
 * @throws TypeError without an issuer
 */
export function clientCredentials({ clientId, secret, scope, issuer }: ClientCredentials): OAuthProvider {
  if (typeof issuer !== 'string' || !URL.canParse(issuer)) {
    throw new TypeError('clientCredentials needs the URL of the issuer that the credentials are for.');
  }
  const shared = typeof secret === 'string';
  let tokens: unknown;
  const provider = {
    redirectUrl: undefined,
    clientMetadata: {
      client_name: clientId,
      redirect_uris: [],
      grant_types: ['client_credentials'],
      token_endpoint_auth_method: shared ? 'client_secret_basic' : 'private_key_jwt',
      ...(scope !== undefined && { scope }),
    },
    clientInformation: (context?: { issuer?: string }) => {
      if (context?.issuer !== undefined && !isSameIssuer(context.issuer, issuer)) {
        throw new Error(`the server names the issuer ${context.issuer}, but the credentials are for ${issuer}`);
      }
      return { client_id: clientId, ...(shared && { client_secret: secret }), issuer };
    },
    tokens: () => tokens,
    saveTokens: (fresh: unknown) => {
      tokens = fresh;
    },
    redirectToAuthorization: noUser,
    saveCodeVerifier: () => {},
    codeVerifier: noUser,
    prepareTokenRequest: (wanted?: string) => {
      const requested = wanted ?? scope;
      return new URLSearchParams({
        grant_type: 'client_credentials',
        ...(requested !== undefined && { scope: requested }),
      });
    },
    ...(!shared && { addClientAuthentication: signedBy(clientId, secret) }),
  };
  return provider;
}

/** A slash at the end is no difference: issuers without a path are written both ways. */
function isSameIssuer(one: string, other: string): boolean {
  return one.replace(/\/$/, '') === other.replace(/\/$/, '');
}

function noUser(): never {
  throw new Error('Client credentials have no user who could sign in through a browser.');
}

function signedBy(clientId: string, { privateKey, algorithm }: { privateKey: string; algorithm: string }) {
  type Authenticate = ReturnType<Awaited<ReturnType<typeof loadSdk>>['createPrivateKeyJwtAuth']>;
  const authenticate: Authenticate = async (...request) => {
    const sdk = await loadSdk();
    const sign = sdk.createPrivateKeyJwtAuth({ issuer: clientId, subject: clientId, privateKey, alg: algorithm });
    await sign(...request);
  };
  return authenticate;
}
