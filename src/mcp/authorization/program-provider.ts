import type { OAuthProvider } from '../transport/address.js';
import type { createPrivateKeyJwtAuth } from './sdk.js';

/** How a program identifies itself to an authorization server. */
export interface ProgramCredentials {
  clientId: string;
  /**
   * A shared secret, sent as HTTP Basic to the token endpoint; or a private key that signs an assertion (RFC 7523).
   * Without one only the `clientId` is sent.
   */
  secret?:
    string | { /** In PEM. */ privateKey: string; /** Of JSON Web Algorithms, such as `ES256`. */ algorithm: string };
  /** The scopes to ask for, separated by spaces, where the server does not name any. */
  scope?: string;
  /**
   * The issuer that these credentials are for, such as `https://auth.example.com`. The MCP server names the authorization
   * server that is asked for tokens; one that is not this issuer gets nothing.
   */
  issuer: string;
}

/** The authorization server and the resource of a token, from the MCP server's metadata. */
export interface TokenRequest {
  /** The issuer of the authorization server. */
  readonly issuer: string;
  /** The MCP server, as a resource of RFC 9728; absent where its metadata do not name it. */
  readonly resource?: string;
  readonly scope?: string;
}

/**
 * A provider without a user: it asks for tokens by a grant that needs none, and keeps them as long as it lives.
 *
 * @param name of the function that makes it, for its errors
 * @param grantFields what the grant sends beside its name and the scope
 */
export function programProvider(
  name: string,
  { clientId, secret, scope, issuer }: ProgramCredentials,
  grant: string,
  grantFields: (request: TokenRequest) => Record<string, string> | Promise<Record<string, string>>,
): OAuthProvider {
  if (typeof issuer !== 'string' || !URL.canParse(issuer)) {
    throw new TypeError(`${name} needs the URL of the issuer that the credentials are for.`);
  }
  let tokens: unknown;
  let named = issuer;
  let resource: string | undefined;
  const provider = {
    redirectUrl: undefined,
    clientMetadata: {
      client_name: clientId,
      redirect_uris: [],
      grant_types: [grant],
      ...(scope !== undefined && { scope }),
    },
    clientInformation: (context: { issuer: string }) => {
      if (!isSameIssuer(context.issuer, issuer)) {
        throw new Error(`the server names the issuer ${context.issuer}, but the credentials are for ${issuer}`);
      }
      return { client_id: clientId, ...(typeof secret === 'string' && { client_secret: secret }), issuer };
    },
    tokens: () => tokens,
    saveTokens: (fresh: unknown) => {
      tokens = fresh;
    },
    saveAuthorizationServerUrl: (url: string) => {
      named = url;
    },
    saveResourceUrl: (url: string) => {
      resource = url;
    },
    redirectToAuthorization: noUser,
    saveCodeVerifier: () => {},
    codeVerifier: noUser,
    prepareTokenRequest: async (wanted?: string) => {
      const asked = wanted === undefined ? {} : { scope: wanted };
      const fields = await grantFields({ issuer: named, ...(resource !== undefined && { resource }), ...asked });
      return new URLSearchParams({ grant_type: grant, ...fields, ...asked });
    },
    ...(typeof secret === 'object' && { addClientAuthentication: signedBy(clientId, secret) }),
  };
  return provider;
}

/** A slash at the end is no difference: issuers without a path are written both ways. */
function isSameIssuer(one: string, other: string): boolean {
  return one.replace(/\/$/, '') === other.replace(/\/$/, '');
}

function noUser(): never {
  throw new Error('There is no user who could sign in through a browser.');
}

function signedBy(clientId: string, { privateKey, algorithm }: { privateKey: string; algorithm: string }) {
  const authenticate: ReturnType<typeof createPrivateKeyJwtAuth> = async (...request) => {
    const sdk = await import('./sdk.js');
    const sign = sdk.createPrivateKeyJwtAuth({ issuer: clientId, subject: clientId, privateKey, alg: algorithm });
    await sign(...request);
  };
  return authenticate;
}
