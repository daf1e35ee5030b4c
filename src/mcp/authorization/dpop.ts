import type { OAuthProvider, ProgramProvider } from '../transport/address.js';
import { withOwn } from './careful-provider.js';
import { isOfProgram, madeOnce } from './programs.js';

/**
 * The same provider with tokens that are bound to a key (DPoP, RFC 9449): every request is signed, so that a token is
 * of no use to whoever has stolen it. A server that wants a nonce in the signature gets it. A server that binds nothing
 * is used as before.
 *
 * ```ts
 * const robot = clientCredentials({ clientId: 'robot', secret, issuer: 'https://auth.example.com' });
 * await using session = await connect({ url, authProvider: dpop(robot) });
 * ```
 *
 * The key is made when the first session opens, cannot be read out, and is gone with the process: tokens that the
 * provider keeps longer are refused then, and asked for anew. A provider that keeps its key has a `dpop()` of its own
 * (the MCP SDK's `DpopSession`) and needs no wrapper.
 *
 * @param algorithm of JSON Web Algorithms: ES256 to ES512, RS256 to RS512, PS256 to PS512 or EdDSA. Default `ES256`.
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
