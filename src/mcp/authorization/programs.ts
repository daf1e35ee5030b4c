import { messageOf } from '../../json/index.js';
import { secretMask } from '../../secrets/index.js';
import { ownFetch } from '../http-client/sdk-fetch.js';
import type { OAuthProvider, ProgramProvider } from '../transport/address.js';
import type * as Sdk from './sdk.js';

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

/** How a program proves who it is to an authorization server. */
export interface ClientCredentials extends ProgramCredentials {
  secret: NonNullable<ProgramCredentials['secret']>;
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
export function clientCredentials({ secret, issuer, ...rest }: ClientCredentials): ProgramProvider {
  checkIssuer('clientCredentials', issuer);
  return madeOnce(({ ClientCredentialsProvider, PrivateKeyJwtProvider }) => {
    const options = { ...rest, expectedIssuer: issuer };
    return typeof secret === 'string'
      ? new ClientCredentialsProvider({ ...options, clientSecret: secret })
      : new PrivateKeyJwtProvider({ ...options, ...secret });
  });
}

/** The authorization server and the resource of a token, from the MCP server's metadata. */
export interface TokenRequest {
  /** The issuer of the authorization server. */
  readonly issuer: string;
  /** The MCP server, as a resource of RFC 9728. */
  readonly resource: string;
  readonly scope?: string;
}

/** What a program shows for a token: a JWT that somebody else has signed, whom the authorization server trusts. */
export interface JwtBearer extends ProgramCredentials {
  /**
   * The JWT, asked for whenever a token is needed: read anew each time, because it expires. Its audience has to be
   * `request.issuer`. It goes to that issuer's token endpoint, and nowhere else.
   */
  assertion: (request: TokenRequest) => string | Promise<string>;
}

/**
 * Authorization by a signed assertion (RFC 7523, JWT bearer), as workload identity federation uses it: an `authProvider`
 * for {@link connect} of a program to which its platform gives identity tokens, so that it needs no secret of its own.
 *
 * ```ts
 * const authProvider = jwtBearer({
 *   clientId: 'nightly-report',
 *   issuer: 'https://auth.example.com',
 *   assertion: async ({ issuer }) => (await fetch(`${url}/token?audience=${issuer}`)).text(),
 * });
 * await using session = await connect({ url, authProvider });
 * ```
 *
 * What `assertion` throws, and what the authorization server refuses, ends the attempt in an {@link AuthorizationError}.
 *
 * @throws TypeError without an issuer
 */
export function jwtBearer({ assertion, ...credentials }: JwtBearer): ProgramProvider {
  checkIssuer('jwtBearer', credentials.issuer);
  return madeOnce((sdk) => byAssertion(sdk, credentials, assertion));
}

/** An employer's identity provider, and who the user is there. */
export interface EnterpriseManaged extends ProgramCredentials {
  identityProvider: {
    /** Where it exchanges tokens, such as `https://login.example.com/oauth2/token`. */
    tokenEndpoint: string;
    /** What the program is called there. */
    clientId: string;
    /** Where it has one there. */
    clientSecret?: string;
  };
  /** The user's OpenID Connect ID token, asked for whenever a token is needed. Goes to the identity provider alone. */
  idToken: () => string | Promise<string>;
  /**
   * Stands in for this client's own HTTP towards the identity provider, as `fetch` of an address does towards a server.
   */
  fetch?: typeof fetch;
}

/**
 * Authorization that an employer manages (the MCP extension of that name; "cross-app access"): an `authProvider` for
 * {@link connect}. The user has signed in to the employer's identity provider; that gives a grant for the MCP server in
 * exchange for the ID token (RFC 8693), and the MCP server's own authorization server a token for the grant (RFC 7523).
 * The user agrees to nothing by hand.
 *
 * ```ts
 * const authProvider = enterpriseManaged({
 *   clientId: 'notes-app',
 *   secret,
 *   issuer: 'https://auth.example.com',
 *   identityProvider: { tokenEndpoint: 'https://login.example.com/token', clientId: 'notes-app-at-work' },
 *   idToken: () => secret,
 * });
 * await using session = await connect({ url, authProvider });
 * ```
 *
 * What `idToken` throws, and what either side refuses, ends the attempt in an {@link AuthorizationError}.
 *
 * @throws TypeError without an issuer
 */
export function enterpriseManaged({
  identityProvider,
  idToken,
  fetch: fetchFn = ownFetch,
  ...credentials
}: EnterpriseManaged): ProgramProvider {
  checkIssuer('enterpriseManaged', credentials.issuer);
  return madeOnce((sdk) =>
    byAssertion(sdk, credentials, async ({ issuer, ...request }) => {
      const token = await idToken();
      const exchange = { ...identityProvider, ...request, idToken: token, audience: issuer, fetchFn };
      const { jwtAuthGrant } = await sdk.requestJwtAuthorizationGrant(exchange).catch((error: unknown) => {
        // The identity provider may repeat what it was sent.
        const mask = secretMask([token, identityProvider.clientSecret ?? '']);
        throw new Error(mask(messageOf(error)));
      });
      return jwtAuthGrant;
    }),
  );
}

/** The SDK's provider for the grant of a JWT; it knows neither a scope of one's own nor a key. */
function byAssertion(
  sdk: typeof Sdk,
  { clientId, secret, scope, issuer }: ProgramCredentials,
  assertion: JwtBearer['assertion'],
): OAuthProvider {
  const provider = new sdk.CrossAppAccessProvider({
    clientId,
    clientSecret: (typeof secret === 'string' ? secret : undefined) as string, // without one it sends its client id
    expectedIssuer: issuer,
    assertion: async ({ authorizationServerUrl, resourceUrl, scope: wanted }) =>
      assertion({
        issuer: authorizationServerUrl,
        resource: resourceUrl,
        ...(wanted !== undefined && { scope: wanted }),
      }),
  });
  if (scope !== undefined) provider.clientMetadata.scope = scope;
  if (typeof secret !== 'object') return provider;
  const { privateKey, algorithm } = secret;
  const sign = sdk.createPrivateKeyJwtAuth({ issuer: clientId, subject: clientId, privateKey, alg: algorithm });
  return Object.assign(provider, { addClientAuthentication: sign });
}

function checkIssuer(name: string, issuer: string): void {
  if (typeof issuer !== 'string' || !URL.canParse(issuer))
    throw new TypeError(`${name} needs the URL of the issuer that the credentials are for.`);
}

/** A provider of the user's own may have a method of this name for another purpose. */
export function isOfProgram(provider: object): provider is ProgramProvider {
  return 'open' in provider && !('token' in provider) && !('tokens' in provider);
}

/** The SDK is loaded when a session opens; sessions share the provider and its tokens. */
export function madeOnce(make: (sdk: typeof Sdk) => OAuthProvider | Promise<OAuthProvider>): ProgramProvider {
  let made: Promise<OAuthProvider> | undefined;
  return { open: () => (made ??= import('./sdk.js').then(make)) };
}
