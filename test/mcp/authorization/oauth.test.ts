import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runInThisContext } from 'node:vm';
import ts from 'typescript';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { clientCredentials, connect, dpop, enterpriseManaged, jwtBearer } from '../../../src/mcp/index.js';
import type { Catalogue, OAuthProvider, ProgramProvider, TokenRequest } from '../../../src/mcp/index.js';
import { startHttpServer } from '../../../test-support/servers/http.js';
import { startOAuthServer, type OAuthServer } from '../../../test-support/servers/oauth.js';
import { failureOf, textOf, toolNamed } from '../calling.js';

let server: OAuthServer;
beforeEach(async () => {
  server = await startOAuthServer();
});
afterEach(() => server.close());

test('A signed assertion is read again for each token, and no secret is sent', async () => {
  const asked: TokenRequest[] = [];
  const assertion = (request: TokenRequest) => `assertion-${asked.push(request)}`;
  const authProvider = jwtBearer({ clientId: 'robot', issuer: server.origin, assertion, scope: 'tools' });
  await using session = await connect({ url: server.url, authProvider });
  server.revoke();
  expect((await session.listTools()).tools).toHaveLength(1);
  const request = { issuer: server.origin, resource: server.url, scope: 'tools' };
  expect(asked).toEqual([request, request]);
  const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
  const form = { grant_type, client_id: 'robot', scope: 'tools', resource: server.url };
  expect(server.tokenRequests).toMatchObject([
    { form: { ...form, assertion: 'assertion-1' }, authorization: undefined },
    { form: { ...form, assertion: 'assertion-2' }, authorization: undefined },
  ]);
});

test('A signed assertion that the server rejects and repeats is not shown', async () => {
  const refused = { error: 'invalid_scope', error_description: 'not for signed-by-the-platform' };
  const refusing = await startOAuthServer({ refusal: () => refused });
  const assertion = () => 'signed-by-the-platform';
  const authProvider = jwtBearer({ clientId: 'robot', issuer: refusing.origin, assertion });
  const error = await failureOf(connect({ url: refusing.url, authProvider }));
  await refusing.close();
  expect(error).toMatchObject({ code: 'AUTHORIZATION_REQUIRED', message: expect.stringContaining('not for') });
  expect(String(error)).not.toContain('signed-by-the-platform');
  expect(refusing.tokenRequests).toHaveLength(1);
});

test.each([
  ['a program', (robot: ProgramProvider) => robot],
  ['a provider', (robot: ProgramProvider) => robot.open()],
])('Each request for, and use of, a token bound to a key has a fresh proof of that key: %s', async (_, of) => {
  const bound = await startOAuthServer({ boundTokens: true });
  const robot = clientCredentials({ clientId: 'robot', secret: 'robot-secret-value', issuer: bound.origin });
  {
    await using session = await connect({ url: bound.url, authProvider: dpop(await of(robot), 'ES384') });
    expect((await session.listTools()).tools).toHaveLength(1);
  }
  await bound.close();
  const used = bound.seen.filter(({ headers }) => headers.authorization?.startsWith('DPoP '));
  const proofs = [bound.tokenRequests[0]!.proof!, ...used.map(({ headers }) => headers['dpop'] as string)];
  const [first, ...others] = proofs.map((proof) => partOf(proof, 1));
  expect(others.length).toBeGreaterThan(1);
  expect(first).toMatchObject({ htm: 'POST', htu: `${bound.origin}/token` });
  for (const claim of others) expect(claim).toMatchObject({ htu: bound.url, ath: expect.any(String) });
  expect(new Set([first, ...others].map((claim) => claim!['jti'])).size).toBe(proofs.length);
  const heads = proofs.map((proof) => partOf(proof, 0));
  expect(heads[0]).toMatchObject({ typ: 'dpop+jwt', alg: 'ES384' });
  expect(new Set(heads.map(({ jwk }) => JSON.stringify(jwk))).size).toBe(1);
});

describe('the examples of docs/authorization.md', () => {
  const page = readFileSync(fileURLToPath(new URL('../../../docs/authorization.md', import.meta.url)), 'utf8');
  const examples = [...page.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code = '']) => code);

  test('docs/authorization.md has an example for each provider', () => {
    expect(examples).toHaveLength(4);
  });

  test.each(examples)('The example of docs/authorization.md works: %s', async (code) => {
    const identity = await startHttpServer((exchange) => {
      const issued = 'urn:ietf:params:oauth:token-type:id-jag';
      exchange.json({ access_token: 'the-grant', issued_token_type: issued, token_type: 'N_A' });
    });
    const here = code
      .replace(/^import .*;\n/gm, '')
      .replaceAll('https://mcp.example.com/mcp', server.url)
      .replaceAll('https://auth.example.com', server.origin)
      .replaceAll('https://login.example.com', identity.origin);
    const names = { clientCredentials, connect, dpop, enterpriseManaged, jwtBearer, readFile: async () => 'signed' };
    const program = `(async ({ ${Object.keys(names).join(', ')} }) => {\n${here}\nreturn await session.listTools();\n})`;
    const compiled = ts.transpile(program, { target: ts.ScriptTarget.ES2022 });
    const run = runInThisContext(compiled) as (given: typeof names) => Promise<Catalogue>; // as written above
    expect((await run(names)).tools).toHaveLength(1);
    await identity.close();
  });
});

