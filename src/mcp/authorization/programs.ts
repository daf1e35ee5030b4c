import { ConfigurationError, messageOf } from '../../json/index.js';
import { secretMask } from '../../secrets/index.js';
import { ownFetch } from '../http-client/sdk-fetch.js';
import type { OAuthProvider, ProgramProvider } from '../transport/address.js';
import { withOwn } from './careful-provider.js';
import type * as Sdk from './sdk.js';

/** How a program identifies itself to an authorization server. */
export interface ProgramCredentials {
  clientId: string;
  /**
   * A shared secret, sent as HTTP Basic to the token endpoint; or a private key that signs an assertion (RFC 7523).
   * Default: only the `clientId` is sent.
   */
  secret?:
    string | { /** In PEM. */ privateKey: string; /** A JSON Web Algorithm, such as `ES256`. */ algorithm: string };
  /** The scopes to ask for, separated by spaces, if the server does not name any. */
  scope?: string;
  /** The issuer of these credentials. Any other authorization server gets nothing, whoever names it. */
  issuer: string;
}

/** How a program proves who it is to an authorization server. */
export interface ClientCredentials extends ProgramCredentials {
  secret: NonNullable<ProgramCredentials['secret']>;
}

/**
 * Authorization of a program without a user (OAuth 2 client credentials; the MCP extension of that name), as an
 * `authProvider` for {@link connect}.
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

/** A program's credentials for a token: a JWT signed by somebody whom the authorization server trusts. */
export interface JwtBearer extends ProgramCredentials {
  /** The JWT, asked for with each token. Its audience has to be `request.issuer`, and it goes nowhere else. */
  assertion: (request: TokenRequest) => string | Promise<string>;
}

/**
 * Authorization by a signed assertion (RFC 7523, JWT bearer): an `authProvider` for {@link connect} of a program to
 * which its platform gives identity tokens (workload identity federation), so that it needs no secret of its own.
 *
 * @throws TypeError without an issuer. If `assertion` throws, or the authorization server rejects it, connecting
 *   fails with an {@link AuthorizationError}.
 */
export function jwtBearer({ assertion, ...credentials }: JwtBearer): ProgramProvider {
  checkIssuer('jwtBearer', credentials.issuer);
  return madeOnce((sdk) => byAssertion(sdk, credentials, assertion));
}

/** An employer's identity provider, and who the user is there. */
export interface EnterpriseManaged extends ProgramCredentials {
  identityProvider: {
    /** The token endpoint, such as `https://login.example.com/oauth2/token`. */
    tokenEndpoint: string;
    /** The program's client id there. */
    clientId: string;
    /** Its secret there, if it has one. */
    clientSecret?: string;
  };
  /** The user's OpenID Connect ID token, asked for whenever a token is needed. Goes to the identity provider alone. */
  idToken: () => string | Promise<string>;
  /** Stands in for this client's own HTTP towards the identity provider. */
  fetch?: typeof fetch;
}

/**
 * Authorization that an employer manages (the MCP extension of that name; "cross-app access"): an `authProvider` for
 * {@link connect}. The employer's identity provider exchanges the user's ID token for a grant (RFC 8693), and the MCP
 * server's own authorization server that for a token (RFC 7523). The user agrees to nothing by hand.
 *
 * @throws TypeError without an issuer. If `idToken` throws, or either side rejects it, connecting fails with an
 *   {@link AuthorizationError}.
 */
export function enterpriseManaged(options: EnterpriseManaged): ProgramProvider {
  const { identityProvider, idToken, fetch: fetchFn = ownFetch, ...credentials } = options;
  checkIssuer('enterpriseManaged', credentials.issuer);
  return madeOnce((sdk) =>
    byAssertion(sdk, credentials, async ({ issuer, ...request }) => {
      const token = await idToken();
      const exchange = { ...identityProvider, ...request, idToken: token, audience: issuer, fetchFn };
      const { jwtAuthGrant } = await sdk.requestJwtAuthorizationGrant(exchange).catch((error: unknown) => {
        // The identity provider may repeat parts of its request.
        const mask = secretMask([token, identityProvider.clientSecret ?? '']);
        throw new Error(mask(messageOf(error)));
      });
      return jwtAuthGrant;
    }),
  );
}

/**
 * The same provider with tokens that are bound to a key (DPoP, RFC 9449), so that a stolen one is of no use. A server
 * that binds nothing is used as before.
 *
 * The key is made when the first session opens and is gone with the process: tokens that the provider keeps longer are
 * asked for anew. A provider that keeps its key has a `dpop()` of its own (the MCP SDK's `DpopSession`) instead.
 *
 * @param algorithm default `ES256`
 */
export function dpop(provider: OAuthProvider | ProgramProvider, algorithm: DpopAlgorithm = 'ES256'): ProgramProvider {
  return madeOnce(async ({ DpopSession }) => {
    const [own, session] = await Promise.all([
      isOfProgram(provider) ? provider.open() : provider,
      DpopSession.create({ alg: algorithm }),
    ]);
    return withOwn(own, { dpop: () => session });
  });
}

/** How the key of {@link dpop} signs. */
export type DpopAlgorithm =
  'ES256' | 'ES384' | 'ES512' | 'RS256' | 'RS384' | 'RS512' | 'PS256' | 'PS384' | 'PS512' | 'EdDSA';

/** The SDK's provider for the grant of a JWT; it supports neither a scope nor a key. */
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
    throw new ConfigurationError(`${name} needs the URL of the issuer that the credentials are for.`);
}

/** A provider of the user's own may have a method of this name for another purpose. */
export function isOfProgram(provider: object): provider is ProgramProvider {
  return 'open' in provider && !('token' in provider) && !('tokens' in provider);
}

/** The SDK is loaded when a session opens; sessions share the provider and its tokens. */
function madeOnce(make: (sdk: typeof Sdk) => OAuthProvider | Promise<OAuthProvider>): ProgramProvider {
  let made: Promise<OAuthProvider> | undefined;
  return { open: () => (made ??= import('./sdk.js').then(make)) };
}
