import { randomUUID } from 'node:crypto';
import { barrier } from './barrier.js';
import type { Exchange, HttpServer } from './http.js';
import { startHttpServer } from './http.js';

export interface OAuthServer extends HttpServer {
  /** The form of every request to the token endpoint, with its Authorization header. */
  tokenRequests: { form: Record<string, string>; authorization: string | undefined }[];
  /** Every access and refresh token given so far. */
  given: string[];
  /** Makes every access token given so far invalid. */
  revoke(): void;
  /** Makes every refresh token invalid as well: the user took the agreement back. */
  endAgreement(): void;
  /** Lets the next requests whose token is refused wait until so many of them have come: whoever sent them learns of it at once. */
  gatherRefused(requests: number): void;
}

export interface OAuthServerOptions {
  /** Whether refresh tokens are given, too: each is good for one renewal (OAuth 2.1, 4.3.1). */
  refreshTokens?: boolean;
}

/** An MCP server and its authorization server at one origin (2025-11-25, Authorization): metadata, registration, codes, tokens. */
export async function startOAuthServer({ refreshTokens = false }: OAuthServerOptions = {}): Promise<OAuthServer> {
  const tokens = new Set<string>();
  const renewals = new Set<string>();
  const given: string[] = [];
  const tokenRequests: OAuthServer['tokenRequests'] = [];
  let refused = barrier(0);
  const json = ({ response }: Exchange, value: object) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));

  const server = await startHttpServer(async (exchange, { origin }) => {
    const { pathname, searchParams } = new URL(exchange.path, origin);
    switch (pathname) {
      case '/.well-known/oauth-protected-resource/mcp': {
        json(exchange, { resource: `${origin}/mcp`, authorization_servers: [origin] });
        return;
      }
      case '/.well-known/oauth-authorization-server': {
        json(exchange, {
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          registration_endpoint: `${origin}/register`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
          grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
          token_endpoint_auth_methods_supported: ['client_secret_basic', 'none'],
        });
        return;
      }
      case '/register': {
        json(exchange, { ...exchange.body, client_id: 'registered' });
        return;
      }
      case '/authorize': {
        exchange.status(302, '', {
          location: `${searchParams.get('redirect_uri')}?code=agreed&state=${searchParams.get('state') ?? ''}`,
        });
        return;
      }
      case '/token': {
        const form = Object.fromEntries(new URLSearchParams(exchange.text));
        tokenRequests.push({ form, authorization: exchange.headers.authorization });
        if (form['grant_type'] === 'refresh_token' && !renewals.delete(form['refresh_token'] ?? '')) {
          exchange.status(400, '{"error":"invalid_grant"}', { 'content-type': 'application/json' });
          return;
        }
        const token = randomUUID();
        const renewal = randomUUID();
        given.push(token, renewal);
        tokens.add(token);
        if (refreshTokens) renewals.add(renewal);
        json(exchange, {
          access_token: token,
          token_type: 'Bearer',
          expires_in: 3600,
          ...(refreshTokens && { refresh_token: renewal }),
        });
        return;
      }
      default:
        if (tokens.has(exchange.headers.authorization?.replace('Bearer ', '') ?? '')) {
          exchange.plain();
          return;
        }
        await refused.arrive();
        {
          exchange.status(401, '', {
            'www-authenticate': `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`,
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
    gatherRefused: (requests: number) => void (refused = barrier(requests)),
  });
}
