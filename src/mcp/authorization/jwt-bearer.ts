import { messageOf } from '../../json/index.js';
import { secretMask } from '../../secrets/index.js';
import type { OAuthProvider } from '../transport/address.js';
import { ownFetch } from '../http-client/sdk-fetch.js';
import { programProvider, type ProgramCredentials, type TokenRequest } from './program-provider.js';

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
export function jwtBearer({ assertion, ...credentials }: JwtBearer): OAuthProvider {
  return programProvider('jwtBearer', credentials, jwtBearerGrant, async (request) => ({
    assertion: await assertion(request),
  }));
}

const jwtBearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

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
}: EnterpriseManaged): OAuthProvider {
  return programProvider('enterpriseManaged', credentials, jwtBearerGrant, async ({ issuer, resource, scope }) => {
    if (resource === undefined) throw new Error('the server does not say which resource it is (RFC 9728)');
    const sdk = await import('./sdk.js');
    const token = await idToken();
    const exchange = sdk.requestJwtAuthorizationGrant({
      ...identityProvider,
      idToken: token,
      audience: issuer,
      resource,
      ...(scope !== undefined && { scope }),
      fetchFn,
    });
    const { jwtAuthGrant } = await exchange.catch((error: unknown) => {
      // The identity provider may repeat what it was sent.
      const mask = secretMask([token, identityProvider.clientSecret ?? '']);
      throw new Error(mask(messageOf(error)));
    });
    return { assertion: jwtAuthGrant };
  });
}
