import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startHttpServer } from '../../test-support/servers/http.js';
import { startOAuthServer, type OAuthServer } from '../../test-support/servers/oauth.js';
import { until } from '../../test-support/waiting.js';
import { callOf, choicesOf, execution, type NodeUnderTest } from './context.js';
import { built } from './packed.js';

let server: OAuthServer;
let host: TokenKeeper;

beforeEach(async () => {
  server = await startOAuthServer({ refreshTokens: true });
  onTestFinished(() => server.close());
  host = await tokenKeeper(server);
});

describe('the OAuth2 credential', () => {
  test('Every request has the token of the OAuth2 credential, which n8n renews once after a rejection before the request is repeated', async () => {
    const old = host.token();
    expect(await names(start())).toEqual(['echo']);
    expect(new Set(bearers())).toEqual(new Set([old]));
    server.seen.length = 0;
    server.revoke();
    expect(await names(start())).toEqual(['echo']);
    expect(host.renewals).toBe(1);
    expect(host.token()).not.toBe(old);
    expect(bearers().at(-1)).toBe(host.token());
    expect(bearers().filter((token) => token === old)).toHaveLength(1);
  });

  test('The OAuth2 credential is renewed for the agent and the editor as well', async () => {
    server.revoke();
    const toolkit = (await start('McpVerbatimTool').supply()) as { tools: { name: string }[] };
    expect(toolkit.tools.map(({ name }) => name)).toEqual(['echo']);
    await listened();
    server.revoke();
    expect(await choicesOf(nodeUnderTest('McpVerbatim'), 'searchTools')).toHaveLength(1);
    expect(host.renewals).toBe(2);
  });

  test('The OAuth2 credential is renewed once for executions that are rejected at the same time, even at two addresses of an expression', async () => {
    server.revoke();
    server.gatherRefused(2);
    const { mcpVerbatimOAuth2Api: here } = nodeUnderTest('McpVerbatim').credentials ?? {};
    const there = Object.create(here!, {
      ...Object.getOwnPropertyDescriptors(here),
      serverUrl: { value: `${server.url}?b`, enumerable: true },
      oauthTokenData: { get: () => host.data.oauthTokenData, enumerable: true },
    }) as ICredentialDataDecryptedObject;
    const elsewhere = execution({ ...nodeUnderTest('McpVerbatim'), credentials: { mcpVerbatimOAuth2Api: there } });
    const [, items] = await Promise.all([names(start()), elsewhere.output()]);
    expect(items).toHaveLength(1);
    expect(host.renewals).toBe(1);
  });

  test('Each account of the OAuth2 credential has sessions of its own, also kept ones', async () => {
    const first = host.token();
    const parameters = { server: 'oAuth2', options: { keepConnection: 60 } };
    let isOver = false;
    const helpers = {
      refreshOAuth2Token: async () => await (isOver ? Promise.reject(new Error('It is over.')) : host.renew()),
    };
    const node: NodeUnderTest = { ...nodeUnderTest('McpVerbatim'), parameters, helpers };
    const used = async () => {
      const run = execution(node);
      await run.output();
      await run.finish();
      return server.methods().filter((method) => method === 'initialize').length;
    };
    expect([await used(), await used()]).toEqual([1, 1]);
    // A kept session outlives the execution that read the credential, and its account the token.
    isOver = true;
    node.helpers = host.helpers;
    server.revoke();
    expect([await used(), await used(), host.renewals]).toEqual([1, 1, 1]);
    await host.connect();
    expect(await used()).toBe(2);
    expect(bearers().at(-1)).toBe(host.token());
    expect(host.token()).not.toBe(first);
  });

  test('The OAuth2 credential does not renew a token that another worker has just renewed', async () => {
    const run = start();
    await names(run);
    await listened();
    const refused = host.token();
    server.revoke();
    const { refreshOAuth2Token } = host.helpers;
    host.helpers.refreshOAuth2Token = async function () {
      await host.renew();
      return await refreshOAuth2Token.call(this);
    };
    await run.call();
    await run.call();
    expect(host.renewals).toBe(1);
    expect(bearers().at(-1)).toBe(host.token());
    expect(host.token()).not.toBe(refused);
    expect(server.methods().filter((method) => method === 'initialize')).toHaveLength(1);
  });

  test.each([
    ['the renewal is rejected', () => server.endAgreement(), /could not renew the access token: .*grant/i],
    ['the renewed token is rejected as well', () => host.breakRenewal(), /requires authorization/],
  ])('The OAuth2 credential says that it has to be connected again if %s', async (_what, prepare, reason) => {
    server.revoke();
    prepare();
    const error = await failure(start());
    expect(error.message).toBe('The credential "Account" has to be connected again');
    expect(error.description).toMatch(reason);
    expect([JSON.stringify(error), error.message, error.description, error.stack].join()).not.toMatch(host.secrets());
  });

  test('The OAuth2 credential says that it is not connected if it never was', async () => {
    host.data.oauthTokenData = undefined as never; // n8n leaves it out
    const error = await failure(start());
    expect(error.message).toBe('The credential "Account" is not connected yet');
    expect(server.seen.filter(({ path }) => path === '/mcp')).toEqual([]);
  });

  test.each(['oauthTokenData', 'authUrl', 'clientId', 'scope'])(
    'The OAuth2 credential is refused if a server gave a text that n8n would evaluate: %s',
    async (field) => {
      const evil = '={{ $env.SECRET }}';
      host.data[field] = field === 'oauthTokenData' ? { access_token: evil } : evil;
      const error = await failure(start());
      expect(error.message).toBe('The credential "Account" holds an expression that the server put there');
      expect(server.seen.filter(({ path }) => path === '/mcp')).toEqual([]);
    },
  );

  test('The OAuth2 credential may have an expression of the user in a registration by hand, and other signs anywhere', async () => {
    Object.assign(host.data, { useDynamicClientRegistration: false, scope: '={{ $json.scope }}' });
    expect(await names(start())).toEqual(['echo']);
    host.data.oauthTokenData = { accessToken: host.token(), id: 'a=b' };
    expect(await names(start())).toEqual(['echo']);
  });

  test('The OAuth2 credential for programs gets its token once, and another one when that is rejected', async () => {
    Object.assign(host.data, { grantType: 'clientCredentials', oauthTokenData: undefined });
    for (const tokens of [1, 1, 2, 3]) {
      if (tokens === 2) server.revoke();
      // Another credential of this client, for another server.
      if (tokens === 3) Object.assign(host.data, { serverUrl: `${server.url}?b`, oauthTokenData: undefined });
      expect(await names(start())).toEqual(['echo']);
      const asked = server.tokenRequests.filter(({ form }) => form['grant_type'] === 'client_credentials');
      expect(asked).toHaveLength(tokens);
    }
  });

  test('The OAuth2 credential for programs says what to check if n8n gets no token', async () => {
    Object.assign(host.data, { grantType: 'clientCredentials', oauthTokenData: undefined });
    host.helpers.refreshOAuth2Token = async () => {
      throw new Error('The client client-secret-value is not known.');
    };
    const error = await failure(start());
    expect(error.message).toBe('The credential "Account" is rejected');
    expect(error.description).toContain('The client [hidden] is not known. Check the client ID');
  });

  test('The OAuth2 credential never goes to another origin', async () => {
    const elsewhere = await startHttpServer({});
    const redirecting = await startHttpServer((exchange) => exchange.status(307, '', { location: elsewhere.url }));
    host.data.serverUrl = redirecting.url;
    expect((await failure(start())).message).toContain(`${redirecting.url} answered `);
    expect(redirecting.seen.at(-1)?.headers.authorization).toMatch(/^Bearer ./);
    expect(elsewhere.seen.filter(({ headers }) => headers.authorization)).toEqual([]);
    await Promise.all([elsewhere.close(), redirecting.close()]);
  });
});