/** The decoded content of one part of a JWT. */
function partOf(jwt: string, part: number): Record<string, unknown> {
  return JSON.parse(Buffer.from(jwt.split('.')[part] ?? '', 'base64url').toString()) as Record<string, unknown>;
}

/** The providers of several processes over one store. */
function storedProviders() {
  const store: Record<string, unknown> = {};
  let last: Promise<unknown> = Promise.resolve();
  const opened: URL[] = [];
  const provider = (locks: boolean): OAuthProvider => ({
    redirectUrl: 'http://localhost/callback',
    clientMetadata: { client_name: 'test', redirect_uris: ['http://localhost/callback'] },
    clientInformation: () => store['information'],
    ...{ saveClientInformation: (information: unknown) => void (store['information'] = information) },
    tokens: () => store['tokens'],
    saveTokens: (tokens: unknown) => void (store['tokens'] = tokens),
    saveCodeVerifier: (verifier: string) => void (store['verifier'] = verifier),
    codeVerifier: () => store['verifier'],
    redirectToAuthorization: (url: URL) => void opened.push(url),
    authorizationResponse: async () => {
      const { headers } = await fetch(opened.at(-1)!, { redirect: 'manual' });
      return new URL(headers.get('location')!).searchParams;
    },
    ...(locks && { lock: (renew) => (last = last.catch(() => {}).then(renew)).then(() => {}) }),
  });
  return { provider, opened };
}

describe('refresh tokens that are good for one renewal', () => {
  type MissingScope = NonNullable<Parameters<typeof startOAuthServer>[0]>['missingScope'];
  const fourSessions = async (providers: OAuthProvider[], browser: readonly URL[], missingScope?: MissingScope) => {
    await server.close();
    server = await startOAuthServer({ refreshTokens: true, ...(missingScope && { missingScope }) });
    const sessions = [];
    for (const authProvider of providers) sessions.push(await connect({ url: server.url, authProvider }));
    expect(browser).toHaveLength(1);
    server.revoke();
    server.gatherRefused(sessions.length);
    const answers = await Promise.all(sessions.map((session) => session.callTool(toolNamed('echo'), { a: 1 })));
    expect(answers.map(textOf)).toEqual(sessions.map(() => '{"a":1}'));
    for (const session of sessions) await session.close();
    return server.tokenRequests.map(({ form }) => form['grant_type']);
  };

  test('Refresh tokens for one renewal are used once even if the new tokens need more scope, which is asked for once', async () => {
    const { provider, opened } = storedProviders();
    const hasWrite = () => opened.some((url) => url.searchParams.get('scope')?.includes('write'));
    const one = provider(false);
    const missingScope: MissingScope = ({ message: { method } }) =>
      method === 'tools/call' && !hasWrite() ? 'write' : undefined;
    const grants = await fourSessions([one, one, one, one], opened, missingScope);
    expect(grants).toEqual(['authorization_code', 'refresh_token', 'authorization_code']);
    expect(opened).toHaveLength(2);
  });

  test.each([
    ['sessions with one provider', false],
    ['providers over one store that can lock', true],
  ])('Refresh tokens for one renewal are used once by four %s', async (_, locks) => {
    const { provider, opened } = storedProviders();
    const one = provider(false);
    const four = [1, 2, 3, 4].map(() => (locks ? provider(true) : one));
    expect(await fourSessions(four, opened)).toEqual(['authorization_code', 'refresh_token']);
    expect(opened).toHaveLength(1);
  });
});

test('A cancelled call stops waiting for the user in the browser', async () => {
  const caller = new AbortController();
  const authorizationResponse = () => {
    caller.abort();
    return new Promise<URLSearchParams>(() => {});
  };
  const authProvider = { ...storedProviders().provider(false), authorizationResponse };
  const connecting = connect({ url: server.url, authProvider }, { signal: caller.signal });
  expect(await failureOf(connecting)).toMatchObject({ code: 'CANCELLED' });
});

test('A user in the browser is waited for over SSE, too', async () => {
  const authProvider = storedProviders().provider(false);
  const error = await failureOf(connect({ url: server.url, transport: 'sse', authProvider }));
  // The server has agreed, and then turns out to know no SSE.
  expect(error).toMatchObject({ code: 'HTTP_STATUS', status: 405 });
  expect(server.tokenRequests.map(({ form }) => form['grant_type'])).toEqual(['authorization_code']);
});
