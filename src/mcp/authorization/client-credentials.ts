import type { OAuthProvider } from '../transport/address.js';
import { programProvider, type ProgramCredentials } from './program-provider.js';

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
export function clientCredentials(credentials: ClientCredentials): OAuthProvider {
  return programProvider('clientCredentials', credentials, 'client_credentials', () => ({}));
}