/** Connections ask for the server's stream beside their first requests, with their token at that time. */
async function listened(): Promise<void> {
  await until(() => server.seen.some(({ verb }) => verb === 'GET'));
}

function bearers(): (string | undefined)[] {
  const requests = server.seen.filter(({ path, verb }) => path === '/mcp' && verb === 'POST');
  return requests.map(({ headers }) => headers.authorization?.replace('Bearer ', ''));
}

function nodeUnderTest(name: 'McpVerbatim' | 'McpVerbatimTool'): NodeUnderTest {
  return {
    type: built.node(name),
    parameters: { server: 'oAuth2' },
    credentials: { mcpVerbatimOAuth2Api: host.data },
    settings: { credentials: { mcpVerbatimOAuth2Api: { id: '1', name: 'Account' } } },
    helpers: host.helpers,
  };
}

function start(name: 'McpVerbatim' | 'McpVerbatimTool' = 'McpVerbatim') {
  const node = nodeUnderTest(name);
  const run = execution(node);
  return {
    list: () => run.output(),
    supply: async () => (await node.type.supplyData?.call(run.supply(), 0))?.response,
    async call() {
      Object.assign(node, { parameters: { server: 'oAuth2', ...callOf('echo') } });
      return await run.output();
    },
  };
}

async function names(run: ReturnType<typeof start>): Promise<unknown[]> {
  return (await run.list()).map(({ json }) => json['name']);
}

