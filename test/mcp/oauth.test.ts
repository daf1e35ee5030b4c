import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { clientCredentials, connect, type OAuthProvider } from '../../src/mcp/index.js';
import { startOAuthServer, type OAuthServer } from '../../test-support/servers/oauth.js';
import { failureOf, textOf, toolNamed } from './calling.js';

let server: OAuthServer;
beforeEach(async () => {
  server = await startOAuthServer();
});
afterEach(() => server.close());

describe('client credentials', () => {
  const provider = () =>
    clientCredentials({
      clientId: 'robot',
      secret: 'robot-secret-value',
      scope: 'tools',
      issuer: new URL(server.url).origin,
    });

  test('get a token from the server that the metadata names', async () => {
    await using session = await connect({ url: server.url, authProvider: provider() });
    expect((await session.listTools()).tools).toHaveLength(1);
    expect(server.tokenRequests).toEqual([
      {
        form: { grant_type: 'client_credentials', scope: 'tools', resource: server.url },
        authorization: `Basic ${Buffer.from('robot:robot-secret-value').toString('base64')}`,
      },
    ]);
  });

  test('get another token when the first one is refused', async () => {
    await using session = await connect({ url: server.url, authProvider: provider() });
    server.revoke();
    expect(textOf(await session.callTool(toolNamed('echo'), { a: 1 }))).toBe('{"a":1}');
    expect(server.tokenRequests.length).toBeGreaterThan(1);
  });

  test.each([undefined, '', 'no url'])('without an issuer (%s) are refused', (issuer) => {
    const credentials = { clientId: 'robot', secret: 'robot-secret-value', issuer: issuer as string };
    expect(() => clientCredentials(credentials)).toThrow(TypeError);
  });

  test('are not sent to another issuer than theirs', async () => {
    const authProvider = clientCredentials({
      clientId: 'robot',
      secret: 'robot-secret-value',
      issuer: 'https://auth.example.com',
    });
    expect(await failureOf(connect({ url: server.url, authProvider }))).toMatchObject({
      code: 'AUTHORIZATION_REQUIRED',
      message: expect.stringContaining('issuer'),
    });
    expect(server.tokenRequests).toEqual([]);
  });
});

describe('a user who agrees in the browser', () => {
  function browser(): OAuthProvider & { opened: URL[] } {
    const kept: Record<string, unknown> = {};
    const opened: URL[] = [];
    const provider = {
      opened,
      redirectUrl: 'http://localhost/callback',
      clientMetadata: { client_name: 'test', redirect_uris: ['http://localhost/callback'] },
      clientInformation: () => kept['information'],
      saveClientInformation: (information: unknown) => void (kept['information'] = information),
      tokens: () => kept['tokens'],
      saveTokens: (tokens: unknown) => void (kept['tokens'] = tokens),
      saveCodeVerifier: (verifier: string) => void (kept['verifier'] = verifier),
      codeVerifier: () => kept['verifier'],
      saveDiscoveryState: (state: unknown) => void (kept['state'] = state),
      discoveryState: () => kept['state'],
      redirectToAuthorization: (url: URL) => void opened.push(url),
    };
    return provider;
  }

  test('is waited for, and the connection goes on', async () => {
    const provider = browser();
    const authorizationResponse = async () => {
      const { headers } = await fetch(provider.opened[0]!, { redirect: 'manual' });
      return new URL(headers.get('location')!).searchParams;
    };
    await using session = await connect({
      url: server.url,
      authProvider: Object.assign(provider, { authorizationResponse }),
    });
    expect((await session.listTools()).tools).toHaveLength(1);
    expect(server.tokenRequests.map(({ form }) => [form['grant_type'], form['code']])).toEqual([
      ['authorization_code', 'agreed'],
    ]);
  });

  test('is not waited for where the provider cannot tell', async () => {
    const provider = browser();
    const error = await failureOf(connect({ url: server.url, authProvider: provider }));
    expect(error).toMatchObject({ code: 'AUTHORIZATION_REQUIRED' });
    expect(provider.opened.map(({ pathname }) => pathname)).toEqual(['/authorize']);
  });
});
