import { randomUUID } from 'node:crypto';
import { barrier } from './barrier.js';
import type { Exchange, HttpServer } from './http.js';
import { startHttpServer } from './http.js';

export interface OAuthServer extends HttpServer {
  /** The form of every request to the token endpoint, with its headers Authorization and DPoP. */
  tokenRequests: { form: Record<string, string>; authorization: string | undefined; proof: string | undefined }[];
  /** Every issued access and refresh token. */
  given: string[];
  /** Makes every issued access token invalid. */
  revoke(): void;
  /** Makes every refresh token invalid, too: the user has revoked the permission. */
  endAgreement(): void;
  /**
   * Holds the next requests with rejected tokens until this many have arrived, so that their senders learn of the
   * rejection at the same time.
   */
  gatherRefused(requests: number): void;
}

interface OAuthServerOptions {
  /** True if refresh tokens are issued, each for one renewal (OAuth 2.1, 4.3.1). */
  refreshTokens?: boolean;
  /** True if tokens are bound to a key (RFC 9449) and need a proof beside them. */
  boundTokens?: boolean;
  /** A scope that a request needs beyond its token's; HTTP 403 says so. */
  missingScope?: (exchange: Exchange, given: readonly string[]) => string | undefined;
  /** The error with which the token endpoint rejects every request. */
  refusal?: (form: Record<string, string>) => { error: string; error_description: string } | undefined;
  /** The beginning of every token. */
  tokenPrefix?: string;
  /** True if tokens can be revoked (RFC 7009). */
  revocation?: boolean;
  /** The client id for every registration; otherwise `registered`. */
  clientId?: string;
  /** True if clients can register themselves (RFC 7591). */
  registration?: boolean;
  /** The scopes in the server's metadata (RFC 9728). */
  scopes?: readonly string[];
}

/** An MCP server and its authorization server at one origin (2025-11-25, Authorization): metadata, registration, codes, tokens. */
export async function startOAuthServer({
  refreshTokens = false,
  boundTokens = false,
  missingScope,
  refusal,
  tokenPrefix = '',
  clientId = 'registered',
  revocation = false,
  registration = true,
  scopes,
}: OAuthServerOptions = {}): Promise<OAuthServer> {
  /** Tokens with their scopes. */
  const tokens = new Map<string, string[]>();
  const renewals = new Set<string>();
  const given: string[] = [];
  const tokenRequests: OAuthServer['tokenRequests'] = [];
  let gathered = barrier(0);
  /** The scope that the user agreed to last. */
  let agreed: string[] = [];
  const json = ({ response }: Exchange, value: object) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));

  const scheme = boundTokens ? 'DPoP' : 'Bearer';
  const isGood = ({ headers: { authorization = '', dpop } }: Exchange) =>
    authorization.startsWith(`${scheme} `) &&
    tokens.has(authorization.slice(scheme.length + 1)) &&
    (!boundTokens || dpop !== undefined);

  const server = await startHttpServer(async (exchange, { origin }) => {
    const { pathname, searchParams } = new URL(exchange.path, origin);
    switch (pathname) {
      case '/.well-known/oauth-protected-resource/mcp': {
        json(exchange, { resource: `${origin}/mcp`, authorization_servers: [origin], scopes_supported: scopes });
        return;
      }
      case '/.well-known/oauth-authorization-server': {
        json(exchange, {
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          ...(revocation && { revocation_endpoint: `${origin}/revoke` }),
          client_id_metadata_document_supported: true,
          ...(registration && { registration_endpoint: `${origin}/register` }),

          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
          grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
          token_endpoint_auth_methods_supported: ['client_secret_basic', 'none'],
        });
        return;
      }
      case '/register': {
        json(exchange, { ...exchange.body, client_id: clientId });
        return;
      }
      case '/authorize': {
        agreed = searchParams.get('scope')?.split(' ') ?? [];
        exchange.status(302, '', {
          location: `${searchParams.get('redirect_uri')}?code=agreed&state=${searchParams.get('state') ?? ''}`,
        });
        return;
      }
      case '/revoke': {
        const { token = '' } = Object.fromEntries(new URLSearchParams(exchange.text));
        exchange.status(tokens.delete(token) || renewals.delete(token) ? 200 : 400);
        return;
      }
      case '/token': {
        const form = Object.fromEntries(new URLSearchParams(exchange.text));
        const { authorization, dpop } = exchange.headers;
        tokenRequests.push({ form, authorization, proof: dpop as string | undefined });
        const refused = refusal?.(form);
        if (refused) {
          exchange.status(400, JSON.stringify(refused), { 'content-type': 'application/json' });
          return;
        }
        if (form['grant_type'] === 'refresh_token' && !renewals.delete(form['refresh_token'] ?? '')) {
          exchange.status(400, '{"error":"invalid_grant"}', { 'content-type': 'application/json' });
          return;
        }
        const token = `${tokenPrefix}${randomUUID()}`;
        const renewal = `${tokenPrefix}${randomUUID()}`;
        given.push(token, renewal);
        tokens.set(token, form['scope']?.split(' ') ?? (form['grant_type'] === 'client_credentials' ? [] : agreed));
        if (refreshTokens) renewals.add(renewal);
        json(exchange, {
          access_token: token,
          token_type: boundTokens ? 'DPoP' : 'Bearer',
          expires_in: 3600,
          ...(refreshTokens && { refresh_token: renewal }),
        });
        return;
      }
      default:
        if (isGood(exchange)) {
          const token = exchange.headers.authorization?.slice(scheme.length + 1) ?? '';
          const scope = missingScope?.(exchange, tokens.get(token) ?? []);
          if (scope === undefined) exchange.plain();
          else
            exchange.status(403, '', {
              'www-authenticate': `${scheme} error="insufficient_scope", scope="${scope}"`,
            });
          return;
        }
        await gathered.arrive();
        {
          exchange.status(401, '', {
            'www-authenticate': `${scheme} resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`,
          });
          return;
        }
    }
  });
  return Object.assign(server, {
    tokenRequests,
    given,
    revoke: () => tokens.clear(),
    endAgreement: () => renewals.clear(),
    gatherRefused: (requests: number) => void (gathered = barrier(requests)),
  });
}