async function failure(run: ReturnType<typeof start>): Promise<Error & { description?: string }> {
  return await run.list().then(
    () => expect.fail('gave tools instead of an error'),
    (error: unknown) => error as Error,
  );
}

type TokenKeeper = Awaited<ReturnType<typeof tokenKeeper>>;

interface ContextOfHelpers {
  getCredentials?(type: string): Promise<ICredentialDataDecryptedObject>;
}

/** Imitates n8n's renewal: asks the token endpoint, and writes the tokens into the credential. */
async function tokenKeeper({ url, origin }: OAuthServer) {
  const given: string[] = ['client-secret-value'];
  const data: ICredentialDataDecryptedObject = {
    serverUrl: url,
    grantType: 'pkce',
    clientId: 'client',
    clientSecret: 'client-secret-value',
  };
  const ask = async (form: Record<string, string>) => {
    const answer = await fetch(`${origin}/token`, { method: 'POST', body: new URLSearchParams(form) });
    const tokens = (await answer.json()) as Record<string, string>;
    if (!answer.ok) throw new Error(`The grant ${form['refresh_token']} is invalid (${tokens['error']}).`);
    given.push(...Object.values(tokens).filter((value) => /^[0-9a-f-]{36}$/.test(value)));
    return tokens;
  };
  const stored = () => (data.oauthTokenData ?? {}) as Record<string, string>; // written only below
  const keeper = {
    data,
    renewals: 0,
    token: () => stored()['access_token']!,
    secrets: () => new RegExp(given.join('|')),
    async renew() {
      keeper.renewals += 1;
      data.oauthTokenData = {
        ...stored(),
        ...(await ask({ grant_type: 'refresh_token', refresh_token: stored()['refresh_token']! })),
      };
      return data.oauthTokenData;
    },
    async connect() {
      data.oauthTokenData = await ask({ grant_type: 'authorization_code' });
    },
    breakRenewal() {
      keeper.helpers.refreshOAuth2Token = async () => ({ access_token: 'not-known-to-the-server' });
    },
    helpers: {
      // n8n's own helper needs the context as `this`, and renews nothing if the credential has another token by now.
      async refreshOAuth2Token(this: ContextOfHelpers): Promise<unknown> {
        if (!this.getCredentials) throw new Error('not called with the context');
        const { oauthTokenData, grantType } = await this.getCredentials('mcpVerbatimOAuth2Api');
        const known = (oauthTokenData as Record<string, string>)['access_token'];
        if (known !== keeper.token()) return data.oauthTokenData;
        if (grantType !== 'clientCredentials') return await keeper.renew();
        return (data.oauthTokenData = await ask({ grant_type: 'client_credentials' }));
      },
    },
  };
  data.oauthTokenData = await ask({ grant_type: 'authorization_code' });
  return keeper;
}
